import type { Selectable } from 'kysely'
import type { Db } from '#store/database.ts'
import { dayOf } from '#store/query/day.ts'
import { idIn, idInQuery, textIn } from '#store/query/dialect.ts'
import { type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { type PreparedWrite, prepareQuery } from '#store/query/prepared.ts'
import type { Tables } from '#store/tables.ts'
import { endOfDay, type Instant, startOfDay, storedChangeTime } from '#values/instant.ts'
import type { RefundedItem } from './rules.ts'
import type { RefundRow } from './table.ts'

/** A refund with its pieces and flags as values. */
export type StoredRefund = Omit<RefundRow, 'items' | 'shipping' | 'restock'> & {
  readonly items: readonly RefundedItem[]
  readonly shipping: boolean
  readonly restock: boolean
}

/** A refund, the currency of its payment and the user of its order. */
export type OwnedRefund = StoredRefund &
  Pick<Selectable<Tables['payments']>, 'currency'> &
  Pick<Selectable<Tables['orders']>, 'user_id'>

const fromRow = <R extends RefundRow>(row: R) => ({
  ...row,
  items: JSON.parse(row.items) as readonly RefundedItem[],
  shipping: row.shipping === 1,
  restock: row.restock === 1,
})

const withPayment = (db: Db) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select(['payments.currency', 'orders.user_id'])

const byId = prepareQuery((db: Db, param: { id: number }) =>
  withPayment(db).where('refunds.id', '=', param.id),
)

/** Finds a refund by ID. */
export async function findRefund(db: Db, id: number): Promise<OwnedRefund | undefined> {
  const row = await byId.first(db, { id })
  return row && fromRow(row)
}

const standing = prepareQuery((db: Db, param: { orderId: number }) =>
  db
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', param.orderId)
    .where('status', '!=', 'failed')
    .orderBy('id'),
)

/** Returns the refunds of an order that succeeded or are pending. */
export async function findActiveRefunds(db: Db, orderId: number): Promise<readonly StoredRefund[]> {
  return (await standing.all(db, { orderId })).map(fromRow)
}

/** Returns a page of the refunds of an order. */
export async function listRefunds(
  db: Db,
  orderId: number,
  page: PageRequest,
): Promise<PageResult<OwnedRefund>> {
  const found = await paginate(
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
  return { ...found, rows: found.rows.map(fromRow) }
}

/** The columns of a new refund that have no default. */
export type NewRefund = Pick<
  StoredRefund,
  | 'order_id'
  | 'payment_id'
  | 'refund_key'
  | 'provider_reference'
  | 'origin'
  | 'amount'
  | 'items'
  | 'shipping'
  | 'restock'
  | 'reason'
  | 'status'
  | 'due_at'
>

/** Inserts a refund of an order of this user; the times of erased users are rounded to days. */
export async function insertRefund(
  db: Db,
  { items, shipping, restock, ...row }: NewRefund,
  owner: { readonly user_id: number | null },
  now: Instant,
): Promise<StoredRefund> {
  const inserted = await db
    .insertInto('refunds')
    .values({
      ...row,
      items: JSON.stringify(items),
      shipping: shipping ? 1 : 0,
      restock: restock ? 1 : 0,
      failure: null,
      created_at: owner.user_id === null ? startOfDay(now) : now,
      updated_at: storedChangeTime(owner, now),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return fromRow(inserted)
}

/** The columns of a refund that its settlement changes. */
export type RefundChange = Pick<
  StoredRefund,
  'status' | 'provider_reference' | 'failure' | 'retries' | 'due_at'
>

interface RefundWrite extends RefundChange {
  readonly id: number
  readonly revision: number
  readonly now: Instant
}

const update = prepareQuery((db: Db, param: RefundWrite) =>
  db
    .updateTable('refunds')
    .set((eb) => ({
      status: param.status,
      provider_reference: param.provider_reference,
      failure: param.failure,
      retries: param.retries,
      due_at: param.due_at,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('id', '=', param.id)
    .where('revision', '=', param.revision),
)

/** Returns the statement that stores the next revision of a refund unless it has changed. */
export const updateRefundStatement = (
  refund: StoredRefund,
  change: Partial<RefundChange>,
  owner: { readonly user_id: number | null },
  now: Instant,
): PreparedWrite => {
  const { id, revision, status, provider_reference, failure, retries, due_at } = refund
  const next = { status, provider_reference, failure, retries, due_at, ...change }
  return update.write({ ...next, id, revision, now: storedChangeTime(owner, now) }, 1)
}

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
  return (await due.all(db, { now, providers: [provider] })).map(fromRow)
}

const claim = prepareQuery((db: Db, param: { id: number; due_at: Instant; until: Instant }) =>
  db
    .updateTable('refunds')
    .set({ due_at: param.until })
    .where('id', '=', param.id)
    .where('due_at', '=', param.due_at),
)

/** Claims a refund for this process until `until`; false when another process has claimed it. */
export const claimRefund = async (
  db: Db,
  { id, due_at }: StoredRefund,
  until: Instant,
): Promise<boolean> => (await claim.run(db, { id, due_at: due_at ?? 0, until })) === 1

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
  return (await newestOfAll.all(db, { ids, maxRows })).map(fromRow)
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
