import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '#store/database.ts'
import type { Tables } from '#store/tables.ts'
import { uniqueNumber } from '../rows.ts'

/** Returns numbers from 0 to below 1, as `Math.random` does. */
type Random = () => number

/** Creates a generator whose numbers depend only on the seed. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const timestamps = { created_at: 1, updated_at: 1 }
const availabilities = ['in_stock', 'out_of_stock', 'preorder', 'discontinued'] as const
const statuses = ['pending', 'paid', 'shipped', 'cancelled'] as const

const pick = <T>(list: readonly T[], random: Random): T =>
  list[Math.floor(random() * list.length)] as T

/** A condition that matches one in 35 rows, so that concurrent changes rarely collide. */
const isChosen = (random: Random): Expression<SqlBool> =>
  sql<SqlBool>`id % 7 = ${Math.floor(random() * 7)} and id % 5 = ${Math.floor(random() * 5)}`

const order = (user_id: number | null, random: Random) => ({
  ...uniqueNumber(),
  user_id,
  status: pick(statuses, random),
  currency: 'USD',
  item_count: 1,
  subtotal: 1,
  shipping_cost: 0,
  tax: 0,
  total: 1,
  shipping_method: 'pickup' as const,
  ...timestamps,
})

const changes: readonly ((db: Db, random: Random) => Promise<unknown>)[] = [
  (db, random) => {
    const products = Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
      name: 'Kettle',
      price: 1,
      category: pick(['kitchen', 'garden', null], random),
      availability: pick(availabilities, random),
      status: pick(['active', 'active', 'draft', 'archived'] as const, random),
      search_text: 'kettle',
      ...timestamps,
    }))
    return db.insertInto('products').values(products).execute()
  },
  (db, random) => {
    const orders = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      order(pick([1, 2, 3, null], random), random),
    )
    return db.insertInto('orders').values(orders).execute()
  },
  (db, random) => {
    const { role, status } = pick(
      [
        { role: 'admin', status: 'active' },
        { role: 'customer', status: 'suspended' },
      ] as const,
      random,
    )
    const age = pick([null, 20, 30], random)
    return db
      .insertInto('users')
      .values({ name: 'Ada', role, status, age, ...timestamps })
      .execute()
  },
  async (db, random) => {
    const review = { product_id: pick([1, 2], random), rating: pick([1, 5], random), ...timestamps }
    await db.insertInto('reviews').values(review).execute()
  },
  async (db, random) => {
    const order_item_id = Math.floor(random() * Number.MAX_SAFE_INTEGER)
    const purchase = { product_id: 1, order_id: 1, quantity: 1, unit_price: 1 }
    await db
      .insertInto('purchases')
      .values({ ...purchase, order_item_id, purchased_at: 1 })
      .execute()
  },
  ...['reviews', 'purchases', 'orders', 'products', 'users'].map(
    (table) => (db: Db, random: Random) =>
      db
        .deleteFrom(table as keyof Tables)
        .where(isChosen(random))
        .execute(),
  ),
  ...['orders', 'products', 'users'].map(
    (table) => (db: Db, random: Random) =>
      sql`update ${sql.id(table)} set deleted_at = ${pick([1, null], random)}
        where ${isChosen(random)}`.execute(db),
  ),
  (db, random) =>
    db
      .updateTable('products')
      .set({
        category: pick(['kitchen', null], random),
        availability: pick(availabilities, random),
        status: pick(['active', 'active', 'draft', 'archived'] as const, random),
        stock: 3,
      })
      .where(isChosen(random))
      .execute(),
  (db, random) =>
    db
      .updateTable('orders')
      .set({ user_id: pick([1, null], random), status: pick(statuses, random), note: 'x' })
      .where(isChosen(random))
      .execute(),
  (db, random) =>
    db
      .updateTable('users')
      .set({ age: pick([null, 40], random), role: pick(['admin', 'customer'], random) })
      .where(isChosen(random))
      .execute(),
]

/** Inserts, updates or deletes random rows of the tables that have counters. */
export async function applyRandomChange(db: Db, random: Random): Promise<void> {
  await pick(changes, random)(db, random)
}
