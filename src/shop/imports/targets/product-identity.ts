import type { TObject } from 'typebox'
import { createMessage } from '#i18n/message.ts'
import { nullable } from '#schema/words.ts'
import {
  findCreationTimes,
  findProductIds,
  findProductIdsBySku,
  productNames,
} from '#shop/catalogue/products/bulk-store.ts'
import { fields } from '#shop/catalogue/products/fields.ts'
import { Product, ShopId } from '#shop/catalogue/products/schema.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import type { Db } from '#store/database.ts'
import { uniqueFieldsOf } from '#store/entity-fields.ts'
import { fieldProblem } from '#values/problem.ts'
import { textKey } from '#values/text-key.ts'
import { type ImportContext, isGiven, type KeyedRow, requireRowKey, textsOf } from './target.ts'

/** What is unique of the products of rows, by its column. */
export const uniqueKeysOf = (
  rows: readonly KeyedRow[],
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    uniqueFieldsOf(fields).map(({ name, column, keyOf }) => [
      column,
      [...textsOf(rows, name), ...textsOf(rows, `variant_of_${name}`)].flatMap(
        (value) => keyOf(value) ?? [],
      ),
    ]),
  )

/** What tells of which product a row of an export is. */
const identity = { id: nullable(Product.properties.id), shop_id: ShopId }

/** Adds to what rows may have what tells of which product they are. */
export const withIdentity = (body: TObject): TObject => ({
  ...body,
  properties: { ...body.properties, ...identity },
})

/** The fields that mean nothing but in exports of the shop. */
export const exportedOnly = [...Object.keys(identity), 'variant_of']

/** The fields by which products are found; the SKU is what other rows and errors name them by. */
export const productKeyFields = productNames
type KeyField = (typeof productKeyFields)[number]

/** Stands before what is no SKU: the key of a SKU begins with no blank. */
const mark = (name: string): string => ` ${name} `

const keyOf = (field: KeyField, value: string): string =>
  field === 'sku' ? textKey(value) : `${mark(field)}${value}`

/** The field of a row that names the parent of a variant by what the parent is found by. */
const parentField = (field: KeyField) => `variant_of_${field}` as const

/** The fields of a row that name the parent of a variant, the SKU first. */
export const parentFields = productKeyFields.map(parentField)
/** The field of a row that names the parent of a variant by its SKU. */
export const parentSkuField = parentField('sku')

/** Returns a row without what names its parent. */
export const withoutParent = (given: KeyedRow['fields']): KeyedRow['fields'] =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => !parentFields.some((field) => field === name)),
  )

const parentFieldOf = ({ fields }: Pick<KeyedRow, 'fields'>): KeyField | undefined =>
  productKeyFields.find((field) => isGiven(fields[parentField(field)]))

/** The key by which a row names its parent, that of the parent's row; undefined without one. */
export function parentKeyOf(row: KeyedRow): string | undefined {
  const field = parentFieldOf(row)
  return field && textsOf([row], parentField(field)).map((value) => keyOf(field, value))[0]
}

/** Returns the products that rows name as their parents, by the keys of these. */
export async function findParents(db: Db, rows: readonly KeyedRow[]): Promise<Parents> {
  const keys = [...new Set(rows.flatMap((row) => parentKeyOf(row) ?? []))]
  const bySku = keys.filter((key) => !key.startsWith(' '))
  const found = new Map(bySku.length === 0 ? [] : await findProductIdsBySku(db, bySku))
  // Few parents have no SKU.
  for (const key of keys.filter((each) => each.startsWith(' '))) {
    const id = await findProductIdByKey(db, key)
    if (id !== undefined) found.set(key, id)
  }
  return found
}

type Parents = ReadonlyMap<string, number>

/** Whose IDs a row has. */
type Owner = 'own' | 'other' | 'unknown'

const ownerOf = (given: unknown, { shopId }: ImportContext): Owner =>
  given ? (given === shopId ? 'own' : 'other') : 'unknown'

/**
 * Returns a row with the ID of its parent in place of the SKU. Throws 422/4221 for an unknown one, and for one that is
 * named by its ID alone in a file that is not of this shop.
 */
function withParent(row: KeyedRow, owner: Owner, parents: Parents): KeyedRow {
  const field = parentFieldOf(row)
  const given = withoutParent(row.fields)
  // The parent is named here; its ID in another shop says nothing.
  const fields = owner === 'other' && field ? { ...given, variant_of: undefined } : given
  if (owner !== 'own' && !field && (fields['variant_of'] ?? null) !== null) {
    const message = createMessage('import.parent_of_other_shop')
    throw fieldProblem([{ field: 'variant_of', message }])
  }
  if (!field) {
    const isColumn = parentFields.some((name) => row.fields[name] !== undefined)
    // A column of both forms is empty in both.
    return { ...row, fields: isColumn ? { variant_of: null, ...fields } : fields }
  }
  const named = parentField(field)
  requireRowKey(row.fields, named)
  const parent = parents.get(parentKeyOf(row) ?? '')
  const isOther = (fields['variant_of'] ?? parent) !== parent
  if (parent === undefined || isOther) {
    const message = createMessage(isOther ? 'import.other_parent' : 'field.unknown_product')
    throw fieldProblem([{ field: named, message }])
  }
  return { ...row, fields: { ...fields, variant_of: parent } }
}

