import type { ExpressionBuilder } from 'kysely'
import { purchasesCacheTag } from '#shop/catalogue/products/rules.ts'
import { invalidate } from '#store/changes.ts'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { asBigint, rowsFromJson, withoutIndex } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate, sumCounts } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import { type Instant, startOfDay } from '#values/instant.ts'
import type { PurchaseFilters } from './schema.ts'
import type { PurchaseRow } from './table.ts'

/** A purchase with the times when its product was removed and its buyer erased. */
export type PurchaseWithDeletions = PurchaseRow & {
  readonly product_deleted_at: Instant | null
  readonly buyer_erased_at: Instant | null
}

const productDeletedAt = (eb: ExpressionBuilder<Tables, 'purchases'>) =>
  eb
    .selectFrom('products')
    .select('products.deleted_at')
    .whereRef('products.id', '=', 'purchases.product_id')
    .as('product_deleted_at')

/** An erasure changes the order together with the purchase; a later change only delays the time. */
const buyerErasedAt = (eb: ExpressionBuilder<Tables, 'purchases'>) =>
  eb
    .selectFrom('orders')
    .select('orders.updated_at')
    .whereRef('orders.id', '=', 'purchases.order_id')
    .where('purchases.user_id', 'is', null)
    .as('buyer_erased_at')

const byId = prepareQuery((db: Db, param: { id: number }) =>
  db
    .selectFrom('purchases')
    .selectAll()
    .select([productDeletedAt, buyerErasedAt])
    .where('id', '=', param.id),
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
    query,
    columns,
    page,
    (rows) => rows.selectAll('purchases').select([productDeletedAt, buyerErasedAt]),
    isFiltered
      ? { isFew: true }
      : { length: sumCounts(db.selectFrom('list_counts').where('list', '=', 'purchases')) },
  )
}

interface PaidOrder {
  readonly id: number
  readonly user_id: number | null
}

const recordLines = prepareQuery((db: Db, { id, user_id, now }: PaidOrder & { now: Instant }) =>
  db
    .insertInto('purchases')
    .columns([
      'user_id',
      'product_id',
      'order_id',
      'order_item_id',
      'quantity',
      'unit_price',
      'purchased_at',
    ])
    .expression((eb) =>
      eb
        .selectFrom('order_items')
        .select((line) => [
          line.cast<number | null>(line.val(user_id), 'bigint').as('user_id'),
          'product_id',
          'order_id',
          'id',
          'quantity',
          'unit_price',
          line.cast<number>(line.val(now), 'bigint').as('purchased_at'),
        ])
        .where('order_id', '=', id),
    )
    .onConflict((conflict) => conflict.columns(['order_id', 'order_item_id']).doNothing()),
)

/** Returns the idempotent statement that inserts the purchases of a paid order. */
export function recordPurchasesStatement({ id, user_id }: PaidOrder, now: Instant): PreparedWrite {
  invalidate(purchasesCacheTag)
  return recordLines.write({ id, user_id, now: user_id === null ? startOfDay(now) : now })
}

const deletePurchaseLines = prepareQuery((db: Db, param: { orderId: number }) =>
  db.deleteFrom('purchases').where('order_id', '=', param.orderId),
)

/** Deletes the purchases of a refunded order and returns their number. */
export function deletePurchases(db: Db, orderId: number): Promise<number> {
  invalidate(purchasesCacheTag)
  return deletePurchaseLines.run(db, { orderId })
}

/** Pieces of an item of an order. */
interface ReturnedItem {
  readonly order_item_id: number
  readonly quantity: number
}

interface Returning {
  readonly orderId: number
  readonly items: readonly ReturnedItem[]
}

const returnedFields = { order_item_id: 'integer', quantity: 'integer' } as const

const deleteReturned = prepareQuery((db: Db, param: Returning) =>
  db
    .deleteFrom('purchases')
    .where('order_id', '=', param.orderId)
    .where('quantity', '<=', (eb) =>
      eb
        .selectFrom(rowsFromJson(db, param.items, returnedFields).as('returned'))
        .select('returned.quantity')
        .whereRef('returned.order_item_id', '=', 'purchases.order_item_id'),
    ),
)

const reduceReturned = prepareQuery((db: Db, param: Returning & { now: Instant }) =>
  db
    .updateTable('purchases')
    .from(rowsFromJson(db, param.items, returnedFields).as('returned'))
    .set((eb) => ({
      quantity: eb('purchases.quantity', '-', eb.ref('returned.quantity')),
      returned_at: asBigint(param.now),
    }))
    .where('purchases.order_id', '=', param.orderId)
    .whereRef('purchases.order_item_id', '=', 'returned.order_item_id'),
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

const anonymizeAll = prepareQuery((db: Db, param: { userId: number }) =>
  db
    .updateTable('purchases')
    .set({
      user_id: null,
      purchased_at: dayOf('purchased_at'),
      returned_at: dayOf<number | null>('returned_at'),
      merged_at: null,
    })
    .where('user_id', '=', param.userId),
)

/** Removes the user from their purchases and rounds the times to days. */
export const anonymizePurchases = (db: Db, userId: number): Promise<number> =>
  anonymizeAll.run(db, { userId })

const newestByUser = prepareQuery((db: Db, param: { userId: number; maxRows: number }) =>
  db
    .selectFrom('purchases')
    .selectAll()
    .where('user_id', '=', param.userId)
    .orderBy(withoutIndex('id'), 'desc')
    .limit(param.maxRows),
)

/** Returns the newest purchases of a user, up to a limit. */
export const purchasesForExport = (
  db: Db,
  userId: number,
  maxRows: number,
): Promise<PurchaseRow[]> => newestByUser.all(db, { userId, maxRows })

const reassign = prepareQuery((db: Db, param: { from: number; to: number; now: Instant }) =>
  db
    .updateTable('purchases')
    .set({ user_id: param.to, merged_at: param.now })
    .where('user_id', '=', param.from),
)

/** Gives the purchases of a user to another one. */
export function mergePurchases(
  db: Db,
  users: { readonly from: number; readonly to: number },
  now: Instant,
): Promise<number> {
  invalidate(purchasesCacheTag)
  return reassign.run(db, { ...users, now })
}
