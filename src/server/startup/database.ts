import { existsSync } from 'node:fs'
import type { Config } from '#src/config/config.ts'
import type { DatabaseAddress } from '#src/config/database-url.ts'
import { StartError } from '#src/server/start-error.ts'
import { openStore, type Store } from '#store/database.ts'
import { parseHostList } from '#values/host-list.ts'

/** Opens a database. Throws a StartError, which never shows the password, when that fails. */
export async function openDatabase(
  { kind, url, file }: DatabaseAddress,
  options?: Parameters<typeof openStore>[1],
): Promise<Store> {
  try {
    return await openStore(url, options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const location = kind === 'postgres' ? withoutCredentials(url) : (file ?? url)
    throw new StartError(`DATABASE_URL: ${location} cannot be opened: ${message || code}`)
  }
}

/** The options with which a server opens its database. */
export const storeOptions = ({ databasePool, databaseDirect, databaseReplica }: Config) => ({
  connections: databasePool,
  directUrl: databaseDirect?.url,
  replicaUrl: databaseReplica?.url,
})

/** As `openDatabase`, and throws a StartError when the database is missing or not up to date. */
export async function openMigratedDatabase(address: DatabaseAddress): Promise<Store> {
  if (address.kind === 'sqlite' && !existsSync(address.file ?? '')) {
    throw new StartError('DATABASE_URL: the database does not exist; start the server first')
  }
  const store = await openDatabase(address)
  if ((await store.pending()) === 0) return store
  await store.close()
  throw new StartError('DATABASE_URL: the database is not up to date; run `npm run migrate` first')
}

function withoutCredentials(address: string): string {
  const { first, hosts } = parseHostList(address) ?? {}
  return `${first?.protocol}//${hosts}${first?.pathname}`
}
