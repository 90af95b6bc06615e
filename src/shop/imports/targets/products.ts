import { type TObject, Type } from 'typebox'
import { bodyOfVersion } from '#http/codec/version-transform.ts'
import { latestVersion } from '#http/message/api-versions.ts'
import { createMessage, resourceWord } from '#i18n/message.ts'
import { mergePatch, requestBody } from '#schema/words.ts'
import { weighProducts } from '#shop/catalogue/products/bulk-store.ts'
import { ProductOptions } from '#shop/catalogue/products/fields.ts'
import {
  createProductState,
  type ProductState,
  patchProductState,
} from '#shop/catalogue/products/rules.ts'
import { Product, ProductBody, ProductPatch } from '#shop/catalogue/products/schema.ts'
import { copyProducts } from '#shop/catalogue/products/scratch-store.ts'
import { productVersions } from '#shop/catalogue/products/versions.ts'
import { fieldProblem, Problem, problem } from '#values/problem.ts'
import { categoryPathField } from '../category-path.ts'
import { rootOf } from '../rules.ts'
import { lineBreakIssues, requireOneLine } from './one-line.ts'
import { type StateOf, saveInLevels } from './product-changes.ts'
import {
  exportedOnly,
  idsOfRows,
  keyOfProduct,
  parentFields,
  parentKeyOf,
  parentSkuField,
  productKeyFields,
  skuKeysOf,
  uniqueKeysOf,
  withIdentity,
  withoutParent,
} from './product-identity.ts'
import { readOnlyFields, saysReadOnly } from './read-only.ts'
import {
  bodyReader,
  catchIssues,
  type ImportTarget,
  isGiven,
  type KeyedRow,
  textsOf,
  withoutNulls,
} from './target.ts'

const product = { schema: Product, versions: productVersions }
const readNew = bodyReader<ProductBody>(ProductBody, product)
const readPatch = bodyReader<ProductPatch>(ProductPatch, product)

const { sku, external_id, handle, stock, price } = ProductBody.properties
const keyFields = { sku, external_id, handle }

/** What a product is found by stays where a row is without it: the row has another key. */
const withoutEmptyKeys = (given: KeyedRow['fields']): KeyedRow['fields'] =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !(name in keyFields) || isGiven(value)),
  )

const stateOfProduct: StateOf = (before, { fields: given }, { shop }) => {
  // The options of a parent follow from its variants, which have rows of their own.
  const { options, ...others } = given
  const fields = Array.isArray(options) ? others : given
  const state = before
    ? patchProductState(before, readPatch(withoutEmptyKeys(fields), shop))
    : createProductState(readNew(withoutNulls(fields), shop))
  requireOneLine(ProductBody, fields, (field) => {
    const name = rootOf(field) as keyof ProductState
    return before?.[name] === state[name]
  })
  return state
}

/**
 * Only changes products, in the fields of a schema; an unknown product is 404/4041, and the stock of one
 * with variants 409/4091.
 */
const stateOfExisting = (body: TObject): StateOf => {
  const read = bodyReader<ProductPatch>(mergePatch(body))
  const required = Object.keys(body.properties).filter((name) => !(name in keyFields))
  return (before, { fields: given }, { shop }) => {
    if (!before) throw problem('4041', 'detail.no_resource', { name: resourceWord('product') })
    // What a product is found by stays as it is.
    const fields = Object.fromEntries(
      Object.entries(given).filter(([name]) => !(name in keyFields)),
    )
    // An empty cell would make a counted stock unlimited; a product with variants has none.
    const isMissing = (name: string) =>
      (fields[name] ?? null) === null && !(name === 'stock' && before.variant_count > 0)
    const missing = required.filter(isMissing)
    if (missing.length > 0) {
      const message = createMessage('field.required')
      throw fieldProblem(missing.map((field) => ({ field, message, missing: true })))
    }
    const patch = read(fields, shop)
    if (before.variant_count > 0 && (patch.stock ?? null) !== null) {
      const message = createMessage('variant.own_stock', { name: before.name })
      throw new Problem('4091', message, { issues: [{ field: 'stock', message }] })
    }
    return patchProductState(before, patch)
  }
}

/** Imports rows by what products are found by. */
const byKey = (
  { body, latestBody }: Pick<ImportTarget, 'body' | 'latestBody'>,
  stateOf: StateOf,
): ImportTarget => ({
  ...{ scope: 'products:write', body: withIdentity(body), latestBody: withIdentity(latestBody) },
  keyFields: productKeyFields,
  exportedOnly,
  keyOf: keyOfProduct,
  copyRelated: (from, to, rows) =>
    copyProducts(from, to, {
      keys: { ...uniqueKeysOf(rows), sku_key: skuKeysOf(rows) },
      parentIds: rows
        .flatMap(({ fields }) => [Number(fields['variant_of']), Number(fields['id'])])
        .filter(Number.isSafeInteger),
      categories: textsOf(rows, 'category'),
    }),
  weigh: async (db, rows) => weighProducts(db, await idsOfRows(db, rows)),
  save: (ctx, rows) => saveInLevels(ctx, rows, stateOf),
})

const { currency, created_at, updated_at } = Product.properties
const OnlyRead = Type.Object({ currency, created_at, updated_at })

/** What rows may have: the options of a variant, and the SKU of its parent. */
const withParentSku = (body: TObject): TObject => ({
  ...body,
  properties: {
    ...body.properties,
    options: Type.Optional(ProductOptions),
    // An example would be the product itself.
    ...Object.fromEntries(
      productKeyFields.map((name, at) => [parentFields[at], { ...keyFields[name], examples: [] }]),
    ),
  },
})

/** Products: created, or changed in the fields that a row has. */
export const productTarget: ImportTarget = {
  readOnly: { names: readOnlyFields, says: saysReadOnly },
  parent: { field: parentSkuField, keyOf: parentKeyOf },
  issuesOf: ({ [categoryPathField]: _, ...given }, shop) => {
    const fields = withoutParent(given)
    const issues = catchIssues(() => readNew(withoutNulls(fields), shop))
    return [...issues, ...lineBreakIssues(ProductBody, fields)].filter(({ missing }) => !missing)
  },
  ...byKey(
    {
      body: withParentSku(ProductBody),
      latestBody: withParentSku(bodyOfVersion(latestVersion, product, ProductBody).body),
    },
    stateOfProduct,
  ),
}

const StockRow = requestBody({ ...keyFields, stock }, OnlyRead)
const PriceRow = requestBody({ ...keyFields, price }, OnlyRead)
/** The columns of a body that is the same in every version but for amounts. */
const columnsOf = (body: TObject) => ({
  body,
  latestBody: bodyOfVersion(latestVersion, product, body).body,
})

/** The stock of products, as an absolute number. */
export const stockTarget = byKey(columnsOf(StockRow), stateOfExisting(StockRow))

/** The prices of products. */
export const priceTarget = byKey(columnsOf(PriceRow), stateOfExisting(PriceRow))
