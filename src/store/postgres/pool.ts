import type { QueryResult } from 'kysely'
import { StoreSilentError } from '#store/errors.ts'
import { workOwner } from '#values/request-place.ts'
import { PostgresClient } from './client.ts'
import { ConnectionShares, type Owner, TransactionPlaces } from './pool-shares.ts'
import { SilenceWatch } from './silence.ts'

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

/** The connections to one PostgreSQL database, which the networks that requests come from share. */
export class PostgresPool {
  readonly #open: () => PostgresClient
  readonly #clients: readonly PostgresClient[]
  readonly #shares: ConnectionShares<PostgresClient>
  readonly #transactions: TransactionPlaces
  readonly #separate = new Set<PostgresClient>()
  readonly #silence: SilenceWatch
  readonly isPooled: boolean

  /** Opens up to `connections`, two or more, when they are needed. */
  constructor(url: string, options: PoolOptions) {
    const { statementTimeoutMs, connections = defaultConnectionCount, isPooled = false } = options
    this.isPooled = isPooled
    this.#open = () => new PostgresClient(url, statementTimeoutMs, { isPooled })
    this.#shares = new ConnectionShares(connections)
    this.#transactions = new TransactionPlaces(Math.floor(connections * transactionShare))
    this.#clients = Array.from({ length: connections }, this.#open)
    this.#silence = new SilenceWatch({
      clients: () => [...this.#clients, ...this.#separate],
      probe: this.#open(),
      onSilent: () => {
        this.discard()
        this.#transactions.refuse(new StoreSilentError())
      },
    })
  }

  /** The number of transactions waiting for a connection. */
  get waiting(): number {
    return this.#transactions.waiting
  }

  /** How many connections there may be, and how many of them have a transaction or a query. */
  get use(): { connections: number; busy: number } {
    const busy = this.#clients.filter(({ isReserved, pending }) => isReserved || pending > 0)
    return { connections: this.#clients.length, busy: busy.length }
  }

  /** Runs a statement in a transaction of its own on the least busy connection. */
  async query<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    this.#silence.assertAnswering()
    const owner = workOwner()
    const client = this.leastBusy(owner)
    const end = this.#shares.begin(owner, client)
    try {
      return await client.query<Row>(sql, parameters)
    } finally {
      end()
    }
  }

  /**
   * Returns an idle open connection, or else the one with the fewest statements of other owners, which may be
   * slow, and of those the one with the fewest in progress.
   */
  leastBusy(owner?: Owner): PostgresClient {
    const unreserved = this.#clients.filter((client) => !client.isReserved)
    const clients = this.#shares.open(unreserved, owner)
    const idle = clients.find((client) => client.isReady && client.pending === 0)
    if (idle !== undefined) return idle
    const ofOthers = (client: PostgresClient) => client.pending - this.#shares.on(client, owner)
    return clients.reduce((least, client) => {
      const more = ofOthers(client) - ofOthers(least) || client.pending - least.pending
      return more < 0 ? client : least
    })
  }

  /** Waits for a connection and reserves it for one transaction; returns it, and what releases it. */
  async reserve(): Promise<{ readonly client: PostgresClient; readonly release: () => void }> {
    this.#silence.assertAnswering()
    const owner = workOwner()
    await this.#transactions.take(owner)
    const client = this.leastBusy(owner)
    client.isReserved = true
    const end = this.#shares.begin(owner, client)
    const release = (): void => {
      client.isReserved = false
      end()
      this.#transactions.leave(owner)
    }
    return { client, release }
  }

  /** Opens a connection beside the others, which the caller closes. */
  openSeparate(): PostgresClient {
    const client = this.#open()
    this.#separate.add(client)
    client.onClose = () => this.#separate.delete(client)
    return client
  }

  /** Ends every connection, which rejects its queries; later queries open others. */
  discard(): void {
    for (const client of [...this.#clients, ...this.#separate]) client.discard()
  }

  async close(): Promise<void> {
    await Promise.all([this.#silence.stop(), ...this.#clients.map((client) => client.close())])
  }
}
