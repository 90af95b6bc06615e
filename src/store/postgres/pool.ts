import type { QueryResult } from 'kysely'
import { isTooManyConnections, StoreSilentError } from '#store/errors.ts'
import { inTime } from '#values/deadline.ts'
import { workOwner } from '#values/request-place.ts'
import { PostgresClient } from './client.ts'
import { ConnectionShares, type Owner, TransactionPlaces } from './pool-shares.ts'
import { SilenceWatch } from './silence.ts'

const defaultConnectionCount = 10
const fullPauseMs = 1000
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
  readonly #create: () => PostgresClient
  readonly #clients: readonly PostgresClient[]
  readonly #shares: ConnectionShares<PostgresClient>
  readonly #transactions: TransactionPlaces
  /** Until when no further connection is opened, since PostgreSQL has too many. */
  #fullUntilMs = Number.NEGATIVE_INFINITY
  /** Called once a connection may be free. */
  readonly #waiting: (() => void)[] = []
  readonly #separate = new Set<PostgresClient>()
  readonly #silence: SilenceWatch
  readonly isPooled: boolean

  /** Opens up to `connections`, two or more, when they are needed. */
  constructor(url: string, options: PoolOptions) {
    const { statementTimeoutMs, connections = defaultConnectionCount, isPooled = false } = options
    this.isPooled = isPooled
    this.#create = () => new PostgresClient(url, statementTimeoutMs, { isPooled })
    this.#shares = new ConnectionShares(connections)
    this.#transactions = new TransactionPlaces(Math.floor(connections * transactionShare))
    this.#clients = Array.from({ length: connections }, this.#create)
    this.#silence = new SilenceWatch({
      clients: () => [...this.#clients, ...this.#separate],
      probe: this.#create(),
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
  query<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const owner = workOwner()
    return this.#use(owner, async (client, end) => {
      try {
        return await client.query<Row>(sql, parameters)
      } finally {
        end()
      }
    })
  }

  /**
   * Returns an idle open connection, or else the one with the fewest statements of other owners, which may be
   * slow, and of those the one with the fewest in progress. It has a transaction if all have that may be used.
   */
  leastBusy(owner?: Owner): PostgresClient {
    const usable = this.#usable()
    const free = usable.filter((client) => !client.isReserved)
    const unreserved = free.length > 0 ? free : usable
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
    try {
      return await this.#use(owner, async (client, end) => {
        client.isReserved = true
        const release = (): void => {
          client.isReserved = false
          end()
          this.#transactions.leave(owner)
          this.#wake()
        }
        return { client, release }
      })
    } catch (error) {
      this.#transactions.leave(owner)
      throw error
    }
  }

  /**
   * Calls `run` with an open connection for the owner that no transaction has, in the turn in which it is free,
   * and with what ends its share. While PostgreSQL accepts no further connections, work waits for those there are.
   */
  async #use<T>(
    owner: Owner,
    run: (client: PostgresClient, end: () => void) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      this.#silence.assertAnswering()
      const client = this.leastBusy(owner)
      if (client.isReserved) {
        await this.#released()
        continue
      }
      const end = this.#shares.begin(owner, client)
      try {
        if (!client.isReady) await this.#open(client)
      } catch (error) {
        end()
        throw error
      }
      if (client.isReady && !client.isReserved) return await run(client, end)
      end()
    }
  }

  /** Opens a connection; throws unless it is only one too many for PostgreSQL. */
  async #open(client: PostgresClient): Promise<void> {
    try {
      await client.open()
    } catch (error) {
      const isFull = isTooManyConnections(error)
      if (isFull) this.#fullUntilMs = performance.now() + fullPauseMs
      if (!isFull || !(await this.#hasOpen())) throw error
    }
  }

  /** True if a connection is open, or one that is being opened will be. */
  async #hasOpen(): Promise<boolean> {
    if (this.#clients.some(({ isReady }) => isReady)) return true
    const opening = this.#clients.filter(({ isOpening }) => isOpening)
    return await Promise.any(opening.map((client) => client.open())).then(
      () => true,
      () => false,
    )
  }

  /** Resolves once a transaction has released its connection, or connections have been lost. */
  async #released(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    await inTime(() => promise)
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** All connections, or those that are open while PostgreSQL accepts no further ones. */
  #usable(): readonly PostgresClient[] {
    if (this.#fullUntilMs < performance.now()) return this.#clients
    const open = this.#clients.filter(({ isReady }) => isReady)
    return open.length > 0 ? open : this.#clients
  }

  /** Opens a connection beside the others, which the caller closes. */
  openSeparate(): PostgresClient {
    const client = this.#create()
    this.#separate.add(client)
    client.onClose = () => this.#separate.delete(client)
    return client
  }

  /** Ends every connection, which rejects its queries; later queries open others. */
  discard(): void {
    for (const client of [...this.#clients, ...this.#separate]) client.discard()
    this.#wake()
  }

  async close(): Promise<void> {
    await Promise.all([this.#silence.stop(), ...this.#clients.map((client) => client.close())])
  }
}
