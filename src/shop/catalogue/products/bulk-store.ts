import { sql } from 'kysely'
import { priorPricesAfter } from '#shop/catalogue/prices/store.ts'
import { freeOptions } from '#shop/catalogue/variants/store.ts'
import { invalidate } from '#store/changes.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import {
  asBigint,
  dialectOf,
  idIn,
  idInQuery,
  isUnset,
  lockRows,
  rowsFromJson,
  textIn,
} from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'
import { longFields } from './fields.ts'
import {
  catalogueCacheTag,
  fieldNames,
  type ProductInEvent,
  type ProductState,
  productCacheTag,
  stockAndRatingCacheTag,
} from './rules.ts'
import {
  type FromParent,
  fromParentColumns,
  rejectDuplicates,
  withDerivedColumns,
} from './store.ts'
import { type ProductRow, productRows, products } from './table.ts'

/** What products are found by, by its column. */
export type ProductKeys = Readonly<Record<'external_id' | 'sku_key' | 'handle', readonly string[]>>

const idsByKey = (['external_id', 'sku_key', 'handle'] as const).map((column) => ({
  column,
  find: prepareSql(
    (db: Db, { keys }: { keys: readonly string[] }) => sql`
      select id from products where ${textIn(db, `products.${column}`, keys)}`,
    { id: integer },
  ),
}))

/** Returns the IDs of the products that have any of these keys, each once. */
export async function findProductIds(db: Db, keys: ProductKeys): Promise<readonly number[]> {
  const ids = new Set<number>()
  for (const { column, find } of idsByKey) {
    const wanted = keys[column]
    const found = wanted.length > 0 ? await find.all(db, { keys: wanted }) : []
    for (const { id } of found) ids.add(id)
  }
  return [...ids]
}

const lockedById = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select * from products where ${idIn(db, 'products.id', ids)}
    order by ${dialectOf(db) === 'postgres' ? sql`variant_of is null, ` : sql``}id
    ${lockRows(db, 'products')}`,
  productRows.schemas,
)

/**
 * Returns these products, locked until the transaction ends: variants first, each in the order of their IDs, which keeps
 * transactions from a deadlock.
 */
export const lockProducts = (db: Db, ids: readonly number[]): Promise<ProductRow[]> =>
  lockedById.all(db, { ids })

const idsBySku = prepareSql(
  (db: Db, { keys }: { keys: readonly string[] }) => sql`
    select id, sku_key from products where ${textIn(db, 'products.sku_key', keys)}`,
  products.schemasOf(['id', 'sku_key']),
)

/** Returns the IDs of the products whose SKUs have these keys, by these. */
export async function findProductIdsBySku(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await idsBySku.all(db, { keys })
  return new Map(found.map(({ sku_key, id }) => [sku_key ?? '', id]))
}

/** Returns which of these products are there, and when they were created. */
export const findCreationTimes = (db: Db, ids: readonly number[]) => createdById.all(db, { ids })

const createdById = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select id, created_at from products
    where ${idIn(db, 'products.id', ids)} and deleted_at is null`,
  products.schemasOf(['id', 'created_at']),
)

/** What names a product in a file, the first before others. */
export const productNames = ['sku', 'external_id', 'handle'] as const
/** What names a product in a file. */
export type ProductNames = Pick<ProductRow, (typeof productNames)[number]>

const namesById = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select id, sku, external_id, handle from products where ${idIn(db, 'products.id', ids)}`,
  products.schemasOf(['id', ...productNames]),
)

/** Returns what names these products, by ID. */
export async function findProductNames(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ProductNames>> {
  const found = ids.length === 0 ? [] : await namesById.all(db, { ids })
  return new Map(found.map((product) => [product.id, product]))
}

/** The bytes of a variant in memory, about, without its texts. */
const variantBytes = 1000

const longBytes = sql.join(
  Object.keys(longFields).map((name) => sql`octet_length(coalesce(products.${sql.id(name)}, ''))`),
  sql` + `,
)

const weightOf = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    with named as (
      select coalesce(variant_of, id) as family, ${longBytes} + octet_length(search_text) as bytes
      from products where ${idIn(db, 'products.id', ids)})
    select cast(coalesce((select sum(bytes) from named), 0) + coalesce((
      select sum(octet_length(parents.search_text) + ${sql.lit(variantBytes)} * parents.variant_count)
      from products as parents
      where ${idInQuery(db, 'parents.id', sql`(select family from named)`)}
        and parents.variant_count > 0), 0) as bigint) as weight`,
  { weight: integer },
)

