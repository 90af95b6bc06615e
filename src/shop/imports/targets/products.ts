import { type TObject, Type } from 'typebox'
import { bodyOfVersion } from '#http/codec/version-transform.ts'
import { latestVersion } from '#http/message/api-versions.ts'
import { createMessage } from '#i18n/message.ts'
import { mergePatch, requestBody } from '#schema/words.ts'
import { type ProductChange, saveProducts } from '#shop/catalogue/products/bulk-actions.ts'
import { lockProductsBySku } from '#shop/catalogue/products/bulk-store.ts'
import { createProductState, patchProductState } from '#shop/catalogue/products/rules.ts'
import { Product, ProductBody, ProductPatch } from '#shop/catalogue/products/schema.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { productVersions } from '#shop/catalogue/products/versions.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { Problem, problem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'
import type { RowOutcome } from '../rules.ts'
import {
  bodyReader,
  catchRowErrors,
  type ImportContext,
  type ImportTarget,
  isRejected,
  type KeyedRow,
  requireRowKey,
  withoutNulls,
} from './target.ts'

const product = { schema: Product, versions: productVersions }
const readNew = bodyReader<ProductBody>(ProductBody, product)
const readPatch = bodyReader<ProductPatch>(ProductPatch, product)

type StateOf = (
  before: ProductRow | undefined,
  row: KeyedRow,
  ctx: ImportContext,
) => ProductChange['state']

const stateOfProduct: StateOf = (before, { fields }, { shop }) =>
  before
    ? patchProductState(before, readPatch(fields, shop))
    : createProductState(readNew(withoutNulls(fields), shop))

/**
 * Only changes products, in the fields of a schema; an unknown product is 404/4041, and the stock of one
 * with variants 409/4091.
 */
const stateOfExisting = (body: TObject): StateOf => {
  const read = bodyReader<ProductPatch>(mergePatch(body))
  return (before, { fields }, { shop }) => {
    if (!before) throw problem('4041', 'detail.no_resource', { name: 'product' })
    const patch = read(fields, shop)
    if (before.variant_count > 0 && (patch.stock ?? null) !== null) {
      const message = createMessage('variant.own_stock', { name: before.name })
      throw new Problem('4091', message, { issues: [{ field: 'stock', message }] })
    }
    return patchProductState(before, patch)
  }
}

/** Imports rows by their SKU. */
const bySku = (body: TObject, stateOf: StateOf): ImportTarget => ({
  scope: 'products:write',
  body,
  latestBody: bodyOfVersion(latestVersion, product, body).body,
  keyOf: (fields) => textKey(requireRowKey(fields, 'sku')),
  save: async (ctx, rows) => {
    const keys = rows.map(({ key }) => key)
    const known = await lockProductsBySku(ctx.db, keys)
    const bySku = new Map(known.map((product) => [product.sku_key, product]))
    const changes: ProductChange[] = []
    const outcomes = rows.map((row): RowOutcome => {
      const before = bySku.get(row.key)
      const state = catchRowErrors(() => stateOf(before, row, ctx))
      if (isRejected(state)) return state
      if (before && isUnchanged(before, state)) return 'unchanged'
      changes.push({ before: before ?? null, state })
      return before ? 'updated' : 'created'
    })
    await saveProducts(ctx.db, changes, ctx.shop, ctx.now)
    return outcomes
  },
})

const { sku, stock, price } = ProductBody.properties
const { id, currency, created_at, updated_at } = Product.properties
const OnlyRead = Type.Object({ id, currency, created_at, updated_at })

/** Products: created, or changed in the fields that a row has. */
export const productTarget = bySku(ProductBody, stateOfProduct)

const StockRow = requestBody({ sku, stock }, OnlyRead)
const PriceRow = requestBody({ sku, price }, OnlyRead)

/** The stock of products, as an absolute number. */
export const stockTarget = bySku(StockRow, stateOfExisting(StockRow))

/** The prices of products. */
export const priceTarget = bySku(PriceRow, stateOfExisting(PriceRow))
