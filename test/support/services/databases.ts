import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import postgres from 'postgres'
import { openStore, type Store } from '#db/database.ts'

/** The databases a test may be given. */
export type StoreKind = 'sqlite' | 'memory' | 'postgres'

/** Every kind, for tests that promise the same of each. */
export const storeKinds: readonly StoreKind[] = ['sqlite', 'memory', 'postgres']

/** A store of a test's own, and how to be rid of it. */
export interface TemporaryStore {
  readonly store: Store
  /** By which another process may open the same database. */
  readonly url: string
  dispose(): Promise<void>
}

// Names a PostgreSQL database whose user may create others.
const postgresVariable = 'TEST_DATABASE_URL'

/** Says why stores of this kind cannot be tested, or false where they can: what `skip` takes. */
export function skipReason(kind: StoreKind): string | false {
  return kind === 'postgres' && process.env[postgresVariable] === undefined
    ? `PostgreSQL is not tested: ${postgresVariable} is not set`
    : false
}

async function administer(command: string): Promise<void> {
  const url = process.env[postgresVariable]
  if (url === undefined) throw new Error(`${postgresVariable} is not set`)
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(command)
  } finally {
    await sql.end()
  }
}

function addressOf(database: string): string {
  const url = new URL(process.env[postgresVariable] ?? '')
  url.pathname = `/${database}`
  return url.href
}

/** Creates a database without tables, to be opened by its address. */
export async function emptyDatabase(
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
      await administer(`create database ${name}`)
      const remove = () => administer(`drop database if exists ${name} with (force)`)
      return { url: addressOf(name), remove }
    }
    default:
      return kind satisfies never
  }
}

/** Creates a fresh, migrated database and opens it; `dispose` closes and removes it. */
export async function temporaryStore(kind: StoreKind): Promise<TemporaryStore> {
  const { url, remove } = await emptyDatabase(kind)
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

/** A store that counts the statements that succeed through it, in transactions and outside. */
export interface CountingStore {
  readonly store: Store
  /** How many statements there were since the last time this was asked. */
  readonly takeCount: () => number
}

/** Wraps a store so that a plugin sees its statements. */
export const watched = (store: Store, plugin: KyselyPlugin): Store => ({
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
  const counted = watched(store, counter)
  const takeCount = (): number => {
    const taken = count
    count = 0
    return taken
  }
  return { store: counted, takeCount }
}