/**
 * Returns the bytes of these products, about: of their texts, and of the parents and variants
 * that are read when one of them changes.
 */
export const weighProducts = async (db: Db, ids: readonly number[]): Promise<number> =>
  (await weightOf.first(db, { ids }))?.weight ?? 0

const optionKeys = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select variant_of, options_key from products
    where ${idIn(db, 'products.variant_of', ids)} and variant_of is not null and ${isUnset('deleted_at')}`,
  products.schemasOf(['variant_of', 'options_key']),
)

/** Returns the options of the variants of these products, in the form in which they are unique. */
export const findOptionKeys = (db: Db, ids: readonly number[]) => optionKeys.all(db, { ids })

type StateRow = ReturnType<typeof withDerivedColumns> & FromParent & Pick<ProductRow, 'prior_price'>

const insertedColumns: readonly (keyof StateRow)[] = [
  ...fieldNames,
  ...products.following,
  ...fromParentColumns,
  'search_text',
  'prior_price',
]
const insertedFields = products.kindsOf(insertedColumns)
const insertedNames = sql.join(insertedColumns.map((name) => sql.ref(name)))

/** What one product alone has, of which each new one has some. */
const identifying = ['sku', 'external_id', 'handle'] as const

const identityOf = (product: Pick<ProductRow, (typeof identifying)[number]>): string =>
  JSON.stringify(identifying.map((name) => product[name]))

const insertAll = prepareSql(
  (db: Db, { rows, now }: { rows: readonly StateRow[]; now: Instant }) => sql`
    insert into products (${insertedNames}, created_at, updated_at)
    select ${insertedNames}, ${asBigint(now)}, ${asBigint(now)}
    from ${rowsFromJson(db, rows, insertedFields)} as product
    returning id, sku, external_id, handle`,
  products.schemasOf(['id', ...identifying]),
)

/** A product as it has been stored, with what events and the search index need. */
export type StoredProduct = ProductInEvent & Pick<ProductRow, 'search_text'>

/** Inserts products, each with a SKU, a handle or an ID of another system. Throws 409/4092 when a SKU or the like is taken. */
export async function insertProducts(
  db: Db,
  states: readonly (ProductState & FromParent)[],
  now: Instant,
): Promise<readonly StoredProduct[]> {
  if (states.length === 0) return []
  invalidate(catalogueCacheTag)
  const rows = states.map((state) => ({ ...withDerivedColumns(state), prior_price: null }))
  const inserted = await rejectDuplicates(insertAll.all(db, { rows, now }))
  const idByIdentity = new Map(inserted.map((product) => [identityOf(product), product.id]))
  return rows.map((row) => ({
    ...newProduct,
    ...row,
    ...times(now),
    id: idByIdentity.get(identityOf(row)) ?? 0,
  }))
}

const times = (now: Instant) => ({ created_at: now, updated_at: now })

/** The columns of a new product that do not follow from its state. */
const newProduct = {
  option_list: null,
  variant_count: 0,
  price_from: null,
  images: null,
  revision: 1,
  deleted_at: null,
} as const

/** A product before and after a change. */
interface StoredChange {
  readonly before: ProductRow
  readonly after: StoredProduct
}

/**
 * Updates products, which stay with their parents, each to its next revision. Throws 409/4092 when a SKU or the like, or
 * the options of a variant, are taken, and a StaleWriteError when one has changed since it was read.
 */
export async function updateProducts(
  db: Db,
  updates: readonly { readonly before: ProductRow; readonly state: ProductState }[],
  now: Instant,
): Promise<readonly StoredChange[]> {
  if (updates.length === 0) return []
  const tags = updates.map(({ before: { id } }) => productCacheTag(id))
  invalidate(...tags, catalogueCacheTag, stockAndRatingCacheTag)
  const priorPrices = await priorPricesAfter(db, updates, now)
  const rows = updates.map(({ before: { id, revision }, state }, at) => ({
    ...withDerivedColumns(state),
    prior_price: priorPrices[at] ?? null,
    id,
    revision,
  }))
  // Of two variants that swap their options, the first one would have those of the second.
  await freeOptions(
    db,
    updates.flatMap(({ before, state }) => (before.options === state.options ? [] : [before.id])),
  )
  await rejectDuplicates(productRows.saveAll(db, rows, now))
  return updates.map(({ before }, at) => {
    const row = rows[at] as (typeof rows)[number]
    return { before, after: { ...before, ...row, revision: before.revision + 1, updated_at: now } }
  })
}
