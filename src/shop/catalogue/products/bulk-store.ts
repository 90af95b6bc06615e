import { sql } from 'kysely'
import { priorPricesAfter } from '#shop/catalogue/prices/store.ts'
import { invalidate } from '#store/changes.ts'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { asBigint, idIn, rowsFromJson, textIn } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { StaleWriteError } from '#store/stale-write.ts'
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
import { rejectDuplicates, withDerivedColumns } from './store.ts'
import { type ProductRow, productRows, products } from './table.ts'

/**
 * Returns the products whose SKUs have these keys, locked until the transaction ends: in the order of their IDs, which
 * keeps transactions from a deadlock.
 */
export const lockProductsBySku = (db: Db, keys: readonly string[]): Promise<ProductRow[]> =>
  productRows.findAll(db, { sku_key: keys }, { order: 'id', locks: true })

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

/** Returns the keys of these products, and when they were created. */
export const findProductKeys = (db: Db, ids: readonly number[]) => keysById.all(db, { ids })

const keysById = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select id, sku_key, created_at from products
    where ${idIn(db, 'products.id', ids)} and deleted_at is null`,
  products.schemasOf(['id', 'sku_key', 'created_at']),
)

const skusById = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    select id, sku from products where ${idIn(db, 'products.id', ids)} and sku is not null`,
  products.schemasOf(['id', 'sku']),
)

/** Returns the SKUs of those of these products that have one, by ID. */
export async function findSkus(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const found = ids.length === 0 ? [] : await skusById.all(db, { ids })
  return new Map(found.map(({ id, sku }) => [id, sku ?? '']))
}

/** The bytes of a variant in memory, about, without its texts. */
const variantBytes = 1000

const longBytes = sql.join(
  Object.keys(longFields).map((name) => sql`octet_length(coalesce(products.${sql.id(name)}, ''))`),
  sql` + `,
)

const weightOf = prepareSql(
  (db: Db, { keys }: { keys: readonly string[] }) => sql`
    select cast(coalesce(sum(${longBytes} + octet_length(products.search_text)
      + ${sql.lit(variantBytes)} * (products.variant_count + coalesce(parents.variant_count, 0))), 0) as bigint) as weight
    from products left join products as parents on parents.id = products.variant_of
    where ${textIn(db, 'products.sku_key', keys)}`,
  { weight: integer },
)

/**
 * Returns the bytes of the products whose SKUs have these keys, about: of their texts, and of the variants that
 * are read when one of them changes.
 */
export const weighProducts = async (db: Db, keys: readonly string[]): Promise<number> =>
  (await weightOf.first(db, { keys }))?.weight ?? 0

type StateRow = ReturnType<typeof withDerivedColumns> & Pick<ProductRow, 'prior_price'>

const stateColumns: readonly (keyof StateRow)[] = [
  ...fieldNames,
  ...products.following,
  'search_text',
  'prior_price',
]
const stateFields = products.kindsOf(stateColumns)

/** What only a variant has, which stays as it is here. */
const variantColumns: readonly string[] = ['variant_of', 'options', 'options_key']
const changedColumns = stateColumns.filter((name) => !variantColumns.includes(name))

const stateNames = sql.join(stateColumns.map((name) => sql.ref(name)))

const insertAll = prepareSql(
  (db: Db, { rows, now }: { rows: readonly StateRow[]; now: Instant }) => sql`
    insert into products (${stateNames}, created_at, updated_at)
    select ${stateNames}, ${asBigint(now)}, ${asBigint(now)}
    from ${rowsFromJson(db, rows, stateFields)} as product
    returning id, sku`,
  { id: integer, sku: products.schemas.sku },
)

type StoredProduct = ProductInEvent & Pick<ProductRow, 'search_text'>

/** Inserts products, which must have SKUs and no parents. Throws 409/4092 when a SKU is taken. */
export async function insertProducts(
  db: Db,
  states: readonly ProductState[],
  now: Instant,
): Promise<readonly StoredProduct[]> {
  if (states.length === 0) return []
  invalidate(catalogueCacheTag)
  const rows = states.map((state) => ({ ...withDerivedColumns(state), prior_price: null }))
  const inserted = await rejectDuplicates(insertAll.all(db, { rows, now }))
  const idBySku = new Map(inserted.map(({ id, sku }) => [sku, id]))
  return rows.map((row) => ({
    ...newProduct,
    ...row,
    ...times(now),
    id: idBySku.get(row.sku) ?? 0,
  }))
}

const times = (now: Instant) => ({ created_at: now, updated_at: now })

/** The columns of a new product that do not follow from its state. */
const newProduct = {
  rating_sum: 0,
  rating_count: 0,
  parent_status: null,
  option_list: null,
  variant_count: 0,
  price_from: null,
  images: null,
  revision: 1,
  deleted_at: null,
} as const

type ChangedRow = StateRow & { readonly id: number; readonly revision: number }

const changedFields = products.kindsOf([...stateColumns, 'id', 'revision'])

const changes = sql.join(
  changedColumns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`changed.${name}`)}`),
)

const updateAll = prepareSql(
  (db: Db, { rows, now }: { rows: readonly ChangedRow[]; now: Instant }) => sql`
    update products set ${changes}, revision = products.revision + 1, updated_at = ${now}
    from ${rowsFromJson(db, rows, changedFields)} as changed
    where products.id = changed.id and products.revision = changed.revision`,
)

/** A product before and after a change. */
interface StoredChange {
  readonly before: ProductRow
  readonly after: StoredProduct
}

/**
 * Updates products that are neither variants nor parents, each to its next revision. Throws
 * StaleWriteError when one has changed since it was read.
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
  const updated = await updateAll.run(db, { rows, now })
  if (updated !== rows.length) throw new StaleWriteError('A product has changed since it was read')
  return updates.map(({ before }, at) => ({
    before,
    after: {
      ...before,
      ...(rows[at] as StateRow),
      revision: before.revision + 1,
      updated_at: now,
    },
  }))
}
