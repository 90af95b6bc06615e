import postgres from 'postgres'

const connectTimeoutSeconds = 5

/** A server of PostgreSQL. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/** The answers that are awaited: connections that are opened together ask once. */
const asking = new Map<string, Promise<ServerAddress>>()

/** Removes the parameter by which libpq and the driver choose a host; `findWritableHost` does it here. */
export const withoutSessionAttributes = (url: string): string =>
  url.replace(/([?&])target_session_attrs=[^&#]*&?/, '$1')

/** Asks all hosts of a URL at once and returns the one that takes writes. Rejects if none does. */
export function findWritableHost(
  url: string,
  addresses: readonly ServerAddress[],
): Promise<ServerAddress> {
  return asking.getOrInsertComputed(url, () =>
    Promise.any(addresses.map((address) => requireWritable(url, address)))
      .catch(() => {
        throw Object.assign(new Error('none of its hosts takes writes'), {
          code: 'CONNECTION_CLOSED',
        })
      })
      .finally(() => asking.delete(url)),
  )
}

async function requireWritable(url: string, address: ServerAddress): Promise<ServerAddress> {
  const sql = postgres(url, {
    ...address,
    max: 1,
    connect_timeout: connectTimeoutSeconds,
    backoff: () => 0,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'cartwright' },
  })
  try {
    const [row] = await sql.unsafe(`select current_setting('transaction_read_only') as read_only`)
    if (row?.['read_only'] !== 'off') throw new Error('a standby')
    return address
  } finally {
    void sql.end({ timeout: 0 })
  }
}
