import type { ExpressionBuilder, Selectable, SelectQueryBuilder } from 'kysely'
import type { Db } from '#db/database.ts'
import { dialectOf, idIn, nextId, withoutIndex } from '#db/query/dialect.ts'
import { type PreparedQuery, type PreparedWrite, prepareQuery } from '#db/query/prepared.ts'
import { writeBatch } from '#db/query/write-together.ts'
import type { Tables } from '#db/tables/tables.ts'
import { type Instant, storedChangeTime } from '#values/instant.ts'
import type { PaymentClaims } from './rules.ts'
import type { OrderRow } from './table.ts'

/** An order, and whether a payment or refund is in progress. */
export type OrderState = OrderRow & PaymentClaims

type InOrders = ExpressionBuilder<Tables, 'orders'>

/** Payments that await settlement: those in progress or to be refunded, and few others. */
const unsettledOf = (eb: InOrders) =>
  eb
    .selectFrom('payments')
    .select('payments.id')
    .whereRef('payments.order_id', '=', 'orders.id')
    .where('payments.settle_after', 'is not', null)

/** Selects all columns of orders, and whether a payment or refund is in progress. */
export const selectWithPaymentClaims = <O>(query: SelectQueryBuilder<Tables, 'orders', O>) =>
  query
    .selectAll('orders')
    .select((eb) => [
      hasAny(eb, unsettledOf(eb).where('payments.status', '=', 'pending')).as('payment_pending'),
      hasAny(
        eb,
        unsettledOf(eb)
          .where('payments.status', '=', 'succeeded')
          .where('payments.refund_requested_at', 'is not', null),
      ).as('refund_pending'),
    ])

/**
 * Whether such a payment exists. Not `exists`: expecting many orders, PostgreSQL would scan all
 * payments for it, although a page has few orders.
 */
const hasAny = (eb: InOrders, payments: ReturnType<typeof unsettledOf>) =>
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
>

/** Initial values of an order: the defaults of the table. */
const untouched = {
  revision: 1,
  shipping_status: 'pending',
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  shipped_at: null,
  delivered_at: null,
  deleted_at: null,
} as const

const insert = prepareQuery((db: Db, param: NewOrderRow) =>
  db.insertInto('orders').values({
    id: param.id,
    user_id: param.user_id,
    status: param.status,
    currency: param.currency,
    item_count: param.item_count,
    subtotal_minor: param.subtotal_minor,
    shipping_cost_minor: param.shipping_cost_minor,
    tax_minor: param.tax_minor,
    total_minor: param.total_minor,
    note: param.note,
    expires_at: param.expires_at,
    shipping_method: param.shipping_method,
    recipient: param.recipient,
    line1: param.line1,
    line2: param.line2,
    city: param.city,
    region: param.region,
    postal_code: param.postal_code,
    country: param.country,
    created_at: param.created_at,
    updated_at: param.updated_at,
  }),
)

/** Returns a new order and the statement that inserts it. */
export function insertOrderStatement(row: NewOrderRow): {
  readonly order: OrderState
  readonly write: PreparedWrite
} {
  const order = { ...row, ...untouched, payment_pending: false, refund_pending: false }
  return { order, write: insert.write(row) }
}

/** The columns of an order that may change. */
export type OrderChange = Partial<
  Omit<OrderRow, 'id' | 'user_id' | 'revision' | 'created_at' | 'updated_at'>
>

type Revision = OrderChange & {
  readonly id: number
  readonly revision: number
  readonly next: number
  readonly now: Instant
}

/** One prepared statement for each set of columns that change together. */
const revisions = new Map<string, PreparedQuery<Revision, unknown>>()

function revisionOf(columns: readonly (keyof OrderChange)[]): PreparedQuery<Revision, unknown> {
  const name = columns.join()
  const known = revisions.get(name)
  if (known) return known
  const made = prepareQuery((db: Db, param: Revision) =>
    db
      .updateTable('orders')
      .set({
        ...Object.fromEntries(columns.map((column) => [column, param[column]])),
        revision: param.next,
        updated_at: param.now,
      })
      .where('id', '=', param.id)
      .where('revision', '=', param.revision),
  )
  revisions.set(name, made)
  return made
}

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
  const next = revision + 1
  const columns = Object.keys(change) as (keyof OrderChange)[]
  const updated_at = storedChangeTime(order, now)
  return {
    order: { ...order, ...change, revision: next, updated_at },
    write: revisionOf(columns).write({ ...change, id, revision, next, now: updated_at }, 1),
  }
}

/**
 * Stores the next revision of an order. When the order has changed since it was read, the transaction
 * fails and is retried. An empty change also makes a new revision, which invalidates concurrent
 * changes.
 */
export async function updateOrder(
  db: Db,
  order: OrderState,
  change: OrderChange,
  now: Instant,
): Promise<OrderState> {
  const { order: revised, write } = updateOrderStatement(order, change, now)
  await writeBatch(db, [write])
  return revised
}

/**
 * Locks up to `most` pending orders whose payment window is over, until the transaction ends.
 * Concurrent processes get different orders. Orders with a payment in progress are left out.
 */
export const lockExpiredOrders = (
  db: Db,
  now: Instant,
  maxRows: number,
): Promise<readonly Pick<OrderRow, 'id' | 'user_id'>[]> =>
  db
    .selectFrom('orders')
    .select(['orders.id', 'orders.user_id'])
    .where('orders.status', '=', 'pending')
    // Found by the expiry alone, for any number of pending orders.
    .where(withoutIndex('orders.deleted_at'), 'is', null)
    .where('orders.expires_at', '<=', now)
    .where((order) =>
      order.not(order.exists(unsettledOf(order).where('payments.status', '=', 'pending'))),
    )
    .orderBy('orders.expires_at')
    .limit(maxRows)
    .$if(dialectOf(db) === 'postgres', (orders) => orders.forUpdate('orders').skipLocked())
    .execute()

/** Applies the same change to orders that the transaction has locked. */
export async function updateLockedOrders(
  db: Db,
  orders: readonly Pick<OrderRow, 'id' | 'user_id'>[],
  change: OrderChange,
  now: Instant,
): Promise<void> {
  // The change time of orders of erased users is the end of the day.
  for (const [updated_at, some] of Map.groupBy(orders, (order) => storedChangeTime(order, now))) {
    const ids = some.map(({ id }) => id)
    await db
      .updateTable('orders')
      .set((eb) => ({ ...change, updated_at, revision: eb('revision', '+', eb.lit(1)) }))
      .where(idIn(db, 'orders.id', ids))
      .execute()
  }
}
