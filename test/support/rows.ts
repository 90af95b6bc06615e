import type { Insertable, Selectable } from 'kysely'
import { recordPurchasesStatement } from '#shop/orders/purchases/store.ts'
import type { Db, Store } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Tables } from '#store/tables.ts'
import { sortKey } from '#values/sort-key.ts'
import { textKey } from '#values/text-key.ts'

/** The timestamp of rows that tests insert directly. */
export const rowTimestamp = Date.UTC(2026, 0, 1)

type UserRow = Selectable<Tables['users']>
type ProductRow = Selectable<Tables['products']>

/** Inserts a user without credentials. */
export const insertUser = (db: Db, name: string): Promise<UserRow> =>
  db
    .insertInto('users')
    .values({ name, created_at: rowTimestamp, updated_at: rowTimestamp })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Inserts a product in stock, with `changes` over the defaults. */
export const insertProduct = (
  db: Db,
  changes: Partial<Insertable<Tables['products']>> = {},
): Promise<ProductRow> => {
  const name = changes.name ?? 'Kettle'
  return db
    .insertInto('products')
    .values({
      name,
      price: 1999,
      category: null,
      availability: 'in_stock',
      name_sort: sortKey(name),
      sku_key: changes.sku == null ? null : textKey(String(changes.sku)),
      search_text: name.toLowerCase(),
      created_at: rowTimestamp,
      updated_at: rowTimestamp,
      ...changes,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

let numbered = 0

/** Returns the columns of a number that no other order of this process has. */
export const uniqueNumber = () => {
  numbered += 1
  return { number: `R${numbered}`, number_key: `r${numbered}` }
}

/** Inserts a paid order of one unit of each product, without payments or purchases; returns its ID. */
export async function insertOrder(
  db: Db,
  userId: number,
  products: readonly Pick<ProductRow, 'id' | 'name' | 'price'>[],
): Promise<number> {
  const total = products.reduce((sum, { price }) => sum + price, 0)
  const order = await db
    .insertInto('orders')
    .values({
      ...uniqueNumber(),
      user_id: userId,
      status: 'paid',
      currency: 'USD',
      item_count: products.length,
      subtotal: total,
      shipping_cost: 0,
      tax: 0,
      total: total,
      shipping_method: 'pickup',
      created_at: rowTimestamp,
      updated_at: rowTimestamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lines = products.map(({ id, name, price }) => ({
    order_id: order.id,
    product_id: id,
    name,
    unit_price: price,
    quantity: 1,
    line_total: price,
    created_at: rowTimestamp,
  }))
  await db.insertInto('order_items').values(lines).execute()
  return order.id
}

/** Inserts the purchases of a paid order as the server does. */
export const recordPurchases = (
  { transaction }: Store,
  order: { readonly id: number; readonly user_id: number },
): Promise<void> =>
  transaction((db) => writeBatch(db, [recordPurchasesStatement(order, rowTimestamp)]))
