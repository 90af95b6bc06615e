import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { createSchema, requireRows } from './create-schema.ts'
import type { TableDeclaration } from './declaration.ts'
import { isLockConflict } from './errors.ts'
import { dialectOf } from './query/dialect.ts'
import type { Tables } from './tables.ts'

// An arbitrary number that every process agrees on.
const advisoryLockKey = 7_305_118_264
// Requests wait meanwhile. Less than the second after which PostgreSQL looks for a deadlock and may
// cancel them.
const firstLockTimeoutMs = 100
const maxLockTimeoutMs = 800
const maxAttempts = 100
const maxPauseMs = 500

/** A change of the schema that a release brings; its name is stored in the database and never changes. */
export interface Migration {
  readonly name: string
  up(db: Kysely<Tables>): Promise<void>
}

/** The name under which a database records that its tables were created from the declarations. */
const firstSchema = '0.1.0'

/**
 * The changes of the schema since its first release, in order. Processes of the previous release serve
 * beside a migration, so each only adds: tables, indexes, and columns that may be null or have a default.
 */
const laterMigrations: readonly Migration[] = []

/** Every migration, in order: the first creates all tables. */
const allMigrations = (tables: readonly TableDeclaration[]): readonly Migration[] => [
  {
    name: firstSchema,
    up: async (db) => {
      await createSchema(db, tables)
      if (dialectOf(db) === 'postgres') await sql.raw(requireRows).execute(db)
    },
  },
  ...laterMigrations,
]

const knownNames = [firstSchema, ...laterMigrations.map(({ name }) => name)]

/** The tables are older than the first release, or a newer release has migrated them. */
export class DatabaseVersionError extends Error {
  override readonly name = 'DatabaseVersionError'
}

async function hasMigrationsTable(db: Kysely<Tables>): Promise<boolean> {
  const query =
    dialectOf(db) === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = 'migrations'`
      : sql`select 1 where to_regclass('migrations') is not null`
  return (await query.execute(db)).rows.length > 0
}

/** Returns the names of the migrations that have run. */
async function completedNames(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  if (!(await hasMigrationsTable(db))) return new Set()
  const rows = await db.selectFrom('migrations').select('name').execute()
  return new Set(rows.map(({ name }) => name))
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
  if (completed.size > 0 && !completed.has(firstSchema)) {
    throw new DatabaseVersionError(
      'The database is of a version before 0.1.0: export its data with that version, and import it into a new database',
    )
  }
  const unknown = [...completed].filter((name) => !migrations.some((known) => known.name === name))
  if (unknown.length > 0) {
    throw new DatabaseVersionError(
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
 * Runs the pending migrations in one transaction and returns their names; the first creates the tables. On PostgreSQL it starts again,
 * up to 100 times, where the requests of running processes keep a table locked. Throws a
 * DatabaseVersionError if this release cannot serve the database.
 */
export async function migrate(
  transaction: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>,
  tables: readonly TableDeclaration[],
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const lockTimeoutMs = Math.min(attempt * firstLockTimeoutMs, maxLockTimeoutMs)
    try {
      return await transaction((db) => runPending(db, allMigrations(tables), lockTimeoutMs))
    } catch (error) {
      if (attempt === maxAttempts || !isLockConflict(error)) throw error
    }
    await sleep(Math.random() * maxPauseMs)
  }
}

/** Counts the pending migrations. */
export async function countPending(db: Kysely<Tables>): Promise<number> {
  const completed = await completedNames(db)
  return knownNames.filter((name) => !completed.has(name)).length
}
