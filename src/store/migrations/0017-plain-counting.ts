import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { counterDefinitions } from './0004-counts.ts'
import { replaceSqliteTriggers } from './counter.ts'

/** Replaces the upserts in the SQLite triggers of the counters by statements that copy no pages. */
export async function replaceCounterTriggers(db: Kysely<Tables>): Promise<void> {
  for (const definition of counterDefinitions) await replaceSqliteTriggers(db, definition)
}
