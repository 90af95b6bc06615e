import { connect as openSocket, type Socket } from 'node:net'
import postgres from 'postgres'
import type { sessionSettings } from './session-settings.ts'
import { findWritableHost, type ServerAddress } from './writable-host.ts'

const connectTimeoutSeconds = 5

function toNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${text} does not fit a JavaScript number`)
  }
  return value
}

/** Returns the addresses of the hosts in a URL, which may have several. */
export function parseAddresses(url: string): readonly ServerAddress[] {
  const { host, port } = postgres(url).options
  return host.map((each, index) => ({ host: each, port: port[index] ?? 5432 }))
}

function connectSocket(
  { host, port }: ServerAddress,
  { path }: { readonly path: string | false },
): Socket {
  const socket = path ? openSocket(path) : openSocket(port, host)
  // The driver verifies a certificate against `host`.
  return Object.assign(socket, { host })
}

interface ConnectOptions {
  readonly url: string
  readonly addresses: readonly ServerAddress[]
  readonly applicationName: string
  /** Settings of the session; none through a pooler, whose connections belong to other clients too. */
  readonly settings: Partial<ReturnType<typeof sessionSettings>>
  /** Called when the connection is lost or cannot be made. */
  readonly onLost: () => void
}

/**
 * Creates a client of the driver that connects once, at the first query. Between the error of a
 * socket and its end the driver accepts queries that it forgets, and on a new connection it would
 * assign each result to the wrong query.
 */
export function connect({ url, addresses, applicationName, settings, onLost }: ConnectOptions) {
  let hasConnected = false
  const [address] = addresses
  if (address === undefined) throw new Error('The URL of the database has no host')
  const options = {
    host: address.host,
    port: address.port,
    max: 1,
    // The driver would end a connection between two statements of a transaction.
    max_lifetime: null,
    connect_timeout: connectTimeoutSeconds,
    backoff: () => 0,
    // Lists are sent as JSON text, so the driver need not query the array types.
    fetch_types: false,
    onnotice: () => undefined,
    onclose: onLost,
    // Missing in the driver's types.
    socket: (place: { path: string | false }) => {
      if (!hasConnected) {
        hasConnected = true
        return addresses.length === 1
          ? connectSocket(address, place)
          : findWritableHost(url, addresses).then(
              (writable) => connectSocket(writable, place),
              (error: unknown) => {
                // The driver would keep later queries for a connection that it never opens.
                onLost()
                throw error
              },
            )
      }
      onLost()
      throw Object.assign(new Error('The connection was lost'), { code: 'CONNECTION_CLOSED' })
    },
    connection: { application_name: applicationName, ...settings },
    types: {
      // int8 and numeric, the type of a sum of int8
      integer: { to: 20, from: [20, 1700], parse: toNumber, serialize: String },
      // 0 and 1, as in SQLite
      boolean: {
        to: 16,
        from: [16],
        parse: (text: string) => (text === 't' ? 1 : 0),
        serialize: String,
      },
    },
  }
  return postgres(url, options)
}
