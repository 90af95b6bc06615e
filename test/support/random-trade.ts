import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '#db/database.ts'
import type { Tables } from '#db/tables/tables.ts'

/** Numbers from 0 to below 1. */
type Chance = () => number

/** Chance that comes out the same every time. */
export function chanceFrom(seed: number): Chance {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const moment = { created_at: 1, updated_at: 1 }
const availabilities = ['in_stock', 'out_of_stock', 'preorder', 'discontinued'] as const
const statuses = ['pending', 'paid', 'shipped', 'cancelled'] as const

/** One of the list. */
const one = <T>(list: readonly T[], chance: Chance): T =>
  list[Math.floor(chance() * list.length)] as T

/** Some rows of a table, so that two at once seldom choose the same. */
const some = (chance: Chance): Expression<SqlBool> =>
  sql<SqlBool>`id % 7 = ${Math.floor(chance() * 7)} and id % 5 = ${Math.floor(chance() * 5)}`

const order = (user_id: number | null, chance: Chance) => ({
  user_id,
  status: one(statuses, chance),
  currency: 'USD',
  item_count: 1,
  subtotal_minor: 1,
  shipping_cost_minor: 0,
  tax_minor: 0,
  total_minor: 1,
  shipping_method: 'pickup' as const,
  ...moment,
})

const acts: readonly ((db: Db, chance: Chance) => Promise<unknown>)[] = [
  (db, chance) => {
    const products = Array.from({ length: 1 + Math.floor(chance() * 4) }, () => ({
      name: 'Kettle',
      price_minor: 1,
      category: one(['kitchen', 'garden', null], chance),
      availability: one(availabilities, chance),
      search_text: 'kettle',
      ...moment,
    }))
    return db.insertInto('products').values(products).execute()
  },
  (db, chance) => {
    const orders = Array.from({ length: 1 + Math.floor(chance() * 4) }, () =>
      order(one([1, 2, 3, null], chance), chance),
    )
    return db.insertInto('orders').values(orders).execute()
  },
  (db, chance) => {
    const { role, status } = one(
      [
        { role: 'admin', status: 'active' },
        { role: 'customer', status: 'suspended' },
      ] as const,
      chance,
    )
    const age = one([null, 20, 30], chance)
    return db
      .insertInto('users')
      .values({ name: 'Ada', role, status, age, ...moment })
      .execute()
  },
  async (db, chance) => {
    const review = { product_id: one([1, 2], chance), rating: one([1, 5], chance), ...moment }
    await db.insertInto('reviews').values(review).execute()
  },
  async (db, chance) => {
    const order_item_id = Math.floor(chance() * Number.MAX_SAFE_INTEGER)
    const bought = { product_id: 1, order_id: 1, quantity: 1, unit_price_minor: 1 }
    await db
      .insertInto('purchases')
      .values({ ...bought, order_item_id, purchased_at: 1 })
      .execute()
  },
  ...['reviews', 'purchases', 'orders', 'products', 'users'].map(
    (table) => (db: Db, chance: Chance) =>
      db
        .deleteFrom(table as keyof Tables)
        .where(some(chance))
        .execute(),
  ),
  ...['orders', 'products', 'users'].map(
    (table) => (db: Db, chance: Chance) =>
      sql`update ${sql.id(table)} set deleted_at = ${one([1, null], chance)}
        where ${some(chance)}`.execute(db),
  ),
  (db, chance) =>
    db
      .updateTable('products')
      .set({
        category: one(['kitchen', null], chance),
        availability: one(availabilities, chance),
        stock: 3,
      })
      .where(some(chance))
      .execute(),
  (db, chance) =>
    db
      .updateTable('orders')
      .set({ user_id: one([1, null], chance), status: one(statuses, chance), note: 'x' })
      .where(some(chance))
      .execute(),
  (db, chance) =>
    db
      .updateTable('users')
      .set({ age: one([null, 40], chance), role: one(['admin', 'customer'], chance) })
      .where(some(chance))
      .execute(),
]

/** Does something to the tables that are counted: inserts, changes or removes rows. */
export async function trade(db: Db, chance: Chance): Promise<void> {
  await one(acts, chance)(db, chance)
}
