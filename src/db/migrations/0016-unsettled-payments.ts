import { type Kysely, sql } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'
import { createIndex, dropIndex } from './table-builder.ts'

/** Lets an order be asked for its unsettled payments, of which there are few, without looking at the others. */
export async function indexUnsettledPayments(db: Kysely<Tables>): Promise<void> {
  await dropIndex(db, 'payments', ['settle_after'])
  await createIndex(db, 'payments', ['order_id', 'settle_after'], {
    only: sql`settle_after is not null`,
  })
}
