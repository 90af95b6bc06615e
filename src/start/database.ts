import { StartError } from '#src/operations/start-error.ts'
import type { DatabaseAddress } from '#src/settings.ts'
import { openStore, type Store } from '#store/database.ts'

/** Opens the database at an address; throws a StartError, without its password, where that fails. */
export async function openDatabase(
  { kind, url, file }: DatabaseAddress,
  options?: Parameters<typeof openStore>[1],
): Promise<Store> {
  try {
    return await openStore(url, options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const place = kind === 'postgres' ? withoutCredentials(url) : (file ?? url)
    throw new StartError(`DATABASE_URL: ${place} cannot be opened: ${message || code}`)
  }
}

function withoutCredentials(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}
