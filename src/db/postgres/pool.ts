import { connect as openSocket, type Socket } from 'node:net'
import type { QueryResult } from 'kysely'
import postgres from 'postgres'

const connectionCount = 10
// The rest is left to statements outside transactions, so that reads never wait for them.
const transactionCount = 8
const connectTimeoutSeconds = 5
const idleTransactionMilliseconds = 60_000
const closeTimeoutSeconds = 5

type Sql = ReturnType<typeof connect>
type Parameters = postgres.ParameterOrJSON<never>[]

function toNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${text} does not fit a JavaScript number`)
  }
  return value
}

/** Where one connection leads, of the hosts that a URL may name. */
interface Place {
  readonly host: string
  readonly port: number
  readonly path?: string | false
}

function placesOf(url: string): readonly Place[] {
  const { host, port } = postgres(url).options
  return host.map((each, index) => ({ host: each, port: port[index] ?? 5432 }))
}

function reach({ host, port, path }: Place): Socket {
  const socket = path ? openSocket(path) : openSocket(port, host)
  // The driver checks a certificate against it.
  return Object.assign(socket, { host })
}

interface ConnectOptions {
  readonly url: string
  readonly place: Place
  readonly statementTimeoutMs: number
  readonly applicationName: string
  /** Is called once the connection is lost, or could not be made. */
  readonly onLost: () => void
}

/**
 * Opens a client of the driver that connects once, at the first query, and never again: between
 * the error of a socket and its end the driver takes queries that it forgets, and after which it
 * would give each answer to the query before.
 */
function connect({ url, place, statementTimeoutMs, applicationName, onLost }: ConnectOptions) {
  let isUsed = false
  const options = {
    host: place.host,
    port: place.port,
    max: 1,
    // Its end would not spare a connection between two statements of a transaction.
    max_lifetime: null,
    connect_timeout: connectTimeoutSeconds,
    backoff: () => 0,
    // Lists travel as JSON text, so the array types need not be asked for at each connection.
    fetch_types: false,
    onnotice: () => undefined,
    onclose: onLost,
    // Missing in the driver's types.
    socket: ({ path }: { path: string | false }) => {
      if (!isUsed) {
        isUsed = true
        return reach({ ...place, path })
      }
      onLost()
      throw Object.assign(new Error('The connection was lost'), { code: 'CONNECTION_CLOSED' })
    },
    connection: {
      application_name: applicationName,
      statement_timeout: statementTimeoutMs,
      // Of statements that are a transaction by themselves.
      default_transaction_isolation: 'read committed' as const,
      idle_in_transaction_session_timeout: idleTransactionMilliseconds,
    },
    types: {
      // int8 and numeric, which sum() makes of int8
      integer: { to: 20, from: [20, 1700], parse: toNumber, serialize: String },
      // as SQLite answers a comparison
      truth: {
        to: 16,
        from: [16],
        parse: (text: string) => (text === 't' ? 1 : 0),
        serialize: String,
      },
    },
  }
  return postgres(url, options)
}

function sendable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Array.isArray(value)) return JSON.stringify(value)
  return value
}

/**
 * One connection. `postgres` is given one connection each and not a pool, since only so does it
 * tell that a connection was lost between two statements of a transaction: the rest must not run
 * on the connection that replaces it.
 */
export class PostgresClient {
  readonly #url: string
  readonly #statementTimeoutMs: number
  readonly #applicationName: string
  readonly #places: readonly Place[]
  #opened = 0
  #isClosing = false
  #sql: Sql
  /** Counts the connections lost; a transaction lives within one value. */
  generation = 0
  /** The queries sent and not answered yet. */
  pending = 0
  /** Is taken by a transaction. */
  reserved = false
  /** Is connected: what is sent now goes to the present connection and to no other. */
  ready = false

  constructor(url: string, statementTimeoutMs: number, applicationName = 'cartwright') {
    this.#url = url
    this.#statementTimeoutMs = statementTimeoutMs
    this.#applicationName = applicationName
    this.#places = placesOf(url)
    this.#sql = this.#open()
  }

  async query<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const values = parameters.map(sendable) as Parameters
    const rows = await this.#counted(this.#sql.unsafe(sql, values, { prepare: true }))
    return { rows: Array.from(rows) as Row[], numAffectedRows: BigInt(rows.count ?? 0) }
  }

  /** Sends a command without parameters and returns what the server says it did. */
  async command(sql: string): Promise<string> {
    return (await this.#counted(this.#sql.unsafe(sql))).command
  }

  /** Drops the connection and refuses what waits on it; the next query opens another. */
  discard(): void {
    const old = this.#sql
    this.generation += 1
    this.ready = false
    this.#sql = this.#open()
    void old.end({ timeout: 0 })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#sql.end({ timeout: closeTimeoutSeconds })
  }

  #open(): Sql {
    const place = this.#places[this.#opened % this.#places.length]
    if (place === undefined) throw new Error('The URL of the database names no host')
    this.#opened += 1
    const sql = connect({
      url: this.#url,
      place,
      statementTimeoutMs: this.#statementTimeoutMs,
      applicationName: this.#applicationName,
      onLost: () => {
        if (this.#sql === sql && !this.#isClosing) this.discard()
      },
    })
    return sql
  }

  async #counted<T>(answer: PromiseLike<T>): Promise<T> {
    const { generation } = this
    this.pending += 1
    try {
      const result = await answer
      if (generation === this.generation) this.ready = true
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

  /** The number of transactions that wait for a connection. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Returns the connection on which a statement waits for the fewest others. */
  leastBusy(): PostgresClient {
    const free = this.#clients.filter((client) => !client.reserved)
    const connected = free.filter((client) => client.ready && client.pending === 0)
    if (connected[0] !== undefined) return connected[0]
    return free.reduce((least, client) => (client.pending < least.pending ? client : least))
  }

  /** Waits for a connection and keeps it for one transaction. */
  async reserve(): Promise<PostgresClient> {
    if (this.#reserved >= transactionCount) {
      return await new Promise((resolve) => this.#waiting.push(resolve))
    }
    this.#reserved += 1
    const client = this.leastBusy()
    client.reserved = true
    return client
  }

  /** Gives the connection of an ended transaction to the next one that waits. */
  release(client: PostgresClient): void {
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next(client)
      return
    }
    client.reserved = false
    this.#reserved -= 1
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()))
  }
}
