import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Db } from '#store/database.ts'
import { isUniqueViolation } from '#store/errors.ts'
import { idIn, idInQuery } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import { type Instant, storedChangeTime } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { problem } from '#values/problem.ts'
import type { PaymentState } from './rules.ts'
import type { PaymentRow } from './table.ts'

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

const byId = prepareQuery((db: Db, param: { id: number }) =>
  withOwner(db).where('payments.id', '=', param.id),
)

/** Finds a payment by ID. */
export const findPayment = (db: Db, id: number): Promise<OwnedPayment | undefined> =>
  byId.first(db, { id })

const byKey = prepareQuery((db: Db, param: { key: string }) =>
  withOwner(db).where('payments.attempt_key', '=', param.key),
)

/** Finds a payment by the key that the provider knows it by. */
export const findByKey = (db: Db, key: string): Promise<OwnedPayment | undefined> =>
  byKey.first(db, { key })

const standing = prepareQuery((db: Db, param: { orderId: number }) =>
  withOwner(db)
    .where('payments.order_id', '=', param.orderId)
    .where('payments.status', '=', 'succeeded'),
)

/** Finds the succeeded payment of an order. */
export const findSucceededPayment = (db: Db, orderId: number): Promise<OwnedPayment | undefined> =>
  standing.first(db, { orderId })

const awaitingBuyer = prepareQuery((db: Db, param: { orderId: number }) =>
  withOwner(db)
    .where('payments.order_id', '=', param.orderId)
    .where('payments.status', '=', 'action_required'),
)

/** Finds the payment of an order that waits for the buyer. */
export const findPaymentAwaitingBuyer = (
  db: Db,
  orderId: number,
): Promise<OwnedPayment | undefined> => awaitingBuyer.first(db, { orderId })

/** Returns a page of the payments of an order. */
export const listPayments = (
  db: Db,
  orderId: number,
  page: PageRequest,
): Promise<PageResult<OwnedPayment>> =>
  paginate(
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

const ofOrders = prepareQuery((db: Db, param: { ids: readonly number[] }) =>
  db
    .selectFrom('payments')
    .selectAll('payments')
    .select((eb) => [
      orderOf(eb).select('orders.user_id').$asScalar().$notNull().as('user_id'),
      orderOf(eb).select('orders.deleted_at').as('order_deleted_at'),
    ])
    .where(idIn(db, 'payments.order_id', param.ids))
    .orderBy('payments.id'),
)

/** Loads the payments of several orders in one query. */
export async function loadPaymentsOf<O extends { readonly id: number }>(
  db: Db,
  orders: readonly O[],
): Promise<ReadonlyMap<O, readonly OwnedPayment[]>> {
  const payments = await ofOrders.all(db, { ids: orders.map(({ id }) => id) })
  const byOrder = Map.groupBy(payments, ({ order_id }) => order_id)
  return new Map(orders.map((order) => [order, byOrder.get(order.id) ?? []]))
}

/** The columns of a new payment that have no default. */
interface NewPayment {
  readonly id: number
  readonly order_id: number
  readonly attempt_key: string
  readonly method: string
  readonly amount: Minor
  readonly currency: string
  readonly provider: string
  readonly settle_after: Instant
  readonly now: Instant
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

const insert = prepareQuery((db: Db, param: NewPayment) =>
  db.insertInto('payments').values({
    id: param.id,
    order_id: param.order_id,
    attempt_key: param.attempt_key,
    method: param.method,
    amount: param.amount,
    currency: param.currency,
    provider: param.provider,
    settle_after: param.settle_after,
    created_at: param.now,
    updated_at: param.now,
    ...untouched,
  }),
)

/** Returns a pending payment and the statement that inserts it. */
export function insertPaymentStatement(row: NewPayment): {
  readonly payment: PaymentRow
  readonly write: PreparedWrite
} {
  const { now, ...given } = row
  const payment = { ...given, ...untouched, created_at: now, updated_at: now }
  return { payment, write: insert.write(row) }
}

/**
 * Converts the unique violation of a second pending or succeeded payment to 409; returns other
 * errors unchanged.
 */
export const toPaymentInProgress = (error: unknown): unknown =>
  isUniqueViolation(error, 'payments.order_id') ? problem('4091', 'payment.under_way') : error

interface PaymentWrite extends PaymentState {
  readonly id: number
  readonly revision: number
  readonly now: Instant
}

const update = prepareQuery((db: Db, param: PaymentWrite) =>
  db
    .updateTable('payments')
    .set((eb) => ({
      status: param.status,
      provider_reference: param.provider_reference,
      failure: param.failure,
      next_action: param.next_action,
      refunded: param.refunded,
      refunding: param.refunding,
      cancel_requested_at: param.cancel_requested_at,
      settle_after: param.settle_after,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('id', '=', param.id)
    .where('revision', '=', param.revision),
)

/** Returns the next revision of a payment, and the statement that stores it unless the payment has changed. */
export function updatePaymentStatement(
  payment: OwnedPayment,
  change: Partial<PaymentState>,
  now: Instant,
): { readonly payment: OwnedPayment; readonly write: PreparedWrite } {
  const next = { ...payment, ...change }
  const updated_at = storedChangeTime(payment, now)
  return {
    payment: { ...next, revision: payment.revision + 1, updated_at },
    write: update.write({ ...next, now: updated_at }, 1),
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
          .where('settle_after', '<=', param.now)
          .where('provider', '=', param.provider)
          .orderBy('settle_after')
          .limit(settlementBatchSize),
      ),
    )
    .orderBy('payments.settle_after'),
)

/** Payments at a provider that are due for settlement. */
export const findUnsettled = (
  db: Db,
  provider: string,
  now: Instant,
): Promise<readonly DuePayment[]> => due.all(db, { now, provider })

/** Claims a payment for this process until `until`; false when another process has claimed it. */
export async function claimUnsettled(
  db: Db,
  { id, settle_after }: OwnedPayment,
  until: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ settle_after: until })
    .where('id', '=', id)
    .where('settle_after', '=', settle_after)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

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
