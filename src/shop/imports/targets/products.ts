import { type TObject, Type } from 'typebox'
import { bodyOfVersion } from '#http/codec/version-transform.ts'
import { latestVersion } from '#http/message/api-versions.ts'
import { createMessage, resourceWord } from '#i18n/message.ts'
import { mergePatch, requestBody } from '#schema/words.ts'
import { createProduct, saveProduct } from '#shop/catalogue/products/actions.ts'
import {
  isSingle,
  type ProductChange,
  saveProducts,
} from '#shop/catalogue/products/bulk-actions.ts'
import {
  findProductIdsBySku,
  findProductKeys,
  lockProductsBySku,
  weighProducts,
} from '#shop/catalogue/products/bulk-store.ts'
import { ProductOptions } from '#shop/catalogue/products/fields.ts'
import {
  createProductState,
  type ProductState,
  patchProductState,
} from '#shop/catalogue/products/rules.ts'
import { Product, ProductBody, ProductPatch } from '#shop/catalogue/products/schema.ts'
import { copyProducts } from '#shop/catalogue/products/scratch-store.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import { productVersions } from '#shop/catalogue/products/versions.ts'
import type { Db } from '#store/database.ts'
import { isUnchanged } from '#store/unchanged.ts'
import { fieldProblem, Problem, problem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'
import type { RowOutcome } from '../rules.ts'
import { uniqueKeysOf, withIdentity } from './product-identity.ts'
import {
  bodyReader,
  catchIssues,
  catchRowErrors,
  type ImportContext,
  type ImportTarget,
  isRejected,
  type KeyedRow,
  keysOf,
  requireRowKey,
  textsOf,
  withoutNulls,
} from './target.ts'

/** The field of a row that names the parent of a variant by its SKU. */
const parentSkuField = 'variant_of_sku'

const product = { schema: Product, versions: productVersions }
const readNew = bodyReader<ProductBody>(ProductBody, product)
const readPatch = bodyReader<ProductPatch>(ProductPatch, product)

type StateOf = (
  before: ProductRow | undefined,
  row: KeyedRow,
  ctx: ImportContext,
) => ProductChange['state']

const stateOfProduct: StateOf = (before, { fields: given }, { shop }) => {
  // The options of a parent follow from its variants, which have rows of their own.
  const { options, ...others } = given
  const fields = Array.isArray(options) ? others : given
  return before
    ? patchProductState(before, readPatch(fields, shop))
    : createProductState(readNew(withoutNulls(fields), shop))
}

/**
 * Only changes products, in the fields of a schema; an unknown product is 404/4041, and the stock of one
 * with variants 409/4091.
 */
const stateOfExisting = (body: TObject): StateOf => {
  const read = bodyReader<ProductPatch>(mergePatch(body))
  const required = Object.keys(body.properties)
  return (before, { fields }, { shop }) => {
    if (!before) throw problem('4041', 'detail.no_resource', { name: resourceWord('product') })
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

/** The key of the SKU by which a row names its parent; undefined without one. */
const parentKeyOf = (row: KeyedRow): string | undefined =>
  textsOf([row], parentSkuField).map(textKey)[0]

/** Returns the products whose SKUs rows name as their parents, by the keys of these. */
async function findParents(db: Db, rows: readonly KeyedRow[]): Promise<Parents> {
  const keys = rows.flatMap((row) => parentKeyOf(row) ?? [])
  return keys.length === 0 ? new Map() : findProductIdsBySku(db, keys)
}

type Parents = ReadonlyMap<string, number>

/**
 * Returns a row with the ID of its parent in place of the SKU. Throws 422/4221 for an unknown one, and for one that is
 * named by its ID alone in a file that is not of this shop.
 */
function withParent(row: KeyedRow, isOwn: boolean, parents: Parents): KeyedRow {
  const { [parentSkuField]: named, ...fields } = row.fields
  if (!isOwn && (named ?? null) === null && (fields['variant_of'] ?? null) !== null) {
    const message = createMessage('import.parent_of_other_shop')
    throw fieldProblem([{ field: 'variant_of', message }])
  }
  if (named === undefined) return { ...row, fields }
  // A column of both forms is empty in both.
  if (named === null) return { ...row, fields: { variant_of: null, ...fields } }
  requireRowKey(row.fields, parentSkuField)
  const parent = parents.get(parentKeyOf(row) ?? '')
  const isOther = (fields['variant_of'] ?? parent) !== parent
  if (parent === undefined || isOther) {
    const message = createMessage(isOther ? 'import.other_parent' : 'field.unknown_product')
    throw fieldProblem([{ field: parentSkuField, message }])
  }
  return { ...row, fields: { ...fields, variant_of: parent } }
}

/** Products that a file names by their IDs. */
type Named = ReadonlyMap<number, Pick<ProductRow, 'sku_key' | 'created_at'>>

/** The ID that a row has of its product; undefined without one, and in the file of another shop. */
function idOf({ fields }: KeyedRow, { shopId }: ImportContext): number | undefined {
  const { id, shop_id: owner } = fields
  return Number.isSafeInteger(id) && (!owner || owner === shopId) ? (id as number) : undefined
}

/** Returns the products with the IDs of rows. */
async function findNamed(ctx: ImportContext, rows: readonly KeyedRow[]): Promise<Named> {
  const ids = rows.flatMap((row) => idOf(row, ctx) ?? [])
  if (ids.length === 0) return new Map()
  const found = await findProductKeys(ctx.db, ids)
  return new Map(found.map((product) => [product.id, product]))
}

/**
 * Returns a row without what tells where it is from. Throws 422/4221 for the ID of a product with another SKU: the file
 * is of another shop, or a spreadsheet has changed the SKU.
 */
function identified(row: KeyedRow, ctx: ImportContext, named: Named, parents: Parents): KeyedRow {
  const { id: _, shop_id: owner, ...fields } = row.fields
  const other = named.get(idOf(row, ctx) ?? 0)
  // A product that this import has created has the ID by chance.
  if (other && other.sku_key !== row.key && other.created_at < ctx.begunAt) {
    throw fieldProblem([{ field: 'id', message: createMessage('import.other_id') }])
  }
  return withParent({ ...row, fields }, owner === ctx.shopId, parents)
}

/** What a row leads to. */
interface JudgedRow {
  readonly outcome: RowOutcome
  readonly change?: ProductChange
}

/** Returns a state with the category as it is stored, if it is that of the product in another spelling. */
const withSpelling = ({ category }: ProductRow, state: ProductState): ProductState =>
  category !== null && state.category !== null && textKey(category) === textKey(state.category)
    ? { ...state, category }
    : state

/** Reads the products of rows, and judges the rows by them. */
async function judge(ctx: ImportContext, rows: readonly KeyedRow[], stateOf: StateOf) {
  const known = await lockProductsBySku(ctx.db, keysOf(rows))
  const bySku = new Map(known.map((product) => [product.sku_key, product]))
  const parents = await findParents(ctx.db, rows)
  const named = await findNamed(ctx, rows)
  const judged = rows.map((row): JudgedRow => {
    const before = bySku.get(row.key)
    const state = catchRowErrors(() => stateOf(before, identified(row, ctx, named, parents), ctx))
    if (isRejected(state)) return { outcome: state }
    if (before && isUnchanged(before, withSpelling(before, state))) return { outcome: 'unchanged' }
    return { outcome: before ? 'updated' : 'created', change: { before: before ?? null, state } }
  })
  return { bySku, judged }
}

/**
 * Returns whether a row is to be imported in the order of the file: that of a parent or a variant that
 * changes, and that of a product which another row makes a parent.
 */
function relationOf(
  rows: readonly KeyedRow[],
  { bySku, judged }: Awaited<ReturnType<typeof judge>>,
): (row: KeyedRow, at: number) => boolean {
  const changes = judged.flatMap(({ change }) => change ?? [])
  const parentIds = new Set(
    changes.flatMap(({ before, state }) => [state.variant_of, before?.variant_of ?? null]),
  )
  const parentKeys = new Set(rows.map(parentKeyOf))
  const created = new Set(keysOf(rows.filter((_, at) => judged[at]?.outcome === 'created')))
  return (row, at) => {
    const change = judged[at]?.change
    const ofRow = { id: bySku.get(row.key)?.id ?? null, parentKey: parentKeyOf(row) ?? '' }
    return (
      (change !== undefined && !isSingle(change)) ||
      (ofRow.id !== null && parentIds.has(ofRow.id)) ||
      created.has(ofRow.parentKey) ||
      (created.has(row.key) && parentKeys.has(row.key))
    )
  }
}

/** Imports rows one after the other, each judged by what those before have led to. */
async function saveInOrder(
  ctx: ImportContext,
  rows: readonly KeyedRow[],
  stateOf: StateOf,
): Promise<readonly RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  for (const row of rows) {
    const { outcome = [], change } = (await judge(ctx, [row], stateOf)).judged[0] ?? {}
    if (change?.before) await saveProduct(ctx.db, change.before, change.state, ctx.shop, ctx.now)
    else if (change) await createProduct(ctx.db, change.state, ctx.shop, ctx.now)
    outcomes.push(outcome)
  }
  return outcomes
}

/** The keys of the SKUs of rows and of the parents that they name. */
const allKeysOf = (rows: readonly KeyedRow[]): readonly string[] => [
  ...keysOf(rows),
  ...rows.flatMap((row) => parentKeyOf(row) ?? []),
]

/** Imports rows by their SKU. */
const bySku = (
  { body, latestBody }: Pick<ImportTarget, 'body' | 'latestBody'>,
  stateOf: StateOf,
): ImportTarget => ({
  ...{ scope: 'products:write', body: withIdentity(body), latestBody: withIdentity(latestBody) },
  keyFields: ['sku'],
  keyOf: (fields) => textKey(requireRowKey(fields, 'sku')),
  copyRelated: (from, to, rows) =>
    copyProducts(from, to, {
      keys: { ...uniqueKeysOf(rows), sku_key: allKeysOf(rows) },
      parentIds: rows
        .flatMap(({ fields }) => [Number(fields['variant_of']), Number(fields['id'])])
        .filter(Number.isSafeInteger),
      categories: textsOf(rows, 'category'),
    }),
  weigh: (db, rows) => weighProducts(db, allKeysOf(rows)),
  save: async (ctx, rows) => {
    const found = await judge(ctx, rows, stateOf)
    const isRelated = relationOf(rows, found)
    const single = found.judged.filter((_, at) => !isRelated(rows[at] as KeyedRow, at))
    const changes = single.flatMap(({ change }) => change ?? [])
    await saveProducts(ctx.db, changes, ctx.shop, ctx.now)
    const outcomes = (await saveInOrder(ctx, rows.filter(isRelated), stateOf)).values()
    return found.judged.map(({ outcome }, at) =>
      isRelated(rows[at] as KeyedRow, at) ? (outcomes.next().value ?? []) : outcome,
    )
  },
})

const { sku, stock, price } = ProductBody.properties
const { currency, created_at, updated_at } = Product.properties
const OnlyRead = Type.Object({ currency, created_at, updated_at })

/** What rows may have: the options of a variant, and the SKU of its parent. */
const withParentSku = (body: TObject): TObject => ({
  ...body,
  properties: {
    ...body.properties,
    options: Type.Optional(ProductOptions),
    [parentSkuField]: sku,
  },
})

/** Products: created, or changed in the fields that a row has. */
export const productTarget: ImportTarget = {
  parent: { field: parentSkuField, keyOf: parentKeyOf },
  issuesOf: ({ [parentSkuField]: _, ...fields }, shop) => {
    const issues = catchIssues(() => readNew(withoutNulls(fields), shop))
    return issues.filter(({ missing }) => !missing)
  },
  ...bySku(
    {
      body: withParentSku(ProductBody),
      latestBody: withParentSku(bodyOfVersion(latestVersion, product, ProductBody).body),
    },
    stateOfProduct,
  ),
}

const StockRow = requestBody({ sku, stock }, OnlyRead)
const PriceRow = requestBody({ sku, price }, OnlyRead)
/** The columns of a body that is the same in every version but for amounts. */
const columnsOf = (body: TObject) => ({
  body,
  latestBody: bodyOfVersion(latestVersion, product, body).body,
})

/** The stock of products, as an absolute number. */
export const stockTarget = bySku(columnsOf(StockRow), stateOfExisting(StockRow))

/** The prices of products. */
export const priceTarget = bySku(columnsOf(PriceRow), stateOfExisting(PriceRow))
