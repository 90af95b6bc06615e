import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#store/database.ts'
import { dialectOf } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables.ts'

type Counts = ReadonlyMap<string, number>

/** A counter table, its key columns, and the keys that the counted rows should have. */
interface CounterTable {
  readonly counts: keyof Tables
  readonly columns: readonly string[]
  readonly expect: (db: Db) => Promise<readonly (readonly unknown[])[]>
}

const counterTables: readonly CounterTable[] = [
  {
    counts: 'product_counts',
    columns: ['section', 'category', 'availability'],
    expect: async (db) => {
      const rows = await db
        .selectFrom('products')
        .where('deleted_at', 'is', null)
        .select(['section', 'category', 'availability'])
        .execute()
      return rows.flatMap(({ section, category, availability }) => [
        [section, '', availability],
        ...(category === null ? [] : [[section, category, availability]]),
      ])
    },
  },
  {
    counts: 'product_facet_counts',
    columns: ['section', 'category', 'availability', 'price_step', 'stars'],
    expect: async (db) => {
      const rows = await db
        .selectFrom('products')
        .where('deleted_at', 'is', null)
        .selectAll()
        .execute()
      return rows.flatMap(({ section, category, availability, ...product }) => {
        const price = String(product.list_price)
        const step = Number(price.slice(0, 1)) * 10 ** (price.length - 1)
        const steps = [availability, step, Math.round(product.rating_average ?? 0)]
        const whole = [section, '', ...steps]
        return category === null ? [whole] : [whole, [section, category, ...steps]]
      })
    },
  },
  {
    counts: 'product_option_counts',
    columns: ['section', 'name_key', 'value'],
    expect: async (db) => {
      const rows = await db
        .selectFrom('product_options')
        .select(['section', 'name_key', 'value'])
        .execute()
      return rows.map(({ section, name_key, value }) => [section, name_key, value])
    },
  },
  {
    counts: 'product_attribute_counts',
    columns: ['section', 'name_key', 'value'],
    expect: async (db) => {
      const rows = await db
        .selectFrom('product_attributes')
        .where('section', 'in', [0, 2, 4])
        .select(['section', 'name_key', 'value'])
        .execute()
      return rows.map(({ section, name_key, value }) => [section, name_key, value])
    },
  },
  {
    counts: 'order_counts',
    columns: ['user_id', 'status'],
    expect: async (db) => {
      const rows = await db
        .selectFrom('orders')
        .where('deleted_at', 'is', null)
        .select(['user_id', 'status'])
        .execute()
      return rows.flatMap(({ user_id, status }) => [
        [0, status],
        ...(user_id === null ? [] : [[user_id, status]]),
      ])
    },
  },
  {
    counts: 'user_counts',
    columns: ['role', 'status', 'age'],
    expect: async (db) => {
      const rows = await db
        .selectFrom('users')
        .where('deleted_at', 'is', null)
        .select(['role', 'status', 'age'])
        .execute()
      return rows.flatMap(({ role, status, age }) => [
        [role, status, -1],
        ...(age === null ? [] : [[role, status, age]]),
      ])
    },
  },
  {
    counts: 'review_counts',
    columns: ['product_id', 'rating'],
    expect: async (db) => {
      const rows = await db
        .selectFrom('reviews')
        .select(['product_id', 'rating'])
        .where('status', '=', 'published')
        .where('deleted_at', 'is', null)
        .execute()
      return rows.map(({ product_id, rating }) => [product_id, rating])
    },
  },
  {
    counts: 'list_counts',
    columns: ['list'],
    expect: async (db) => {
      const rows = await db.selectFrom('purchases').select('id').execute()
      return rows.map(() => ['purchases'])
    },
  },
]

/** Compares the times of last changes that PostgreSQL has apart with those of the products. */
async function findWrongChanges(db: Db): Promise<readonly string[]> {
  if (dialectOf(db) === 'sqlite') return []
  const columns = ['id', 'section', 'updated_at'] as const
  const products = db.selectFrom('products').where('deleted_at', 'is', null).select(columns)
  const changes = db.selectFrom('product_changes').select(columns)
  const expected = await products.orderBy('id').execute()
  const stored = await changes.orderBy('id').execute()
  return isDeepStrictEqual(stored, expected) ? [] : ['product_changes differs from the products']
}

/** Compares all that triggers keep with the rows it follows from; returns a sentence for each difference. */
export async function findWrongCounts(db: Db): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const { counts, columns, expect } of counterTables) {
    const actual = countKeys(await expect(db))
    const stored = await readCounts(db, counts, columns)
    for (const key of new Set([...actual.keys(), ...stored.keys()])) {
      const [rowCount, counter] = [actual.get(key) ?? 0, stored.get(key) ?? 0]
      if (rowCount !== counter) wrong.push(`${counts} has ${counter} for ${key}, not ${rowCount}`)
    }
  }
  return [...wrong, ...(await findWrongChanges(db))]
}

function countKeys(keys: readonly (readonly unknown[])[]): Counts {
  const found = new Map<string, number>()
  for (const key of keys) found.set(key.join(), (found.get(key.join()) ?? 0) + 1)
  return found
}

async function readCounts(db: Db, table: string, columns: readonly string[]): Promise<Counts> {
  const key = sql.join(columns.map((column) => sql.id(column)))
  const { rows } = await sql<Record<string, unknown> & { number: number }>`
    select ${key}, cast(sum(number) as bigint) as number from ${sql.id(table)}
    group by ${key}`.execute(db)
  return new Map(rows.map((row) => [columns.map((column) => row[column]).join(), row.number]))
}
