import { sql } from 'kysely'
import type { Db, Store } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'

/** Times by which a clock can be judged. */
interface StoredTimes {
  /** When the last event and the last entry of the audit trail were written; null without any. */
  readonly event_at: Instant | null
  readonly audit_at: Instant | null
  /** What the clock of the database says; null on SQLite. */
  readonly database_at: Instant | null
}

/** The time by the clock of PostgreSQL, also within a transaction. */
export const databaseTime = sql<Instant>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`

/** Returns what the clock of PostgreSQL says. */
export async function readDatabaseTime(db: Db): Promise<Instant> {
  const { rows } = await sql<{ time: Instant }>`select ${databaseTime} as time`.execute(db)
  const [row] = rows
  if (!row) throw new Error('PostgreSQL has told no time')
  return row.time
}

/** Reads them in one statement. */
export async function readStoredTimes({
  kind,
  db,
}: Pick<Store, 'kind' | 'db'>): Promise<StoredTimes> {
  const { rows } = await sql<StoredTimes>`
    select (select time from events order by sequence desc limit 1) as event_at,
      (select at from audit_events order by id desc limit 1) as audit_at,
      ${kind === 'postgres' ? databaseTime : sql`null`} as database_at`.execute(db)
  return rows[0] ?? { event_at: null, audit_at: null, database_at: null }
}
