import type { Kysely } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'
import { counterDefinitions } from './0004-counts.ts'
import { renewSqliteTriggers } from './counter.ts'

/** Has SQLite count by statements that it need not be able to undo one by one. */
export async function countPlainly(db: Kysely<Tables>): Promise<void> {
  for (const counterDefinition of counterDefinitions)
    await renewSqliteTriggers(db, counterDefinition)
}
