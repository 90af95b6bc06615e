import { type Insertable, sql } from 'kysely'
import { usersByWords } from '#shop/accounts/users/words-store.ts'
import { addNames } from '#shop/catalogue/categories/names-store.ts'
import { fields } from '#shop/catalogue/products/fields.ts'
import type { ProductSnapshot } from '#shop/orders/orders/rules.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, rowsFromJson } from '#store/query/dialect.ts'
import { reserveIds } from '#store/query/reserve-ids.ts'
import { updateWordIndex } from '#store/search/word-index.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'

/** A row as it is inserted. */
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>

/** Inserts rows in one statement; all must have the columns of the first. */
export async function insertRows<Table extends keyof Tables>(
  db: Db,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> {
  if (rows[0] === undefined) return
  const names = Object.keys(rows[0])
  const columns = sql.join(names.map((name) => sql.id(name)))
  const source =
    dialectOf(db) === 'sqlite'
      ? sql`select ${sql.join(names.map((name) => sql`value ->> ${sql.lit(name)}`))}
          from json_each(${rows})`
      : sql`select ${columns}
          from json_populate_recordset(null::${sql.table(table)}, ${rows}::text::json)`
  await sql`insert into ${sql.table(table)} (${columns}) ${source}`.execute(db)
}

/** Inserts users, and the words by which they are found. */
export async function insertUsers(db: Db, rows: readonly NewRow<'users'>[]): Promise<void> {
  const ids = await reserveIds(db, 'users', rows.length)
  const people = rows.map((row, at) => ({ username: null, email: null, ...row, id: ids[at] ?? 0 }))
  await insertRows(db, 'users', people)
  const words = people.flatMap((person) => usersByWords.rowsOf(person))
  await insertRows(db, 'user_words', words as NewRow<'user_words'>[])
}

/** Inserts products with their categories and prices, and adds them to the search index. */
export async function insertProducts(
  db: Db,
  products: readonly NewRow<'products'>[],
  now: Instant,
): Promise<void> {
  await addNames(
    db,
    products.map(({ category = null }) => ({ category })),
    now,
  )
  await insertRows(db, 'products', products)
  const prices = products.map(({ id = 0, price, created_at: at }) => ({
    product_id: id,
    price,
    at,
  }))
  await insertRows(db, 'product_prices', prices)
  const indexed = products.map(({ id = 0, search_text, category = null, variant_of = null }) => ({
    id,
    before: null,
    after: { search_text, category, variant_of },
  }))
  await updateWordIndex(db, indexed)
}

/** The kinds of generated rows. */
export type BulkKind = 'products' | 'users' | 'orders'

/**
 * Reserves the next `count` numbers of generated rows and returns the first. The caller's
 * transaction must also insert the rows, so that no number is reused or skipped.
 */
export async function reserveNumbers(db: Db, kind: BulkKind, count: number): Promise<number> {
  const { value } = await db
    .insertInto('settings')
    .values({ name: `seeded_${kind}`, value: String(count) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        value: sql<string>`cast(cast(settings.value as bigint) + ${count} as text)`,
      }),
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return Number(value) - count
}

/** Returns how many rows were generated, removed ones included. */
export async function countGenerated(db: Db, kind: BulkKind): Promise<number> {
  return Number((await findSetting(db, `seeded_${kind}`)) ?? 0)
}

/** Returns the currency that the database was created with, if any. */
export const findCurrency = (db: Db): Promise<string | undefined> => findSetting(db, 'currency')

async function findSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}

const listed = (db: Db, keys: Iterable<string>) =>
  rowsFromJson(
    db,
    Array.from(keys, (key) => ({ key })),
    { key: 'text' },
  ).as('listed')

/** Returns the products with these SKUs, by SKU. */
export async function findBySku(
  db: Db,
  skus: Iterable<string>,
): Promise<ReadonlyMap<string, ProductSnapshot>> {
  const rows = await db
    .selectFrom(listed(db, new Set(Array.from(skus, (sku) => fields.sku.keyOf(sku) ?? ''))))
    .innerJoin('products', 'products.sku_key', 'listed.key')
    .select(['id', 'name', 'name_sort', 'sku', 'variant_of', 'options', 'price'])
    .select([
      'category as effective_category',
      'tax_class as effective_tax_class',
      'availability',
      'stock',
      'backorder',
      'variant_count',
      'deleted_at',
      'status',
      'parent_status',
      'requires_shipping',
    ])
    .execute()
  return new Map(rows.map((productSnapshot) => [productSnapshot.sku ?? '', productSnapshot]))
}

/** Returns the IDs of the users with these email keys, by key. */
export async function findByEmailKey(
  db: Db,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom(listed(db, new Set(keys)))
    .innerJoin('users', 'users.email_key', 'listed.key')
    .select(['key', 'id'])
    .execute()
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** Enlarges the SQLite page cache, because bulk inserts touch all parts of the indexes. */
export async function enlargePageCache(db: Db): Promise<void> {
  if (dialectOf(db) !== 'sqlite') return
  await sql`pragma cache_size = -500000`.execute(db)
  // Original pages are kept until the transaction ends; a file saves memory.
  await sql`pragma temp_store = file`.execute(db)
}

/** Updates the statistics of PostgreSQL after bulk inserts; SQLite has none. */
export async function updateStatistics(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres') await sql`vacuum (analyze)`.execute(db)
}
