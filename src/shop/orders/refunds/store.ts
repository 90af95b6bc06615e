import type { Selectable } from 'kysely'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { idIn, idInQuery, textIn } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import { endOfDay, type Instant, startOfDay, storedChangeTime } from '#values/instant.ts'
import { refunds, type StoredRefund } from './table.ts'

/** A refund, the currency of its payment and the user of its order. */
export type OwnedRefund = StoredRefund &
  Pick<Selectable<Tables['payments']>, 'currency'> &
  Pick<Selectable<Tables['orders']>, 'user_id'>

const fromDatabase = <R extends object>(row: R) => refunds.fromDatabase(row)

// Subqueries: for joins, PostgreSQL without statistics may read all orders.
const withPayment = (db: Db) =>
  db
    .selectFrom('refunds')
    .selectAll('refunds')
    .select((eb) => [
      eb
        .selectFrom('payments')
        .select('currency')
        .whereRef('payments.id', '=', 'refunds.payment_id')
        .$asScalar()
        .$notNull()
        .as('currency'),
      eb
        .selectFrom('orders')
        .select('user_id')
        .whereRef('orders.id', '=', 'refunds.order_id')
        .$asScalar()
        .$notNull()
        .as('user_id'),
    ])

const byId = prepareQuery((db: Db, param: { id: number }) =>
  withPayment(db).where('refunds.id', '=', param.id),
)

/** Finds a refund by ID. */
export async function findRefund(db: Db, id: number): Promise<OwnedRefund | undefined> {
  const row = await byId.first(db, { id })
  return row && fromDatabase(row)
}

/** Returns the refunds of an order that succeeded or are pending. */
export const findActiveRefunds = (db: Db, orderId: number): Promise<readonly StoredRefund[]> => {
  const active = { order_id: orderId, status: ['pending', 'succeeded'] } as const
  return refunds.findAll(db, active, { order: 'id' })
}

/** Returns a page of the refunds of an order. */
export async function listRefunds(
  db: Db,
  orderId: number,
  page: PageRequest,
): Promise<PageResult<OwnedRefund>> {
  const found = await paginate(
    db,
    db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.payment_id')
      .innerJoin('orders', 'orders.id', 'refunds.order_id')
      .where('refunds.order_id', '=', orderId),
    {
      id: 'refunds.id',
      created_at: 'refunds.created_at',
      updated_at: 'refunds.updated_at',
    },
    page,
    (rows) => rows.selectAll('refunds').select(['payments.currency', 'orders.user_id']),
    { isFew: true },
  )
  return { ...found, rows: found.rows.map(fromDatabase) }
}

/** The columns of a new refund that have no default. */
export type NewRefund = Omit<
  StoredRefund,
  'id' | 'revision' | 'failure' | 'retries' | 'created_at' | 'updated_at'
>

/** Inserts a refund of an order of this user; the times of erased users are rounded to days. */
export const insertRefund = (
  db: Db,
  refund: NewRefund,
  owner: { readonly user_id: number | null },
  now: Instant,
): Promise<StoredRefund> =>
  refunds.insert(db, {
    ...refund,
    created_at: owner.user_id === null ? startOfDay(now) : now,
    updated_at: storedChangeTime(owner, now),
  })

/** The columns of a refund that its settlement changes. */
export type RefundChange = Pick<
  StoredRefund,
  'status' | 'provider_reference' | 'failure' | 'retries' | 'due_at'
>

/** Returns the statement that stores the next revision of a refund unless it has changed. */
export const updateRefundStatement = (
  { id, revision }: StoredRefund,
  change: Partial<RefundChange>,
  owner: { readonly user_id: number | null },
  now: Instant,
): PreparedWrite => refunds.reviseWrite({ id, revision }, change, storedChangeTime(owner, now), 1)

/** Maximum number of refunds that one settlement run asks about. */
export const refundBatchSize = 50

// The subquery uses the partial index of unsettled refunds; the few rows are joined after. PostgreSQL
// without statistics begins from the payments if their provider is compared by `=`.
const due = prepareQuery((db: Db, param: { now: Instant; providers: readonly string[] }) =>
  withPayment(db)
    .where((eb) =>
      idInQuery(
        db,
        'refunds.id',
        eb
          .selectFrom('refunds')
          .innerJoin('payments', 'payments.id', 'refunds.payment_id')
          .select('refunds.id')
          .where('refunds.due_at', '<=', param.now)
          .where(textIn(db, 'payments.provider', param.providers))
          .orderBy('refunds.due_at')
          .limit(refundBatchSize),
      ),
    )
    .orderBy('refunds.due_at'),
)

/** Returns the refunds at a provider that are due for settlement. */
export async function findUnsettledRefunds(
  db: Db,
  provider: string,
  now: Instant,
): Promise<readonly OwnedRefund[]> {
  return (await due.all(db, { now, providers: [provider] })).map(fromDatabase)
}

const newestOfAll = prepareQuery((db: Db, param: { ids: readonly number[]; maxRows: number }) =>
  withPayment(db)
    .where(idIn(db, 'refunds.order_id', param.ids))
    .orderBy('refunds.order_id', 'desc')
    .orderBy('refunds.id')
    .limit(param.maxRows),
)

/** The refunds of several orders, up to `maxRows`, those of the newest order first. */
export async function findRefundsForExport(
  db: Db,
  ids: readonly number[],
  maxRows: number,
): Promise<readonly OwnedRefund[]> {
  return (await newestOfAll.all(db, { ids, maxRows })).map(fromDatabase)
}

const anonymize = prepareQuery((db: Db, param: { userId: number; changedAt: Instant }) =>
  db
    .updateTable('refunds')
    .set((eb) => ({
      reason: null,
      revision: eb('revision', '+', eb.lit(1)),
      created_at: dayOf('created_at'),
      updated_at: param.changedAt,
    }))
    .where(
      'order_id',
      'in',
      db.selectFrom('orders').select('orders.id').where('orders.user_id', '=', param.userId),
    ),
)

/** Removes the reasons of the refunds of a user and rounds their times to days. */
export const anonymizeRefunds = (db: Db, userId: number, now: Instant): Promise<number> =>
  anonymize.run(db, { userId, changedAt: endOfDay(now) })
