import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  addColumn,
  createIndex,
  dropIndex,
  integer,
  optionalInteger,
  optionalText,
} from './table-builder.ts'

/**
 * Adds to payments what the buyer has to do, what was refunded, and the request to cancel them. A
 * payment that waits for the buyer is the only open one of its order.
 */
export async function addPaymentActions(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'payments', 'next_action', optionalText())
  await addColumn(
    db,
    'payments',
    'refunded_minor',
    integer((column) => column.defaultTo(0)),
  )
  await addColumn(db, 'payments', 'cancel_requested_at', optionalInteger())
  await sql`update payments set refunded_minor = amount_minor where status = 'refunded'`.execute(db)
  await sql`update payments set failure = 'cancelled' where failure = 'voided'`.execute(db)
  await dropIndex(db, 'payments', ['order_id'], { unique: true })
  await createIndex(db, 'payments', ['order_id'], {
    unique: true,
    where: sql`status in ('pending', 'action_required', 'succeeded')`,
  })
  await sql`alter table payments drop column sequence`.execute(db)
}
