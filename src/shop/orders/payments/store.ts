import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Db } from '#store/database.ts'
import { isUniqueViolation } from '#store/errors.ts'
import { idIn, idInQuery } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import { type Instant, storedChangeTime } from '#values/instant.ts'
import { problem } from '#values/problem.ts'
import type { PaymentState } from './rules.ts'
import { type PaymentRow, payments } from './table.ts'

/** A payment, and what it shows or needs of its order. */
export type OwnedPayment = PaymentRow &
  Pick<Selectable<Tables['orders']>, 'user_id'> & { readonly order_deleted_at: Instant | null }

const ofOrder = ['orders.user_id', 'orders.deleted_at as order_deleted_at'] as const

const withOwner = (db: Db) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .selectAll('payments')
    .select(ofOrder)

/** Finds the payment that has a value in a column. */
const paymentBy = <V extends number | string>(column: 'id' | 'idempotency_key') => {
  const query = prepareQuery((db: Db, param: { value: V }) =>
    withOwner(db).where(`payments.${column}`, '=', param.value),
  )
  return (db: Db, value: V): Promise<OwnedPayment | undefined> => query.first(db, { value })
}

/** Finds a payment by ID. */
export const findPayment = paymentBy<number>('id')

/** Finds a payment by the key that the provider knows it by. */
export const findByKey = paymentBy<string>('idempotency_key')

/** Finds the payment of an order that has a status which only one may have. */
const paymentWith = (status: 'succeeded' | 'action_required') => {
  const query = prepareQuery((db: Db, param: { orderId: number }) =>
    withOwner(db)
      .where('payments.order_id', '=', param.orderId)
      .where('payments.status', '=', status),
  )
  return (db: Db, orderId: number): Promise<OwnedPayment | undefined> =>
    query.first(db, { orderId })
}

/** Finds the succeeded payment of an order. */
export const findSucceededPayment = paymentWith('succeeded')

/** Finds the payment of an order that waits for the buyer. */
export const findPaymentAwaitingBuyer = paymentWith('action_required')

/** Returns a page of the payments of an order. */
export const listPayments = (
  db: Db,
  orderId: number,
  page: PageRequest,
): Promise<PageResult<OwnedPayment>> =>
  paginate(
    db,
    db
      .selectFrom('payments')
      .innerJoin('orders', 'orders.id', 'payments.order_id')
      .where('payments.order_id', '=', orderId),
    { id: 'payments.id', created_at: 'payments.created_at', updated_at: 'payments.updated_at' },
    page,
    (rows) => rows.selectAll('payments').select(ofOrder),
    { isFew: true },
  )

/** The order of a payment, looked up for each; PostgreSQL might read all orders for a join. */
const orderOf = (eb: ExpressionBuilder<Tables, 'payments'>) =>
  eb.selectFrom('orders').whereRef('orders.id', '=', 'payments.order_id')

const ofOrders = prepareQuery((db: Db, param: { ids: readonly number[]; maxRows: number }) =>
  db
    .selectFrom('payments')
    .selectAll('payments')
    .select((eb) => [
      orderOf(eb).select('orders.user_id').$asScalar().$notNull().as('user_id'),
      orderOf(eb).select('orders.deleted_at').as('order_deleted_at'),
    ])
    .where(idIn(db, 'payments.order_id', param.ids))
    .orderBy('payments.order_id')
    .orderBy('payments.id')
    .limit(param.maxRows),
)

/** Loads the payments of several orders in one query, at most `maxRows`. */
export async function loadPaymentsOf<O extends { readonly id: number }>(
  db: Db,
  orders: readonly O[],
  maxRows: number,
): Promise<ReadonlyMap<O, readonly OwnedPayment[]>> {
  const payments = await ofOrders.all(db, { ids: orders.map(({ id }) => id), maxRows })
  const byOrder = Map.groupBy(payments, ({ order_id }) => order_id)
  return new Map(orders.map((order) => [order, byOrder.get(order.id) ?? []]))
}

/** Initial values of a payment. */
const untouched = {
  status: 'pending',
  provider_reference: null,
  failure: null,
  next_action: null,
  refunded: 0,
  refunding: 0,
  cancel_requested_at: null,
  revision: 1,
} as const

/** Returns a pending payment and the statement that inserts it. */
export function insertPaymentStatement(
  given: Omit<PaymentRow, keyof typeof untouched | 'created_at' | 'updated_at'>,
  now: Instant,
): { readonly payment: PaymentRow; readonly write: PreparedWrite } {
  const payment = { ...given, ...untouched, created_at: now, updated_at: now }
  return { payment, write: payments.insertWrite(payment) }
}

/**
 * Converts the unique violation of a second pending or succeeded payment to 409; returns other
 * errors unchanged.
 */
export const toPaymentInProgress = (error: unknown): unknown =>
  isUniqueViolation(error, 'payments.order_id') ? problem('4091', 'payment.under_way') : error

/** Returns the next revision of a payment, and the statement that stores it unless the payment has changed. */
export function updatePaymentStatement(
  payment: OwnedPayment,
  change: Partial<PaymentState>,
  now: Instant,
): { readonly payment: OwnedPayment; readonly write: PreparedWrite } {
  const { id, revision } = payment
  const updated_at = storedChangeTime(payment, now)
  return {
    payment: { ...payment, ...change, revision: revision + 1, updated_at },
    write: payments.reviseWrite({ id, revision }, change, updated_at, 1),
  }
}

/** Maximum number of payments that one settlement run queries. */
export const settlementBatchSize = 50

/** A payment that is due, and when its order expires. */
export type DuePayment = OwnedPayment & Pick<Selectable<Tables['orders']>, 'expires_at'>

// The subquery uses the partial index of unsettled payments; the few rows are sorted after.
const due = prepareQuery((db: Db, param: { now: Instant; provider: string }) =>
  withOwner(db)
    .select('orders.expires_at')
    .where((eb) =>
      idInQuery(
        db,
        'payments.id',
        eb
          .selectFrom('payments')
          .select('id')
          .where('due_at', '<=', param.now)
          .where('provider', '=', param.provider)
          .orderBy('due_at')
          .limit(settlementBatchSize),
      ),
    )
    .orderBy('payments.due_at'),
)

/** Payments at a provider that are due for settlement. */
export const findUnsettled = (
  db: Db,
  provider: string,
  now: Instant,
): Promise<readonly DuePayment[]> => due.all(db, { now, provider })

const newestOfAll = prepareQuery((db: Db, param: { ids: readonly number[]; maxRows: number }) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where(idIn(db, 'payments.order_id', param.ids))
    .orderBy('order_id', 'desc')
    .orderBy('id')
    .limit(param.maxRows),
)

/** The payments of several orders, up to `maxRows`, those of the newest order first. */
export const findPaymentsForExport = (
  db: Db,
  ids: readonly number[],
  maxRows: number,
): Promise<PaymentRow[]> => newestOfAll.all(db, { ids, maxRows })
