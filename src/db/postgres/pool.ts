import { connect as openSocket, type Socket } from 'node:net'
import type { QueryResult } from 'kysely'
import postgres from 'postgres'

const connectionCount = 10
// The remaining connections serve statements outside transactions, so that reads never wait.
const transactionCount = 8
const connectTimeoutSeconds = 5
const idleTransactionMilliseconds = 60_000
const closeTimeoutSeconds = 5

/**
 * Makes PostgreSQL look rows up by index, in the order in which a statement names its tables. Otherwise it
 * reads a small table whole and, since a connection keeps its plans, goes on doing so while the table
 * grows; the plans of foreign key checks are kept too.
 */
const planning = {
  join_collapse_limit: 1,
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // A plan that still needs a disabled method has a huge cost, above the threshold of the compiler.
  jit: 'off',
}

type Sql = ReturnType<typeof connect>
type Parameters = postgres.ParameterOrJSON<never>[]

function toNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${text} does not fit a JavaScript number`)
  }
  return value
}

interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly path?: string | false
}

/** The addresses of the hosts in a URL, which may have several. */
function parseAddresses(url: string): readonly ServerAddress[] {
  const { host, port } = postgres(url).options
  return host.map((each, index) => ({ host: each, port: port[index] ?? 5432 }))
}

function connectSocket({ host, port, path }: ServerAddress): Socket {
  const socket = path ? openSocket(path) : openSocket(port, host)
  // The driver verifies a certificate against `host`.
  return Object.assign(socket, { host })
}

interface ConnectOptions {
  readonly url: string
  readonly address: ServerAddress
  readonly statementTimeoutMs: number
  readonly applicationName: string
  /** Called when the connection is lost or cannot be made. */
  readonly onLost: () => void
}

/**
 * Creates a client of the driver that connects once, at the first query. Between the error of a
 * socket and its end the driver accepts queries that it forgets, and on a new connection it would
 * assign each result to the wrong query.
 */
function connect({ url, address, statementTimeoutMs, applicationName, onLost }: ConnectOptions) {
  let hasConnected = false
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
    socket: ({ path }: { path: string | false }) => {
      if (!hasConnected) {
        hasConnected = true
        return connectSocket({ ...address, path })
      }
      onLost()
      throw Object.assign(new Error('The connection was lost'), { code: 'CONNECTION_CLOSED' })
    },
    connection: {
      application_name: applicationName,
      statement_timeout: statementTimeoutMs,
      // For statements outside transactions.
      default_transaction_isolation: 'read committed' as const,
      idle_in_transaction_session_timeout: idleTransactionMilliseconds,
      ...planning,
    },
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

function toParameter(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Array.isArray(value)) return JSON.stringify(value)
  return value
}

/**
 * One connection. Each has a driver client of its own instead of sharing the driver's pool, which
 * does not report a connection lost between two statements of a transaction: the rest must not run
 * on the connection that replaces it.
 */
export class PostgresClient {
  readonly #url: string
  readonly #statementTimeoutMs: number
  readonly #applicationName: string
  readonly #addresses: readonly ServerAddress[]
  #openCount = 0
  #isClosing = false
  #sql: Sql
  /** The number of lost connections; it does not change during a transaction. */
  generation = 0
  /** The number of queries in progress. */
  pending = 0
  /** True while a transaction has the connection. */
  isReserved = false
  /** True once connected: queries go to this connection and no other. */
  isReady = false

  constructor(url: string, statementTimeoutMs: number, applicationName = 'cartwright') {
    this.#url = url
    this.#statementTimeoutMs = statementTimeoutMs
    this.#applicationName = applicationName
    this.#addresses = parseAddresses(url)
    this.#sql = this.#open()
  }

  async query<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const values = parameters.map(toParameter) as Parameters
    const rows = await this.#track(this.#sql.unsafe(sql, values, { prepare: true }))
    return { rows: Array.from(rows) as Row[], numAffectedRows: BigInt(rows.count ?? 0) }
  }

  /** Runs a command without parameters and returns the command tag of the server. */
  async command(sql: string): Promise<string> {
    return (await this.#track(this.#sql.unsafe(sql))).command
  }

  /** Ends the connection, which rejects its queries; the next query opens another. */
  discard(): void {
    const old = this.#sql
    this.generation += 1
    this.isReady = false
    this.#sql = this.#open()
    void old.end({ timeout: 0 })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#sql.end({ timeout: closeTimeoutSeconds })
  }

  #open(): Sql {
    const address = this.#addresses[this.#openCount % this.#addresses.length]
    if (address === undefined) throw new Error('The URL of the database has no host')
    this.#openCount += 1
    const sql = connect({
      url: this.#url,
      address,
      statementTimeoutMs: this.#statementTimeoutMs,
      applicationName: this.#applicationName,
      onLost: () => {
        if (this.#sql === sql && !this.#isClosing) this.discard()
      },
    })
    return sql
  }

  async #track<T>(query: PromiseLike<T>): Promise<T> {
    const { generation } = this
    this.pending += 1
    try {
      const result = await query
      if (generation === this.generation) this.isReady = true
      return result
    } finally {
      this.pending -= 1
    }
  }
}

/** The connections to one PostgreSQL database. */
export class PostgresPool {
  readonly #clients: readonly PostgresClient[]
  readonly #waiting: ((client: PostgresClient) => void)[] = []
  #reserved = 0

  constructor(url: string, statementTimeoutMs: number) {
    this.#clients = Array.from(
      { length: connectionCount },
      () => new PostgresClient(url, statementTimeoutMs),
    )
  }

  /** The number of transactions waiting for a connection. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Returns an idle open connection, or else the one with the fewest queries in progress. */
  leastBusy(): PostgresClient {
    const unreserved = this.#clients.filter((client) => !client.isReserved)
    const idle = unreserved.find((client) => client.isReady && client.pending === 0)
    if (idle !== undefined) return idle
    return unreserved.reduce((least, client) => (client.pending < least.pending ? client : least))
  }

  /** Waits for a connection and reserves it for one transaction. */
  async reserve(): Promise<PostgresClient> {
    if (this.#reserved >= transactionCount) {
      return await new Promise((resolve) => this.#waiting.push(resolve))
    }
    this.#reserved += 1
    const client = this.leastBusy()
    client.isReserved = true
    return client
  }

  /** Passes the connection of an ended transaction on to the next one that waits. */
  release(client: PostgresClient): void {
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next(client)
      return
    }
    client.isReserved = false
    this.#reserved -= 1
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()))
  }
}
