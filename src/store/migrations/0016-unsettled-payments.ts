import { type Kysely, sql } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { createIndex, dropIndex } from './table-builder.ts'

/** Creates an index of the unsettled payments of an order. */
export async function indexUnsettledPayments(db: Kysely<Tables>): Promise<void> {
  await dropIndex(db, 'payments', ['settle_after'])
  await createIndex(db, 'payments', ['order_id', 'settle_after'], {
    where: sql`settle_after is not null`,
  })
}
