import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations/list.ts'
import { dialectOf } from './query/dialect.ts'
import type { Tables } from './tables/tables.ts'

// Any number, as long as every process takes the same.
const advisoryLock = 7_305_118_264

/** Says that a newer release has changed the database, which this one does not know. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
}

async function hasMigrationsTable(db: Kysely<Tables>): Promise<boolean> {
  const found =
    dialectOf(db) === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = 'migrations'`
      : sql`select 1 where to_regclass('migrations') is not null`
  return (await found.execute(db)).rows.length > 0
}

async function namesRun(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  if (!(await hasMigrationsTable(db))) return new Set()
  const rows = await db.selectFrom('migrations').select('name').execute()
  return new Set(rows.map((row) => row.name))
}

async function runMissing(db: Kysely<Tables>): Promise<readonly string[]> {
  if (dialectOf(db) === 'postgres') {
    // Rewriting a large table takes as long as it takes, and so does waiting for who does.
    await sql`set local statement_timeout = 0`.execute(db)
    // SQLite has one writer anyway; here the others wait until the first has committed.
    await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(db)
  }
  const run = await namesRun(db)
  const unknown = [...run].filter((name) => !migrations.some((known) => known.name === name))
  if (unknown.length > 0) {
    throw new NewerDatabaseError(
      `The database has been migrated by a newer release (${unknown.join(', ')}): start that one`,
    )
  }
  const missing = migrations.filter(({ name }) => !run.has(name))
  for (const { name, up } of missing) {
    await up(db)
    await db.insertInto('migrations').values({ name, run_at: Date.now() }).execute()
  }
  return missing.map(({ name }) => name)
}

/** Runs, in one transaction, the migrations that the database lacks and returns their names. */
export async function migrate(
  transaction: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>,
): Promise<readonly string[]> {
  return await transaction(runMissing)
}

/** Counts the migrations that the database lacks. */
export async function countPending(db: Kysely<Tables>): Promise<number> {
  const run = await namesRun(db)
  return migrations.filter(({ name }) => !run.has(name)).length
}