/** Returns the key of a row, that of its SKU if it has one. Throws 400/4001 without one, and 422/4221 for one that is no key. */
export function keyOfProduct(given: KeyedRow['fields']): string {
  const field = productKeyFields.find((name) => isGiven(given[name])) ?? 'sku'
  const value = requireRowKey(given, field)
  return keyOf(field, value)
}

/** Returns the ID of the product with the key of a row, which another version of Unicode may have made. */
export async function findProductIdByKey(db: Db, key: string): Promise<number | undefined> {
  const valuesOf = (name: string) =>
    key.startsWith(mark(name)) ? [key.slice(mark(name).length)] : []
  const [external_id, handle] = [valuesOf('external_id'), valuesOf('handle')]
  const sku_key = key.startsWith(' ') ? [] : [textKey(key)]
  return (await findProductIds(db, { external_id, sku_key, handle }))[0]
}

/** Returns the IDs of the products that rows may mean, and of the parents that they name. */
export const idsOfRows = (db: Db, rows: readonly KeyedRow[]): Promise<readonly number[]> =>
  findProductIds(db, {
    external_id: [...textsOf(rows, 'external_id'), ...textsOf(rows, parentField('external_id'))],
    sku_key: skuKeysOf(rows),
    handle: [
      ...textsOf(rows.filter(isByHandle), 'handle'),
      ...textsOf(rows, parentField('handle')),
    ],
  })

/** The keys of the SKUs of rows and of the parents that they name. */
export const skuKeysOf = (rows: readonly KeyedRow[]): readonly string[] => [
  ...[...textsOf(rows, 'sku'), ...textsOf(rows, parentSkuField)].map(textKey),
]

const isByHandle = ({ fields: given }: KeyedRow): boolean =>
  !isGiven(given['external_id']) && !isGiven(given['sku'])

/** The products that rows may mean, by what they are found by. */
export class FoundProducts {
  readonly all: readonly ProductRow[]
  readonly #byKey: ReadonlyMap<string, ProductRow>

  constructor(products: readonly ProductRow[]) {
    this.all = products
    this.#byKey = new Map(
      products.flatMap((product) => {
        const { external_id, sku_key, handle } = product
        const keys = [
          ...(external_id === null ? [] : [`${mark('external_id')}${external_id}`]),
          ...(sku_key === null ? [] : [sku_key]),
          ...(handle === null ? [] : [`${mark('handle')}${handle}`]),
        ]
        return keys.map((key) => [key, product] as const)
      }),
    )
  }

  /**
   * Returns the product of a row: the one with its ID of another system, else with its SKU; with its handle only if it has
   * neither. Throws 422/4221 where the ID and the SKU are those of two products.
   */
  find(row: KeyedRow): ProductRow | undefined {
    const [externalId] = textsOf([row], 'external_id').filter(isGiven)
    const byKey = this.#byKey.get(row.key)
    if (externalId === undefined) return byKey
    const byId = this.#byKey.get(`${mark('external_id')}${externalId}`)
    if (byId && byKey && byId.id !== byKey.id) {
      throw fieldProblem([{ field: 'external_id', message: createMessage('import.other_id') }])
    }
    return byId ?? byKey
  }
}

/** Products that a file names by their IDs. */
type Named = ReadonlyMap<number, Pick<ProductRow, 'id' | 'created_at'>>

/** The ID that a row has of its product; undefined without one, and in the file of another shop. */
function idOf({ fields: given }: KeyedRow, { shopId }: ImportContext): number | undefined {
  const { id, shop_id: owner } = given
  return Number.isSafeInteger(id) && (!owner || owner === shopId) ? (id as number) : undefined
}

/** Returns the products with the IDs of rows. */
export async function findNamed(ctx: ImportContext, rows: readonly KeyedRow[]): Promise<Named> {
  const ids = rows.flatMap((row) => idOf(row, ctx) ?? [])
  if (ids.length === 0) return new Map()
  const found = await findCreationTimes(ctx.db, ids)
  return new Map(found.map((product) => [product.id, product]))
}

/**
 * Returns a row without what tells where it is from. Throws 422/4221 for the ID of another product: the file is of
 * another shop, or a spreadsheet has changed the SKU.
 */
export function identified(
  row: KeyedRow,
  ctx: ImportContext,
  {
    before,
    named,
    parents,
  }: {
    readonly before: ProductRow | undefined
    readonly named: Named
    readonly parents: Parents
  },
): KeyedRow {
  const { id: _, shop_id: owner, ...given } = row.fields
  const other = named.get(idOf(row, ctx) ?? 0)
  // A product that this import has created has the ID by chance.
  if (other && other.id !== before?.id && other.created_at < ctx.begunAt) {
    throw fieldProblem([{ field: 'id', message: createMessage('import.other_id') }])
  }
  return withParent({ ...row, fields: given }, ownerOf(owner, ctx), parents)
}
