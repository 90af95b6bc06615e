import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isLockConflict } from './errors.ts'
import { type Migration, migrations } from './migrations/list.ts'
import { dialectOf } from './query/dialect.ts'
import type { Tables } from './tables/tables.ts'

// An arbitrary number that every process agrees on.
const advisoryLockKey = 7_305_118_264
// Requests wait meanwhile. Less than the second after which PostgreSQL looks for a deadlock and may
// cancel them.
const firstLockTimeoutMs = 100
const maxLockTimeoutMs = 800
const maxAttempts = 100
const maxPauseMs = 500

/** A newer release has migrated the database. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
}

async function hasMigrationsTable(db: Kysely<Tables>): Promise<boolean> {
  const query =
    dialectOf(db) === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = 'migrations'`
      : sql`select 1 where to_regclass('migrations') is not null`
  return (await query.execute(db)).rows.length > 0
}

const currentNames: ReadonlyMap<string, string> = new Map(
  migrations.flatMap(({ name, formerName }) => (formerName ? [[formerName, name]] : [])),
)

/** Returns the names of the migrations that have run, as they are in the list today. */
async function completedNames(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  if (!(await hasMigrationsTable(db))) return new Set()
  const rows = await db.selectFrom('migrations').select('name').execute()
  return new Set(rows.map(({ name }) => currentNames.get(name) ?? name))
}

async function runPending(
  db: Kysely<Tables>,
  migrations: readonly Migration[],
  lockTimeoutMs: number,
): Promise<readonly string[]> {
  if (dialectOf(db) === 'postgres') {
    // Rewriting a large table may take long, and so may waiting for another process that does.
    await sql`set local statement_timeout = 0`.execute(db)
    // Migrations read whole tables, for which the connection's planner settings are wrong.
    for (const method of ['seqscan', 'hashjoin', 'mergejoin']) {
      await sql`set local ${sql.raw(`enable_${method}`)} = on`.execute(db)
    }
    // Processes that start together migrate one after the other, as the one writer of SQLite does.
    await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLockKey)})`.execute(db)
    // Requests wait behind a migration that waits for a table, and those that hold it may be among them.
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(db)
  }
  const completed = await completedNames(db)
  const unknown = [...completed].filter((name) => !migrations.some((known) => known.name === name))
  if (unknown.length > 0) {
    throw new NewerDatabaseError(
      `The database has been migrated by a newer release (${unknown.join(', ')}): start that one`,
    )
  }
  const pending = migrations.filter(({ name }) => !completed.has(name))
  for (const { name, up } of pending) {
    await up(db)
    await db.insertInto('migrations').values({ name, run_at: Date.now() }).execute()
  }
  return pending.map(({ name }) => name)
}

/**
 * Runs the pending migrations in one transaction and returns their names. On PostgreSQL it starts again,
 * up to 100 times, where the requests of running processes keep a table locked. Throws a
 * NewerDatabaseError if the database has migrations that this release does not know.
 */
export async function migrate(
  transaction: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>,
  list: readonly Migration[] = migrations,
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const lockTimeoutMs = Math.min(attempt * firstLockTimeoutMs, maxLockTimeoutMs)
    try {
      return await transaction((db) => runPending(db, list, lockTimeoutMs))
    } catch (error) {
      if (attempt === maxAttempts || !isLockConflict(error)) throw error
    }
    await sleep(Math.random() * maxPauseMs)
  }
}

/** Counts the pending migrations. */
export async function countPending(db: Kysely<Tables>): Promise<number> {
  const completed = await completedNames(db)
  return migrations.filter(({ name }) => !completed.has(name)).length
}
