import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { eventStatements, recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import { isUniqueViolation } from '#store/errors.ts'
import { dialectOf, isUnset, nextId } from '#store/query/dialect.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import { StaleWriteError } from '#store/stale-write.ts'
import type { Tables } from '#store/tables.ts'
import { type Instant, storedChangeTime } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import { type OrderEventType, orderEvent } from './events.ts'
import type { OrderPaymentState } from './rules.ts'
import { type OrderRow, orders } from './table.ts'

/** An order, which payment or refund is in progress, and whether money was taken. */
export type OrderState = OrderRow & OrderPaymentState

const paymentsOf = sql`from payments where payments.order_id = orders.id`

/** Payments in progress: some of the few that await settlement. */
const paymentsInProgress = sql`${paymentsOf} and payments.due_at is not null
  and payments.status in ('pending', 'action_required')`

/**
 * Whether such a payment exists. Not `exists`: expecting many orders, PostgreSQL would scan all
 * payments for it, although a page has few orders.
 */
const hasAny = (payments: RawBuilder<unknown>) =>
  sql<boolean>`((select payments.id ${payments} limit 1) is not null)`

/** Whether a payment of an order is in progress. */
export const hasPaymentInProgress = hasAny(paymentsInProgress)

/** Whether an order has a payment with this condition. */
export const hasPaymentWith = (condition: RawBuilder<unknown>) =>
  hasAny(sql`${paymentsOf} and ${condition}`)

/** Whether money was taken for an order, even if it was returned since. */
const isMoneyTaken = hasAny(sql`${paymentsOf} and (payments.status in ('succeeded', 'refunded')
    or payments.refunding > 0 or payments.refunded > 0)`)

/** Whether an order was paid, even if the money was returned since; a free one only until it is cancelled. */
export const wasPaid = sql<boolean>`(orders.status <> 'pending'
  and (orders.status <> 'cancelled' or ${isMoneyTaken}))`

const paymentClaims = [
  sql<OrderPaymentState['open_payment']>`(select payments.status ${paymentsInProgress} limit 1)`.as(
    'open_payment',
  ),
  hasAny(sql`${paymentsOf} and payments.status = 'succeeded' and payments.refunding > 0
    and payments.refunded + payments.refunding >= payments.amount`).as('refund_pending'),
  isMoneyTaken.as('money_taken'),
] as const

/** Selects all columns of orders, and what their payments mean for changes. */
export const selectWithPaymentClaims = <O>(query: SelectQueryBuilder<Tables, 'orders', O>) =>
  query.selectAll('orders').select(paymentClaims)

const byId = prepareQuery((db: Db, param: { id: number }) =>
  selectWithPaymentClaims(db.selectFrom('orders')).where('orders.id', '=', param.id),
)
const byUserAndId = prepareQuery((db: Db, param: { id: number; userId: number }) =>
  selectWithPaymentClaims(db.selectFrom('orders'))
    .where('orders.id', '=', param.id)
    .where('orders.user_id', '=', param.userId),
)

/** Finds an order by ID, removed ones included. */
export const findOrder = (db: Db, id: number): Promise<OrderState | undefined> =>
  byId.first(db, { id })

/** Finds an order of this user by ID, removed ones included. */
export const findUserOrder = (
  db: Db,
  userId: number,
  id: number,
): Promise<OrderState | undefined> => byUserAndId.first(db, { id, userId })

const byUserAndIdToPay = prepareQuery((db: Db, param: { id: number; userId: number }) =>
  selectWithPaymentClaims(db.selectFrom('orders'))
    .select(nextId(db, 'payments').as('next_payment_id'))
    .where('orders.id', '=', param.id)
    .where('orders.user_id', '=', param.userId),
)

/** As `findUserOrder`, with the next payment ID, in one query. */
export const findUserOrderToPay = (
  db: Db,
  userId: number,
  id: number,
): Promise<(OrderState & { readonly next_payment_id: number }) | undefined> =>
  byUserAndIdToPay.first(db, { id, userId })

/** Initial values of an order: the defaults of the table. */
const untouched = {
  revision: 1,
  refunded: 0,
  cancel_reason: null,
  source: 'api',
  shipping_status: 'pending',
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  parcel_count: 0,
  return_count: 0,
  shipped_at: null,
  delivered_at: null,
  deleted_at: null,
} as const

/** The payment claims of an order without payments. */
const unpaid = { open_payment: null, refund_pending: false, money_taken: false } as const

/** The columns of a new order that have no default and do not follow from its number. */
type NewOrderRow = Omit<OrderRow, keyof typeof untouched | 'number_key'>

/** Returns a new order and the statement that inserts it. */
export function insertOrderStatement(row: NewOrderRow): {
  readonly order: OrderState
  readonly write: PreparedWrite
} {
  const order = orders.withFollowing({ ...row, ...untouched, ...unpaid })
  return { order, write: orders.insertWrite(row) }
}

/**
 * Returns 409/4092 for an ID of another system that another order has, and a StaleWriteError for a number, which was
 * free when it was chosen.
 */
export function asDuplicateOrder(error: unknown): unknown {
  if (isUniqueViolation(error, 'orders.external_id'))
    return problem('4092', 'order.duplicate_external_id')
  if (isUniqueViolation(error, 'orders.number_key'))
    return new StaleWriteError('The number is taken')
  return error
}

/** The columns of an order that may change. */
export type OrderChange = Partial<
  Omit<OrderRow, 'id' | 'user_id' | 'revision' | 'created_at' | 'updated_at'>
>

/**
 * Returns the next revision of an order and the statement that stores it unless the order has
 * changed since it was read.
 */
export function updateOrderStatement(
  order: OrderState,
  change: OrderChange,
  now: Instant,
): { readonly order: OrderState; readonly write: PreparedWrite } {
  const { id, revision } = order
  const updated_at = storedChangeTime(order, now)
  return {
    order: { ...order, ...change, revision: revision + 1, updated_at },
    write: orders.reviseWrite({ id, revision }, change, updated_at, 1),
  }
}

/**
 * Stores the next revision of an order and an event of this type. When the order has changed since it
 * was read, the transaction fails and is retried; it fails with 409/4092 where another has its external ID.
 */
export async function updateOrder(
  db: Db,
  order: OrderState,
  change: OrderChange,
  type: OrderEventType,
  now: Instant,
): Promise<OrderState> {
  const { order: revised, write } = updateOrderStatement(order, change, now)
  const writes = [write, ...eventStatements(db, [orderEvent(type, revised, now)])]
  await writeBatch(db, writes, asDuplicateOrder)
  return revised
}

/**
 * Locks up to `maxRows` pending orders whose payment window is over, until the transaction ends.
 * Concurrent processes get different orders. Orders with a payment in progress are left out.
 */
export const lockExpiredOrders = (
  db: Db,
  now: Instant,
  maxRows: number,
): Promise<readonly OrderRow[]> =>
  db
    .selectFrom('orders')
    .selectAll('orders')
    .where('orders.status', '=', 'pending')
    // Found by the expiry alone, for any number of pending orders.
    .where(isUnset('orders.deleted_at'))
    .where('orders.expires_at', '<=', now)
    .where(sql<SqlBool>`not ${hasPaymentInProgress}`)
    .orderBy('orders.expires_at')
    .limit(maxRows)
    .$if(dialectOf(db) === 'postgres', (rows) => rows.forUpdate('orders').skipLocked())
    .execute()

/** Applies the same change to orders that the transaction has locked, with an event of this type for each. */
export async function updateLockedOrders(
  db: Db,
  locked: readonly OrderRow[],
  change: OrderChange,
  type: OrderEventType,
  now: Instant,
): Promise<void> {
  const revised: OrderRow[] = []
  // The change time of orders of erased users is the end of the day.
  for (const [updated_at, some] of Map.groupBy(locked, (order) => storedChangeTime(order, now))) {
    await orders.revise(db, { id: some.map(({ id }) => id) }, change, updated_at)
    for (const order of some) {
      revised.push({ ...order, ...change, updated_at, revision: order.revision + 1 })
    }
  }
  await recordEvents(
    db,
    revised.map((order) => orderEvent(type, order, now)),
  )
}
