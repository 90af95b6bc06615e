import type { CompiledQuery, QueryResult } from 'kysely'
import { StoreMisuseError, TransactionLostError } from '#db/errors.ts'
import { onFailureOf } from '#db/query/deferred.ts'
import { isPlainRead } from '#db/query/statement-kind.ts'
import type { PostgresClient } from './pool.ts'

// Named, so that the server's configuration cannot change what the code was written for.
const begin = 'begin isolation level read committed'

interface Held {
  readonly query: CompiledQuery
  readonly onFailure: (error: unknown) => void
}

/**
 * A transaction that has a connection for itself, begun only at the first statement that is not a
 * plain read: before, each statement sees what is committed, just as it would inside. What is sent
 * without waiting for the answer to BEGIN belongs to the same connection as BEGIN does, since a
 * client connects only once (`postgres-pool.ts`): where that is lost, all of it fails.
 */
export class PostgresTransaction {
  readonly #client: PostgresClient
  readonly #generation: number
  #started: Promise<unknown> | undefined
  #held: Held | undefined
  /** Resolves once those that were held back and sent are answered. */
  #told: Promise<void> = Promise.resolve()
  #failure: unknown
  #ended = false

  constructor(client: PostgresClient) {
    this.#client = client
    this.#generation = client.generation
  }

  /**
   * Runs a statement. One that is held back is sent with what comes next, and its outcome told to
   * nobody but its `onFailure`.
   */
  async execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const onFailure = onFailureOf(query)
    this.#assertAlive()
    if (this.#held || (onFailure === undefined && !isPlainRead(query))) await this.#begin()
    this.#sendHeld()
    if (onFailure !== undefined) {
      this.#held = { query, onFailure }
      return { rows: [] }
    }
    return await this.#client.query<Row>(query.sql, query.parameters)
  }

  /** Resolves once the server has said that the transaction is committed. */
  async commit(): Promise<void> {
    this.#assertAlive()
    if (this.#started === undefined) {
      this.#ended = true
      // Alone it is a transaction by itself.
      this.#sendHeld()
      await this.#told
      return
    }
    this.#sendHeld()
    const done = await this.#client.command('commit')
    this.#ended = true
    await this.#told
    // The server answers the COMMIT of a transaction with a failed statement by rolling back.
    if (done !== 'COMMIT') {
      throw new StoreMisuseError('A transaction with a failed statement cannot be committed')
    }
  }

  /** Undoes the transaction; does nothing to one that has ended or whose connection is lost. */
  async rollback(): Promise<void> {
    this.#held = undefined
    if (this.#ended || this.#generation !== this.#client.generation) return
    this.#ended = true
    if (this.#started === undefined) return
    try {
      await this.#client.command('rollback')
    } catch {
      this.#client.discard()
    }
  }

  /** BEGIN travels with what comes next, unless there is no connection yet. */
  async #begin(): Promise<void> {
    if (this.#started === undefined) {
      this.#assertAlive()
      const isReady = this.#client.ready && this.#client.pending === 0
      this.#started = this.#client.command(begin)
      this.#started.catch((error: unknown) => {
        this.#failure = error
      })
      if (!isReady) await this.#started
    }
    this.#assertAlive()
  }

  #sendHeld(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    const { query, onFailure } = held
    const told = this.#client.query(query.sql, query.parameters).then(() => undefined)
    const isAlone = this.#started === undefined
    this.#told = told.catch((error: unknown) => {
      onFailure(error)
      if (isAlone) throw error
    })
  }

  #assertAlive(): void {
    if (this.#ended) throw new TransactionLostError('The transaction has ended')
    if (this.#failure !== undefined || this.#generation !== this.#client.generation) {
      const cause = this.#failure
      throw new TransactionLostError('The connection of the transaction was lost', { cause })
    }
  }
}
