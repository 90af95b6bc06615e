import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type KyselyPlugin, sql } from 'kysely'
import postgres from 'postgres'
import { tableDeclarations } from '#src/server/tables.ts'
import { openStore, type Store } from '#store/database.ts'

/** A database on which servers are tested. */
export type DatabaseKind = 'sqlite' | 'postgres'

/** A kind of database that tests run on; `memory` is an SQLite database of one process. */
export type StoreKind = DatabaseKind | 'memory'

// The URL of a pooler through which the tests of a process reach PostgreSQL.
const poolerVariable = 'TEST_DATABASE_POOLER_URL'

/** Every kind of database; only PostgreSQL where the tests reach it through a pooler. */
export const storeKinds: readonly StoreKind[] =
  process.env[poolerVariable] === undefined ? ['sqlite', 'memory', 'postgres'] : ['postgres']

/** The databases on which servers are tested; only PostgreSQL where the tests reach it through a pooler. */
export const databaseKinds = storeKinds.filter((kind) => kind !== 'memory')

/** An open store on a database of its own. */
export interface TemporaryStore {
  readonly store: Store
  /** The URL with which another process can open the same database. */
  readonly url: string
  /** Closes the store and removes the database. */
  dispose(): Promise<void>
}

// A PostgreSQL database whose user may create databases.
const postgresVariable = 'TEST_DATABASE_URL'
// The migrated databases that `createTemplates` has made: a name on the same server, and a file.
const templateVariables = {
  postgres: 'TEST_DATABASE_TEMPLATE',
  sqlite: 'TEST_SQLITE_TEMPLATE',
} as const

/** The reason why stores of this kind cannot be tested, or false: a value for `skip`. */
export function skipReason(kind: StoreKind): string | false {
  return kind === 'postgres' && process.env[postgresVariable] === undefined
    ? `PostgreSQL is not tested: ${postgresVariable} is not set`
    : false
}

async function runAdminCommand(command: string): Promise<void> {
  const url = process.env[postgresVariable]
  if (url === undefined) throw new Error(`${postgresVariable} is not set`)
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(command)
  } finally {
    await sql.end()
  }
}

function urlOf(database: string, serverVariable = postgresVariable): string {
  const url = new URL(process.env[serverVariable] ?? '')
  url.pathname = `/${database}`
  return url.href
}

/** A database without an open connection. */
interface ClosedDatabase {
  readonly url: string
  /** The URL of the server itself where `url` is that of a pooler. */
  readonly directUrl?: string
  readonly remove: () => Promise<void>
}

/** Creates a database without tables. */
export const createEmptyDatabase = (kind: StoreKind): Promise<ClosedDatabase> =>
  createDatabase(kind, {})

/** The database to copy, by kind; without one, the new database is empty. */
type Templates = { readonly [kind in StoreKind]?: string | undefined }

async function createDatabase(kind: StoreKind, templates: Templates): Promise<ClosedDatabase> {
  switch (kind) {
    case 'memory':
      return { url: 'sqlite::memory:', remove: async () => undefined }
    case 'sqlite': {
      const folder = await mkdtemp(join(tmpdir(), 'cartwright-'))
      const file = join(folder, 'store.db')
      if (templates.sqlite !== undefined) await copyFile(templates.sqlite, file)
      return { url: `sqlite:${file}`, remove: () => rm(folder, { recursive: true, force: true }) }
    }
    case 'postgres': {
      const name = `cw_test_${randomBytes(6).toString('hex')}`
      const template = templates.postgres ?? 'template1'
      await runAdminCommand(`create database ${name} template ${template}`)
      const remove = () => runAdminCommand(`drop database if exists ${name} with (force)`)
      const isPooled = process.env[poolerVariable] !== undefined
      return {
        url: urlOf(name, isPooled ? poolerVariable : postgresVariable),
        ...(isPooled && { directUrl: urlOf(name) }),
        remove,
      }
    }
    default:
      return kind satisfies never
  }
}

/**
 * Creates the databases that `openTemporaryStore` copies in the processes started from here, because
 * migrating takes longer; returns how to remove them.
 */
export async function createTemplates(): Promise<() => Promise<void>> {
  const removals: (() => Promise<void>)[] = []
  for (const kind of ['sqlite', 'postgres'] as const) {
    if (skipReason(kind)) continue
    const { url, directUrl = url, remove } = await createEmptyDatabase(kind)
    removals.push(remove)
    // A pooler would keep a connection, and a database with one cannot be copied.
    const store = await openStore(directUrl)
    await store.migrate(tableDeclarations).finally(() => store.close())
    process.env[templateVariables[kind]] =
      kind === 'sqlite' ? url.slice('sqlite:'.length) : new URL(url).pathname.slice(1)
  }
  return async () => {
    for (const remove of removals) await remove()
  }
}

/** Copies an SQLite file into an empty database in memory. */
async function copyToMemory(file: string, store: Store): Promise<void> {
  const template = new DatabaseSync(file, { readOnly: true })
  const schemaOf = (types: string) =>
    template
      .prepare(`select name, sql from sqlite_schema where type in (${types}) and sql is not null
        and name not like 'sqlite%'`)
      .all() as { name: string; sql: string }[]
  await store.transaction(async (db) => {
    for (const table of schemaOf("'table'")) {
      await sql.raw(table.sql).execute(db)
      for (const row of template.prepare(`select * from ${table.name}`).all()) {
        const columns = Object.keys(row).map((name) => sql.ref(name))
        const values = Object.values(row).map((value) => sql.val(value))
        await sql`insert into ${sql.table(table.name)} (${sql.join(columns)})
          values (${sql.join(values)})`.execute(db)
      }
    }
    // Triggers, created before, would count the rows a second time.
    for (const each of schemaOf("'index', 'trigger'")) await sql.raw(each.sql).execute(db)
  })
  template.close()
}

/** Creates and opens a migrated database. */
export async function openTemporaryStore(kind: StoreKind): Promise<TemporaryStore> {
  const templates = {
    postgres: process.env[templateVariables.postgres],
    sqlite: process.env[templateVariables.sqlite],
  }
  const { url, directUrl, remove } = await createDatabase(kind, templates)
  try {
    const store = await openStore(url, { directUrl })
    if (kind === 'memory' && templates.sqlite !== undefined) {
      await copyToMemory(templates.sqlite, store)
    }
    await store.migrate(tableDeclarations)
    const dispose = async (): Promise<void> => {
      await store.close()
      await remove()
    }
    return { store, url, dispose }
  } catch (error) {
    await remove()
    throw error
  }
}

/** A store that counts its successful statements, inside and outside transactions. */
export interface CountingStore {
  readonly store: Store
  /** Returns the number of statements since the last call. */
  readonly takeCount: () => number
}

/** Wraps a store so that its statements pass through a plugin. */
export const storeWithPlugin = (store: Store, plugin: KyselyPlugin): Store => ({
  ...store,
  db: store.db.withPlugin(plugin),
  transaction: (work) => store.transaction((db) => work(db.withPlugin(plugin))),
})

/** Wraps a store so that its statements are counted. */
export function countStatements(store: Store): CountingStore {
  let count = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count += 1
      return result
    },
  }
  const takeCount = (): number => {
    const taken = count
    count = 0
    return taken
  }
  return { store: storeWithPlugin(store, counter), takeCount }
}

/** Resolves once a session of this database waits for a lock; immediately on SQLite. */
export async function waitForLockWaiter({ kind, db }: Store): Promise<void> {
  if (kind === 'sqlite') return
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length > 0) return
    await sleep(10)
  }
}
