import type { ExpressionBuilder, Selectable, SelectQueryBuilder } from 'kysely'
import { eventStatements, recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import { dialectOf, isUnset, nextId } from '#store/query/dialect.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Tables } from '#store/tables.ts'
import { type Instant, storedChangeTime } from '#values/instant.ts'
import { type OrderEventType, orderEvent } from './events.ts'
import type { OrderPaymentState } from './rules.ts'
import { type OrderRow, orders } from './table.ts'

/** An order, which payment or refund is in progress, and whether money was taken. */
export type OrderState = OrderRow & OrderPaymentState

type InOrders = ExpressionBuilder<Tables, 'orders'>

const paymentsOf = (eb: InOrders) =>
  eb.selectFrom('payments').select('payments.id').whereRef('payments.order_id', '=', 'orders.id')

/** Payments in progress: some of the few that await settlement. */
const paymentsInProgressOf = (eb: InOrders) =>
  paymentsOf(eb)
    .where('payments.due_at', 'is not', null)
    .where('payments.status', 'in', ['pending', 'action_required'])

/** Payments with which money was taken, also those returned since. */
const chargesOf = (eb: InOrders) =>
  paymentsOf(eb).where((payment) =>
    payment.or([
      payment('payments.status', 'in', ['succeeded', 'refunded']),
      payment('payments.refunding', '>', 0),
      payment('payments.refunded', '>', 0),
    ]),
  )

/** Selects all columns of orders, and what their payments mean for changes. */
export const selectWithPaymentClaims = <O>(query: SelectQueryBuilder<Tables, 'orders', O>) =>
  query.selectAll('orders').select((eb) => [
    paymentsInProgressOf(eb)
      .clearSelect()
      .select('payments.status')
      .limit(eb.lit(1))
      .$castTo<OrderPaymentState['open_payment']>()
      .as('open_payment'),
    hasAny(
      eb,
      paymentsOf(eb)
        .where('payments.status', '=', 'succeeded')
        .where('payments.refunding', '>', 0)
        .where((payment) =>
          payment(
            payment('payments.refunded', '+', payment.ref('payments.refunding')),
            '>=',
            payment.ref('payments.amount'),
          ),
        ),
    ).as('refund_pending'),
    hasAny(eb, chargesOf(eb)).as('money_taken'),
  ])

/**
 * Whether such a payment exists. Not `exists`: expecting many orders, PostgreSQL would scan all
 * payments for it, although a page has few orders.
 */
const hasAny = (eb: InOrders, payments: ReturnType<typeof paymentsOf>) =>
  eb(payments.limit(eb.lit(1)), 'is not', null).$castTo<boolean>()

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

/** The columns of a new order that have no default. */
export type NewOrderRow = Omit<
  Selectable<Tables['orders']>,
  | 'revision'
  | 'shipping_status'
  | 'carrier'
  | 'tracking_number'
  | 'tracking_url'
  | 'shipped_at'
  | 'delivered_at'
  | 'deleted_at'
  | 'refunded'
>

/** Initial values of an order: the defaults of the table. */
const untouched = {
  revision: 1,
  refunded: 0,
  shipping_status: 'pending',
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  shipped_at: null,
  delivered_at: null,
  deleted_at: null,
} as const

/** The payment claims of an order without payments. */
const unpaid = { open_payment: null, refund_pending: false, money_taken: false } as const

/** Returns a new order and the statement that inserts it. */
export function insertOrderStatement(row: NewOrderRow): {
  readonly order: OrderState
  readonly write: PreparedWrite
} {
  const order = { ...row, ...untouched, ...unpaid }
  return { order, write: orders.insertWrite(row) }
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
 * was read, the transaction fails and is retried.
 */
export async function updateOrder(
  db: Db,
  order: OrderState,
  change: OrderChange,
  type: OrderEventType,
  now: Instant,
): Promise<OrderState> {
  const { order: revised, write } = updateOrderStatement(order, change, now)
  await writeBatch(db, [write, ...eventStatements(db, [orderEvent(type, revised, now)])])
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
    .where((order) => order.not(hasAny(order, paymentsInProgressOf(order))))
    .orderBy('orders.expires_at')
    .limit(maxRows)
    .$if(dialectOf(db) === 'postgres', (orders) => orders.forUpdate('orders').skipLocked())
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
