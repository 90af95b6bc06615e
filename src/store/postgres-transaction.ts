import type { QueryResult } from 'kysely'
import { StoreMisuseError, TransactionLostError } from '#store/errors.ts'
import type { PostgresClient } from '#store/postgres-pool.ts'

// Named, so that the server's configuration cannot change what the code was written for.
const begin = 'begin isolation level read committed'

/** A transaction that has a connection for itself. */
export class PostgresTransaction {
  readonly #client: PostgresClient
  readonly #generation: number
  #last: Promise<unknown> = Promise.resolve()
  #failure: unknown
  #ended = false

  private constructor(client: PostgresClient, begun?: Promise<unknown>) {
    this.#client = client
    this.#generation = client.generation
    begun?.catch((error: unknown) => {
      this.#failure = error
    })
  }

  /** Opens a transaction; on an idle connection BEGIN travels together with the first statement. */
  static async open(client: PostgresClient): Promise<PostgresTransaction> {
    if (client.ready && client.pending === 0) {
      return new PostgresTransaction(client, client.command(begin))
    }
    await client.command(begin)
    return new PostgresTransaction(client)
  }

  /**
   * Runs a statement once those before it are answered. They are not sent together: one that
   * still waits in the driver when the connection is lost would be run, alone, on the next.
   */
  execute<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const result = this.#last.then(() => {
      this.#assertAlive()
      return this.#client.query<Row>(sql, parameters)
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves once the server has said that the transaction is committed. */
  async commit(): Promise<void> {
    await this.#last
    this.#assertAlive()
    const done = await this.#client.command('commit')
    this.#ended = true
    // The server answers the COMMIT of a transaction with a failed statement by rolling back.
    if (done !== 'COMMIT') {
      throw new StoreMisuseError('A transaction with a failed statement cannot be committed')
    }
  }

  /** Undoes the transaction; does nothing to one that has ended or whose connection is lost. */
  async rollback(): Promise<void> {
    await this.#last
    if (this.#ended || this.#generation !== this.#client.generation) return
    this.#ended = true
    try {
      await this.#client.command('rollback')
    } catch {
      this.#client.discard()
    }
  }

  #assertAlive(): void {
    if (this.#ended) throw new TransactionLostError('The transaction has ended')
    if (this.#failure !== undefined || this.#generation !== this.#client.generation) {
      const cause = this.#failure
      throw new TransactionLostError('The connection of the transaction was lost', { cause })
    }
  }
}
