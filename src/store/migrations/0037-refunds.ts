import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  addColumn,
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

const zero = integer((column) => column.defaultTo(0))

/**
 * Creates the refunds, with those that payments recorded so far, and adds their sums to payments and
 * orders, and to purchases when pieces were returned.
 */
export async function createRefunds(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'refunds', {
    id,
    order_id: integer(),
    payment_id: integer(),
    refund_key: optionalText(),
    provider_reference: optionalText(),
    origin: text(),
    amount_minor: integer(),
    items: text(),
    shipping: integer(),
    restock: integer(),
    reason: optionalText(),
    status: text(),
    failure: optionalText(),
    retries: zero,
    settle_after: optionalInteger(),
    revision: integer((column) => column.defaultTo(1)),
    created_at: integer(),
    updated_at: integer(),
  })
  await createIndex(db, 'refunds', ['order_id'])
  await createIndex(db, 'refunds', ['refund_key'], { unique: true })
  await createIndex(db, 'refunds', ['settle_after'], { where: sql`settle_after is not null` })
  await addColumn(db, 'payments', 'refunding_minor', zero)
  await addColumn(db, 'orders', 'refunded_minor', zero)
  await addColumn(db, 'purchases', 'returned_at', optionalInteger())
  await takeOverRefunds(db)
  await sql`alter table payments drop column refund_requested_at`.execute(db)
}

/** Stores the refunds of payments as rows. An unfinished one keeps the key that the provider knows. */
async function takeOverRefunds(db: Kysely<Tables>): Promise<void> {
  await sql`insert into refunds (order_id, payment_id, origin, amount_minor, items, shipping,
      restock, status, created_at, updated_at)
    select order_id, id, 'shop', refunded_minor, '[]', 0, 0, 'succeeded', updated_at, updated_at
    from payments where refunded_minor > 0 order by id`.execute(db)
  await sql`insert into refunds (order_id, payment_id, refund_key, origin, amount_minor, items,
      shipping, restock, status, settle_after, created_at, updated_at)
    select order_id, id,
      attempt_key || '-refund-' || cast(amount_minor - refunded_minor as text),
      case when status = 'succeeded' then 'shop' else 'late_payment' end,
      amount_minor - refunded_minor, '[]', 0, 0, 'pending', coalesce(settle_after, 0),
      refund_requested_at, updated_at
    from payments where refund_requested_at is not null and refunded_minor < amount_minor
    order by id`.execute(db)
  await sql`update payments set refunding_minor = amount_minor - refunded_minor, settle_after = null,
      failure = case when status = 'failed' then 'paid too late' else failure end
    where refund_requested_at is not null and refunded_minor < amount_minor`.execute(db)
  await sql`update orders set refunded_minor = coalesce((select max(refunded_minor) from payments
      where payments.order_id = orders.id and payments.status in ('succeeded', 'refunded')), 0)
    where status <> 'pending' and exists (select 1 from payments
      where payments.order_id = orders.id and payments.refunded_minor > 0)`.execute(db)
}
