import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '#db/database.ts'
import { isUniqueViolation } from '#db/errors.ts'
import { dialectOf, numberOf } from '#db/query/dialect.ts'
import { type PreparedWrite, prepared } from '#db/query/prepared.ts'
import { type OrderState, withClaims } from '#resources/orders/store.ts'
import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { problem } from '#values/problem.ts'
import type { OwnedPayment } from './store.ts'
import type { PaymentRow } from './table.ts'

/** What is known of a payment before its order is. */
interface Intention {
  readonly order_id: number
  readonly attempt_key: string
  readonly method: string
  readonly provider: string
  readonly settle_after: Instant
  readonly now: Instant
}

interface NewPayment extends Intention {
  readonly id: number
  readonly amount_minor: Minor
  readonly currency: string
}

/** What every payment begins with. */
const untouched = {
  status: 'pending',
  provider_reference: null,
  failure: null,
  sequence: 0,
  refund_requested_at: null,
  revision: 1,
} as const

const insert = prepared((db: Db, param: NewPayment) =>
  db.insertInto('payments').values({
    id: param.id,
    order_id: param.order_id,
    attempt_key: param.attempt_key,
    method: param.method,
    amount_minor: param.amount_minor,
    currency: param.currency,
    provider: param.provider,
    settle_after: param.settle_after,
    created_at: param.now,
    updated_at: param.now,
    ...untouched,
  }),
)

function started({ now, ...row }: NewPayment): PaymentRow {
  return { ...row, ...untouched, created_at: now, updated_at: now }
}

/** A payment under way, and the write that keeps it. */
export function insertPaymentStatement(payment: NewPayment): {
  readonly payment: PaymentRow
  readonly write: PreparedWrite
} {
  return { payment: started(payment), write: insert.write(payment) }
}

/** Of an order that has another payment under way, or a succeeded one: 409; of others as it is. */
export const refuseSecondPayment = (error: unknown): unknown =>
  isUniqueViolation(error, 'payments.order_id') ? problem('4091', 'payment.under_way') : error

/** An intention to pay an order of this user, by this amount if one is given. */
export interface Paying extends Intention {
  readonly userId: number
  readonly amount: Minor | undefined
}

type Placeholders = Omit<Paying, 'amount'> & { readonly amount: Minor | null }

/** Nothing can be said against paying it, as `requirePayable` has it. */
const isPayable = (
  eb: ExpressionBuilder<{ found: OrderState }, 'found'>,
  { amount, now }: Placeholders,
) =>
  eb.and([
    eb('status', '=', sql.lit('pending')),
    eb('deleted_at', 'is', null),
    eb('payment_pending', '=', sql.lit(false)),
    eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]),
    sql<boolean>`coalesce(${numberOf(amount)}, total_minor) = total_minor`,
  ])

/** Begins a query with `found`, the order, and `paying`, the payment that is inserted if nothing stands in its way. */
const withPaying = (db: Db, param: Placeholders) =>
  db
    .with('found', () =>
      withClaims(db.selectFrom('orders'))
        .where('orders.id', '=', param.order_id)
        .where('orders.user_id', '=', param.userId),
    )
    .with('paying', (given) =>
      given
        .insertInto('payments')
        .columns([
          'order_id',
          'attempt_key',
          'method',
          'amount_minor',
          'currency',
          'status',
          'provider',
          'settle_after',
          'created_at',
          'updated_at',
        ])
        .expression((eb) =>
          eb
            .selectFrom('found')
            .select([
              'id as order_id',
              sql<string>`${param.attempt_key}`.as('attempt_key'),
              sql<string>`${param.method}`.as('method'),
              'total_minor as amount_minor',
              'currency',
              sql.lit(untouched.status).as('status'),
              sql<string>`${param.provider}`.as('provider'),
              numberOf(param.settle_after).as('settle_after'),
              numberOf(param.now).as('created_at'),
              numberOf(param.now).as('updated_at'),
            ])
            .where((found) => isPayable(found, param)),
        )
        .returning('payments.id'),
    )

/** All of it in one statement, on PostgreSQL; no row where something stands in the way. */
const payAtOnce = prepared((db: Db, param: Placeholders) =>
  withPaying(db, param)
    .with('revised', (given) =>
      given
        .updateTable('orders')
        .from(['found', 'paying'])
        .set((eb) => ({
          revision: eb('orders.revision', '+', eb.lit(1)),
          updated_at: param.now,
        }))
        .whereRef('orders.id', '=', 'found.id')
        // The order's next revision keeps everybody else's change of it apart from this payment.
        .whereRef('orders.revision', '=', 'found.revision')
        .returning('orders.revision'),
    )
    .selectFrom(['found', 'paying'])
    .selectAll('found')
    .select((eb) => [
      'paying.id as payment_id',
      sql<number>`require_rows(${eb.selectFrom('revised').select(({ fn }) => fn.countAll().as('rows'))}, 1)`.as(
        'revised_rows',
      ),
    ]),
)

/**
 * Begins a payment in one round trip, on PostgreSQL, if nothing can be said against it; undefined
 * where it cannot, and on SQLite: then it is for the rules to say. What is begun ends its transaction.
 */
export async function beginAtOnce(
  db: Db,
  { amount, ...paying }: Paying,
): Promise<{ readonly payment: OwnedPayment; readonly order: OrderState } | undefined> {
  if (dialectOf(db) === 'sqlite') return undefined
  const values = { ...paying, amount: amount ?? null }
  const found = await payAtOnce
    .executeFinal(db, values, () => true)
    .catch((error: unknown) => {
      throw refuseSecondPayment(error)
    })
  if (!found) return undefined
  const { payment_id: id, revised_rows: _, ...order } = found
  const { userId: user_id, ...intention } = paying
  const { total_minor: amount_minor, currency, revision } = order
  return {
    payment: { ...started({ ...intention, id, amount_minor, currency }), user_id },
    order: { ...order, revision: revision + 1, updated_at: paying.now },
  }
}
