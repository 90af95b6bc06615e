import type { Kysely } from 'kysely'
import { tallies } from '#store/migrations/0004-counts.ts'
import { renewSqliteTriggers } from '#store/migrations/tally.ts'
import type { Tables } from '#store/tables.ts'

/** Has SQLite count by statements that it need not be able to undo one by one. */
export async function countPlainly(db: Kysely<Tables>): Promise<void> {
  for (const tally of tallies) await renewSqliteTriggers(db, tally)
}
