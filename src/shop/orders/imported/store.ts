import { sql } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type UserRow, users } from '#shop/accounts/users/table.ts'
import { purchasesCacheTag } from '#shop/catalogue/products/rules.ts'
import { effectiveCategory } from '#shop/catalogue/products/stock/stock-store.ts'
import { orders } from '#shop/orders/orders/table.ts'
import { invalidate } from '#store/changes.ts'
import { integer, text } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { isUniqueViolation } from '#store/errors.ts'
import { idIn, textIn } from '#store/query/dialect.ts'
import { prepareSql } from '#store/query/prepared.ts'
import { StaleWriteError } from '#store/stale-write.ts'

const known = prepareSql(
  (db: Db, { keys, ids }: { keys: readonly string[]; ids: readonly string[] }) => sql`
    select number_key, external_id, source from orders where ${textIn(db, 'orders.number_key', keys)}
    union all
    select number_key, external_id, source from orders where ${textIn(db, 'orders.external_id', ids)}
      and external_id is not null`,
  orders.schemasOf(['number_key', 'external_id', 'source']),
)

/** Returns the orders that have one of these numbers, by their keys, or of these IDs of other systems. */
export const findKnownOrders = (db: Db, keys: readonly string[], externalIds: readonly string[]) =>
  known.all(db, { keys, ids: externalIds })

const soldProducts = prepareSql(
  (db: Db, { keys }: { keys: readonly string[] }) => sql`
    select id, sku_key, name, options, tax_class, requires_shipping, ${effectiveCategory} as category
    from products where ${textIn(db, 'products.sku_key', keys)} and deleted_at is null`,
  {
    ...{ id: integer, sku_key: text, name: text, options: nullable(text) },
    ...{ tax_class: nullable(text), requires_shipping: integer, category: nullable(text) },
  },
)

/** Returns what items take over of the products with these SKUs, by the keys of these. */
export async function findSoldProducts(db: Db, keys: readonly string[]) {
  const found = await soldProducts.all(db, { keys })
  return new Map(found.map((product) => [product.sku_key, product]))
}

/** True for an account that is of the person who has its address: nobody else may have given it. */
const isAddressOwn = ({ email_verified, email_network }: UserRow): boolean =>
  email_verified === 1 || email_network === null

/** Locks the accounts with these addresses, by their keys, and returns their IDs, but of those that a stranger may have made. */
export async function lockAccounts(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const where = { email_key: keys, deleted_at: null }
  const found = await users.findAll(db, where, { order: 'id', locks: true })
  return new Map(found.filter(isAddressOwn).map(({ email_key, id }) => [email_key ?? '', id]))
}

const guestsOfOrders = prepareSql(
  (db: Db, { keys }: { keys: readonly string[] }) => sql`
    select contact_key, max(user_id) as user_id from orders
    where ${textIn(db, 'orders.contact_key', keys)} and contact_key is not null and source = 'import'
    group by contact_key`,
  { contact_key: text, user_id: nullable(integer) },
)

/** Locks the guests of imported orders with these addresses, by their keys, and returns their IDs. */
export async function lockGuests(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await guestsOfOrders.all(db, { keys })
  const ids = found.flatMap(({ user_id }) => user_id ?? [])
  const where = { id: ids, role: 'guest', deleted_at: null } as const
  const guests = new Set(
    (await users.findAll(db, where, { order: 'id', locks: true })).map(({ id }) => id),
  )
  return new Map(
    found.flatMap(({ contact_key, user_id }) =>
      user_id !== null && guests.has(user_id) ? [[contact_key, user_id] as const] : [],
    ),
  )
}

/** Runs the insertion of orders. Throws a StaleWriteError where another transaction has taken a number or ID meanwhile. */
export async function insertingOrders(insertion: Promise<void>): Promise<void> {
  try {
    await insertion
  } catch (error) {
    const isTaken = ['number_key', 'external_id'].some((column) =>
      isUniqueViolation(error, `orders.${column}`),
    )
    throw isTaken ? new StaleWriteError('The number or ID of an order is taken') : error
  }
}

const recordAll = prepareSql(
  (db: Db, { ids }: { ids: readonly number[] }) => sql`
    insert into purchases (user_id, product_id, order_id, order_item_id, quantity, unit_price,
      purchased_at)
    select orders.user_id, order_items.product_id, orders.id, order_items.id, order_items.quantity,
      order_items.unit_price, orders.created_at
    from orders join order_items on order_items.order_id = orders.id
    where ${idIn(db, 'orders.id', ids)} and orders.status in ('paid', 'shipped', 'delivered')
      and order_items.product_id is not null
    order by order_items.id`,
)

/** Inserts the purchases of imported orders that were paid and not refunded. */
export async function recordImportedPurchases(db: Db, ids: readonly number[]): Promise<void> {
  invalidate(purchasesCacheTag)
  await recordAll.run(db, { ids })
}

const copied = prepareSql(
  (db: Db, { keys, ids }: { keys: readonly string[]; ids: readonly string[] }) => sql`
    select * from orders where ${textIn(db, 'orders.number_key', keys)}
      or ${textIn(db, 'orders.external_id', ids)}`,
  orders.schemas,
)

/** Copies the orders with these numbers, or IDs of other systems, to a scratch database, but for those that are there. */
export const copyOrders = async (
  from: Db,
  to: Db,
  keys: readonly string[],
  externalIds: readonly string[],
): Promise<void> => orders.insertMissing(to, await copied.all(from, { keys, ids: externalIds }))
