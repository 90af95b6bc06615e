import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import { isBusy, StoreMisuseError, TransactionLostError } from '#store/errors.ts'
import type { SqliteConnection } from '#store/sqlite-connection.ts'

const membersPerGroup = 128
const lockAttempts = 500
const lockPauseMilliseconds = 5
const memberSavepoint = 'cartwright_member'

/** A group of transactions that reach the disk with one commit, or not at all. */
interface Group {
  readonly settled: PromiseWithResolvers<void>
  members: number
  /** The turn of the event loop in which the group was opened is over. */
  due: boolean
  lost: TransactionLostError | undefined
}

/** One transaction's place in a group. */
export interface Membership {
  readonly group: Group
  ended: boolean
  /** A statement failed; as on PostgreSQL, only rolling back remains. */
  failed: boolean
}

/**
 * The one writer of an SQLite database. Transactions take turns on it, each a savepoint within a
 * common outer transaction which is committed when the turn of the event loop ends: all that
 * arrived in that turn share one sync of the disk, and none is acknowledged before it.
 */
export class GroupWriter {
  readonly #connection: SqliteConnection
  readonly #queue: (() => void)[] = []
  #taken = false
  #group: Group | undefined
  #commits = 0
  #groups = 0

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  get stats(): { commits: number; groups: number; waiting: number } {
    return { commits: this.#commits, groups: this.#groups, waiting: this.#queue.length }
  }

  /** Waits for the writer and opens a transaction on it. */
  async begin(): Promise<Membership> {
    await this.#take()
    try {
      const group = this.#group ?? (await this.#open())
      this.#guarded(group, () => this.#connection.command(`savepoint ${memberSavepoint}`))
      return { group, ended: false, failed: false }
    } catch (error) {
      this.#pass()
      throw error
    }
  }

  /** Runs a statement of an open transaction. */
  execute<Row>(
    membership: Membership,
    sql: string,
    parameters: readonly unknown[],
  ): QueryResult<Row> {
    this.#assertUsable(membership)
    try {
      return this.#guarded(membership.group, () => this.#connection.execute<Row>(sql, parameters))
    } catch (error) {
      membership.failed = true
      throw error
    }
  }

  /** Ends the transaction and resolves once the common commit is on the disk. */
  async commit(membership: Membership): Promise<void> {
    this.#assertUsable(membership)
    const { group } = membership
    // Should this fail, the transaction is still open and the caller rolls it back.
    this.#guarded(group, () => this.#connection.command(`release ${memberSavepoint}`))
    membership.ended = true
    this.#count(group)
    this.#pass()
    await group.settled.promise
  }

  /** Undoes the transaction; does nothing to one that has ended already. */
  rollback(membership: Membership): void {
    if (membership.ended) return
    membership.ended = true
    try {
      if (membership.group.lost !== undefined) return
      this.#guarded(membership.group, () => {
        this.#connection.command(`rollback to ${memberSavepoint}`)
        this.#connection.command(`release ${memberSavepoint}`)
      })
    } catch (error) {
      this.#abandon(membership.group, error)
      throw error
    } finally {
      this.#pass()
    }
  }

  /** Runs one writing statement as a transaction of its own: it is atomic without a savepoint. */
  async write<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    await this.#take()
    let group: Group
    let result: QueryResult<Row>
    try {
      const joined = this.#group ?? (await this.#open())
      group = joined
      result = this.#guarded(joined, () => this.#connection.execute<Row>(sql, parameters))
      this.#count(group)
    } finally {
      this.#pass()
    }
    await group.settled.promise
    return result
  }

  /**
   * Reads on the writer itself, for a database that has no second connection: between
   * transactions and after the common commit, so that nothing unfinished is seen.
   */
  async read<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    await this.#take()
    try {
      this.#commitGroup()
      return this.#connection.execute<Row>(sql, parameters)
    } finally {
      this.#pass()
    }
  }

  #assertUsable({ group, ended, failed }: Membership): void {
    if (ended) throw new TransactionLostError('The transaction has ended')
    if (group.lost !== undefined) throw group.lost
    if (failed) throw new StoreMisuseError('A transaction with a failed statement can only end')
  }

  async #take(): Promise<void> {
    if (!this.#taken) {
      this.#taken = true
      return
    }
    await new Promise<void>((resolve) => {
      this.#queue.push(resolve)
    })
  }

  #pass(): void {
    if (this.#group?.due === true) this.#commitGroup()
    const next = this.#queue.shift()
    if (next === undefined) this.#taken = false
    else next()
  }

  async #open(): Promise<Group> {
    if (this.#connection.inTransaction) this.#connection.command('rollback')
    await this.#lock()
    const group: Group = {
      settled: Promise.withResolvers<void>(),
      members: 0,
      due: false,
      lost: undefined,
    }
    // A group may fail while none of its transactions has come to wait for it yet.
    group.settled.promise.catch(() => undefined)
    this.#group = group
    // Not at the end of this turn but of the next: who writes meanwhile shares the same fsync.
    setImmediate(() => setImmediate(() => this.#endTurn(group)))
    return group
  }

  /** Waits, while other work goes on, for a process that writes to the same file. */
  async #lock(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#connection.command('begin immediate')
        return
      } catch (error) {
        if (attempt === lockAttempts || !isBusy(error)) throw error
      }
      await sleep(lockPauseMilliseconds)
    }
  }

  #endTurn(group: Group): void {
    if (this.#group !== group) return
    if (this.#taken) group.due = true
    else this.#commitGroup()
  }

  #count(group: Group): void {
    group.members += 1
    if (group.members >= membersPerGroup) group.due = true
  }

  /** Some errors (disk full, failed read or write) end the outer transaction, and all with it. */
  #guarded<T>(group: Group, work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!this.#connection.inTransaction) this.#lose(group, error)
      throw error
    }
  }

  #commitGroup(): void {
    const group = this.#group
    if (group === undefined) return
    this.#group = undefined
    try {
      this.#connection.command('commit')
    } catch (error) {
      this.#abandon(group, error)
      return
    }
    this.#commits += group.members
    if (group.members > 0) this.#groups += 1
    group.settled.resolve()
  }

  #abandon(group: Group, cause: unknown): void {
    try {
      if (this.#connection.inTransaction) this.#connection.command('rollback')
    } catch {
      // The next group tries again before it opens; the cause is what is worth telling.
    }
    this.#lose(group, cause)
  }

  #lose(group: Group, cause: unknown): void {
    if (this.#group === group) this.#group = undefined
    group.lost = new TransactionLostError('The transaction was undone with its group', { cause })
    group.settled.reject(group.lost)
  }
}
