import { PostgresClient } from './client.ts'

const defaultConnectionCount = 10
// The remaining connections serve statements outside transactions, so that reads never wait.
const transactionShare = 0.8

/** Options of a pool. */
export interface PoolOptions {
  /** A statement is cancelled after this time; 0: never. */
  readonly statementTimeoutMs: number
  /** How many connections it opens: 10 by default. */
  readonly connections?: number | undefined
  /** See `ClientOptions`. */
  readonly isPooled?: boolean
}

/**
 * Creates a pool for the URL, whether it leads to PostgreSQL or to a pooler. Throws if it does not
 * answer.
 */
export async function openPool(url: string, options: PoolOptions): Promise<PostgresPool> {
  const pool = new PostgresPool(url, options)
  if (options.isPooled) return pool
  try {
    if (!(await pool.leastBusy().isForwarded())) return pool
  } catch (error) {
    await pool.close()
    throw error
  }
  await pool.close()
  return new PostgresPool(url, { ...options, isPooled: true })
}

/** The connections to one PostgreSQL database. */
export class PostgresPool {
  readonly #open: () => PostgresClient
  readonly #clients: readonly PostgresClient[]
  readonly #waiting: ((client: PostgresClient) => void)[] = []
  readonly #maxReserved: number
  readonly isPooled: boolean
  #reserved = 0

  /** Opens up to `connections`, two or more, when they are needed. */
  constructor(url: string, options: PoolOptions) {
    const { statementTimeoutMs, connections = defaultConnectionCount, isPooled = false } = options
    this.isPooled = isPooled
    this.#open = () => new PostgresClient(url, statementTimeoutMs, { isPooled })
    this.#maxReserved = Math.floor(connections * transactionShare)
    this.#clients = Array.from({ length: connections }, this.#open)
  }

  /** The number of transactions waiting for a connection. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** How many connections there may be, and how many of them have a transaction or a query. */
  get use(): { connections: number; busy: number } {
    const busy = this.#clients.filter(({ isReserved, pending }) => isReserved || pending > 0)
    return { connections: this.#clients.length, busy: busy.length }
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
    if (this.#reserved >= this.#maxReserved) {
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

  /** Opens a connection beside the others, which the caller closes. */
  openSeparate(): PostgresClient {
    return this.#open()
  }

  /** Ends every connection, which rejects its queries; later queries open others. */
  discard(): void {
    for (const client of this.#clients) client.discard()
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()))
  }
}
