import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import postgres from 'postgres'
import { openStore, type Store } from '#db/database.ts'

/** A kind of database that tests run on. */
export type StoreKind = 'sqlite' | 'memory' | 'postgres'

/** Every kind of database. */
export const storeKinds: readonly StoreKind[] = ['sqlite', 'memory', 'postgres']

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

function urlOf(database: string): string {
  const url = new URL(process.env[postgresVariable] ?? '')
  url.pathname = `/${database}`
  return url.href
}

/** Creates a database without tables. */
export async function createEmptyDatabase(
  kind: StoreKind,
): Promise<{ url: string; remove: () => Promise<void> }> {
  switch (kind) {
    case 'memory':
      return { url: 'sqlite::memory:', remove: async () => undefined }
    case 'sqlite': {
      const folder = await mkdtemp(join(tmpdir(), 'cartwright-'))
      const remove = () => rm(folder, { recursive: true, force: true })
      return { url: `sqlite:${join(folder, 'store.db')}`, remove }
    }
    case 'postgres': {
      const name = `cw_test_${randomBytes(6).toString('hex')}`
      await runAdminCommand(`create database ${name}`)
      const remove = () => runAdminCommand(`drop database if exists ${name} with (force)`)
      return { url: urlOf(name), remove }
    }
    default:
      return kind satisfies never
  }
}

/** Creates and opens a migrated database. */
export async function openTemporaryStore(kind: StoreKind): Promise<TemporaryStore> {
  const { url, remove } = await createEmptyDatabase(kind)
  try {
    const store = await openStore(url)
    await store.migrate()
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
