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

function connect(url: string, onclose: () => void) {
  return postgres(url, {
    max: 1,
    // Its end would not spare a connection between two statements of a transaction.
    max_lifetime: null,
    connect_timeout: connectTimeoutSeconds,
    // Lists travel as JSON text, so the array types need not be asked for at each connection.
    fetch_types: false,
    onnotice: () => undefined,
    onclose,
    connection: {
      application_name: 'cartwright',
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
  })
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
  #sql: Sql
  /** Counts the connections lost; a transaction lives within one value. */
  generation = 0
  /** The queries sent and not answered yet. */
  pending = 0
  /** Is taken by a transaction. */
  reserved = false
  /** Is connected: what is sent now goes to the present connection and to no other. */
  ready = false

  constructor(url: string) {
    this.#url = url
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

  /** Drops a connection whose state is not known; the next query opens another. */
  discard(): void {
    const old = this.#sql
    this.#lose()
    this.#sql = this.#open()
    void old.end({ timeout: 0 })
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: closeTimeoutSeconds })
  }

  #open(): Sql {
    const sql = connect(this.#url, () => {
      if (this.#sql === sql) this.#lose()
    })
    return sql
  }

  #lose(): void {
    this.generation += 1
    this.ready = false
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

  constructor(url: string) {
    this.#clients = Array.from({ length: connectionCount }, () => new PostgresClient(url))
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
