import { openStore, type Store } from '#db/database.ts'
import type { DatabaseAddress } from '#src/config/database-url.ts'
import { StartError } from '#src/server/start-error.ts'

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

function withoutCredentials(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}
