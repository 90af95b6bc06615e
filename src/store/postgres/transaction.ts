import type { CompiledQuery, QueryResult } from 'kysely'
import { isConnectionLost, StoreMisuseError, TransactionLostError } from '#store/errors.ts'
import { onFailureOf } from '#store/query/deferred.ts'
import { isPlainRead } from '#store/query/statement-kind.ts'
import { withinTimeout } from '#store/within-timeout.ts'
import { requireTime } from '#values/deadline.ts'
import { Problem } from '#values/problem.ts'
import type { PostgresClient } from './client.ts'
import { CommitLostError, type TransactionIdentity } from './commit-outcome.ts'

/** How long a commit waits for its announcement. */
const maxAnnouncingMs = 250

/** A statement that tells other processes what a transaction has changed. */
export type Announcement = Pick<CompiledQuery, 'sql' | 'parameters'>

interface DeferredStatement {
  readonly query: CompiledQuery
  readonly onFailure: (error: unknown) => void
}

/**
 * A transaction on a connection of its own. BEGIN is sent with the first statement that is not a
 * plain read: until then each statement sees what is committed, as it would inside at READ
 * COMMITTED. Through a pooler it is sent with the first statement, since it carries the settings.
 * Statements sent before the response to BEGIN use the same connection, since a client
 * connects only once (`pool.ts`): if it is lost, all of them fail.
 */
export class PostgresTransaction {
  readonly #client: PostgresClient
  readonly #generation: number
  #started: Promise<unknown> | undefined
  #identity: TransactionIdentity | undefined
  #deferred: DeferredStatement | undefined
  /** Settles with the deferred statement that was sent last. */
  #deferredResult: Promise<void> = Promise.resolve()
  #failure: unknown
  #hasEnded = false

  constructor(client: PostgresClient) {
    this.#client = client
    this.#generation = client.generation
  }

  /**
   * Sends a statement and returns its result, which is still to come. A deferred one is sent with the next
   * statement or the commit, and only its `onFailure` receives its error.
   */
  async send<Row>(
    query: CompiledQuery,
  ): Promise<{ readonly result: Promise<QueryResult<Row>> | QueryResult<Row> }> {
    const onFailure = onFailureOf(query)
    this.#assertUsable()
    if (this.#client.isPooled || this.#deferred || (onFailure === undefined && !isPlainRead(query)))
      await this.#begin()
    this.#sendDeferred()
    if (onFailure !== undefined) {
      this.#deferred = { query, onFailure }
      return { result: { rows: [] } }
    }
    return { result: this.#client.execute<Row>(query.sql, query.parameters) }
  }

  /**
   * Resolves once the transaction is durable, and to true if the announcement has succeeded too: a transaction
   * of its own that is sent along. Throws a CommitLostError where it is not known whether it is durable.
   */
  async commit(announcement?: Announcement): Promise<boolean> {
    this.#assertUsable()
    requireTime()
    try {
      return await this.#commit(announcement)
    } catch (error) {
      const isLost = error instanceof Problem || isConnectionLost(error)
      throw isLost ? new CommitLostError(this.#identity, error) : error
    }
  }

  async #commit(announcement?: Announcement): Promise<boolean> {
    if (this.#started === undefined) {
      this.#hasEnded = true
      // The only write is a transaction of its own and needs no BEGIN.
      this.#sendDeferred()
      const announced = this.#announce(announcement)
      await this.#deferredResult
      return announced
    }
    this.#sendDeferred()
    const committed = this.#client.command('commit')
    const announced = this.#announce(announcement)
    const tag = await committed
    this.#hasEnded = true
    await this.#deferredResult
    // The server rolls back a COMMIT after a failed statement, with another command tag.
    if (tag !== 'COMMIT') {
      throw new StoreMisuseError('A transaction with a failed statement cannot be committed')
    }
    return announced
  }

  async #announce(announcement?: Announcement): Promise<boolean> {
    if (announcement === undefined) return false
    try {
      const sent = this.#client.execute(announcement.sql, announcement.parameters)
      await withinTimeout(sent, maxAnnouncingMs)
      return true
    } catch {
      return false
    }
  }

  /** Does nothing to a transaction that has ended or whose connection is lost. */
  async rollback(): Promise<void> {
    this.#deferred = undefined
    if (this.#hasEnded || this.#generation !== this.#client.generation) return
    this.#hasEnded = true
    if (this.#started === undefined) return
    try {
      await this.#client.command('rollback')
    } catch {
      this.#client.discard()
    }
  }

  /** Sends BEGIN without waiting for its response, unless the connection is still to be opened. */
  async #begin(): Promise<void> {
    if (this.#started === undefined) {
      this.#assertUsable()
      const isIdle = this.#client.isReady && this.#client.pending === 0
      this.#started = this.#client.beginTransaction().then((identity) => {
        this.#identity = identity
      })
      this.#started.catch((error: unknown) => {
        this.#failure = error
      })
      if (!isIdle) await this.#started
    }
    this.#assertUsable()
  }

  #sendDeferred(): void {
    const deferred = this.#deferred
    if (deferred === undefined) return
    this.#deferred = undefined
    const { query, onFailure } = deferred
    const result = this.#client.execute(query.sql, query.parameters).then(() => undefined)
    const isAlone = this.#started === undefined
    this.#deferredResult = result.catch((error: unknown) => {
      onFailure(error)
      if (isAlone) throw error
    })
  }

  #assertUsable(): void {
    if (this.#hasEnded) throw new TransactionLostError('The transaction has ended')
    if (this.#failure !== undefined || this.#generation !== this.#client.generation) {
      const cause = this.#failure
      throw new TransactionLostError('The connection of the transaction was lost', { cause })
    }
  }
}
