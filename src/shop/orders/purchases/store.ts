import { sql } from 'kysely'
import { purchasesCacheTag } from '#shop/catalogue/products/rules.ts'
import type { ProductRow } from '#shop/catalogue/products/table.ts'
import type { ProductVisibility } from '#shop/catalogue/products/visibility.ts'
import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { asBigint, rowsFromJson } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery, prepareSql } from '#store/query/prepared.ts'
import { sumCounts } from '#store/query/total.ts'
import { type Instant, startOfDay } from '#values/instant.ts'
import type { PurchaseFilters } from './schema.ts'
import { type PurchaseRow, purchases } from './table.ts'

/** A purchase with the times when its product was removed and its buyer erased. */
export type PurchaseWithDeletions = PurchaseRow &
  ProductVisibility & {
    readonly product_deleted_at: Instant | null
    readonly product_updated_at: Instant
    readonly buyer_erased_at: Instant | null
  }

const ofProduct = <T>(column: keyof ProductRow) =>
  sql<T>`(select ${sql.ref(`products.${column}`)} from products
    where products.id = purchases.product_id)`

/** An erasure changes the order together with the purchase; a later change only delays the time. */
const deletions = [
  ofProduct<Instant | null>('deleted_at').as('product_deleted_at'),
  ofProduct<Instant>('updated_at').as('product_updated_at'),
  ofProduct<ProductRow['status']>('status').as('status'),
  ofProduct<ProductRow['parent_status']>('parent_status').as('parent_status'),
  sql<Instant | null>`(select orders.updated_at from orders
    where orders.id = purchases.order_id and purchases.user_id is null)`.as('buyer_erased_at'),
] as const

const byId = prepareQuery((db: Db, param: { id: number }) =>
  db.selectFrom('purchases').selectAll().select(deletions).where('id', '=', param.id),
)

/** Returns the purchase with this ID. */
export const findPurchase = (db: Db, id: number): Promise<PurchaseWithDeletions | undefined> =>
  byId.first(db, { id })

/** Returns one page of the purchases that match every filter. */
export function listPurchases(
  db: Db,
  filters: PurchaseFilters,
  page: PageRequest,
): Promise<PageResult<PurchaseWithDeletions>> {
  const { user_id, product_id, order_id } = filters
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  let query = db.selectFrom('purchases')
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  if (product_id !== undefined) query = query.where('product_id', '=', product_id)
  if (order_id !== undefined) query = query.where('order_id', '=', order_id)
  const columns = {
    id: 'id',
    purchased_at: 'purchased_at',
    created_at: 'purchased_at',
    updated_at: 'purchased_at',
  } as const
  return paginate(
    db,
    query,
    columns,
    page,
    (rows) => rows.selectAll('purchases').select(deletions),
    isFiltered
      ? { isFew: true }
      : { length: sumCounts(db.selectFrom('list_counts').where('list', '=', 'purchases')) },
  )
}

interface PaidOrder {
  readonly id: number
  readonly user_id: number | null
}

const recordLines = prepareSql(
  (_: Db, { id, user_id, now }: PaidOrder & { now: Instant }) => sql`
    insert into purchases (user_id, product_id, order_id, order_item_id, quantity, unit_price,
      purchased_at)
    select ${asBigint(user_id)}, product_id, order_id, id, quantity, unit_price, ${asBigint(now)}
    from order_items where order_id = ${id}
    on conflict (order_id, order_item_id) do nothing`,
)

/** Returns the idempotent statement that inserts the purchases of a paid order. */
export function recordPurchasesStatement({ id, user_id }: PaidOrder, now: Instant): PreparedWrite {
  invalidate(purchasesCacheTag)
  return recordLines.write({ id, user_id, now: user_id === null ? startOfDay(now) : now })
}

/** Deletes the purchases of a refunded order and returns their number. */
export function deletePurchases(db: Db, orderId: number): Promise<number> {
  invalidate(purchasesCacheTag)
  return purchases.delete(db, { order_id: orderId })
}

/** Pieces of an item of an order. */
type ReturnedItem = Pick<PurchaseRow, 'order_item_id' | 'quantity'>

interface Returning {
  readonly orderId: number
  readonly items: readonly ReturnedItem[]
}

const returnedIn = (db: Db, items: readonly ReturnedItem[]) =>
  sql`${rowsFromJson(db, items, purchases.kindsOf(['order_item_id', 'quantity']))} as returned`

const deleteReturned = prepareSql(
  (db: Db, { orderId, items }: Returning) => sql`
    delete from purchases where order_id = ${orderId} and quantity <= (
      select returned.quantity from ${returnedIn(db, items)}
      where returned.order_item_id = purchases.order_item_id)`,
)

const reduceReturned = prepareSql(
  (db: Db, { orderId, items, now }: Returning & { now: Instant }) => sql`
    update purchases set quantity = purchases.quantity - returned.quantity,
      returned_at = ${asBigint(now)}
    from ${returnedIn(db, items)}
    where purchases.order_id = ${orderId} and purchases.order_item_id = returned.order_item_id`,
)

/** Subtracts returned items from the purchases of an order; those with a quantity of 0 left are deleted. */
export async function reducePurchases(
  db: Db,
  { id, user_id }: PaidOrder,
  items: readonly ReturnedItem[],
  now: Instant,
): Promise<void> {
  if (items.length === 0) return
  invalidate(purchasesCacheTag)
  await deleteReturned.run(db, { orderId: id, items })
  const changedAt = user_id === null ? startOfDay(now) : now
  await reduceReturned.run(db, { orderId: id, items, now: changedAt })
}

const anonymizeAll = prepareSql(
  (_: Db, { userId }: { userId: number }) => sql`
    update purchases set user_id = null, purchased_at = ${dayOf('purchased_at')},
      returned_at = ${dayOf('returned_at')}, merged_at = null
    where user_id = ${userId}`,
)

/** Removes the user from their purchases and rounds the times to days. */
export const anonymizePurchases = (db: Db, userId: number): Promise<number> =>
  anonymizeAll.run(db, { userId })

/** Gives the purchases of a guest, or of orders, to an account. */
export function movePurchases(
  db: Db,
  of: { readonly user_id: number } | { readonly order_id: readonly number[] },
  to: number,
  now: Instant,
): Promise<number> {
  invalidate(purchasesCacheTag)
  return purchases.update(db, of, { user_id: to, merged_at: now })
}
