import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import { isBusy, StoreMisuseError, TransactionLostError } from '#db/errors.ts'
import type { SqliteConnection } from './connection.ts'

const membersPerGroup = 128
const writesPerGroup = 1000
const lockAttempts = 500
const lockPauseMilliseconds = 5
const memberSavepoint = 'cartwright_member'
/** For how many turns of the event loop the first who wants to write waits for others at most. */
const gatheringTurns = 4

/** A statement that may have changed something. */
interface Write {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** A group of transactions that reach the disk with one commit, or not at all. */
interface Group {
  readonly settled: PromiseWithResolvers<void>
  /** All that those wrote who have ended, in this order. */
  readonly written: Write[]
  /** Somebody was undone: from then on each transaction is a savepoint. */
  careful: boolean
  members: number
  /** The turn of the event loop in which the group was opened is over. */
  due: boolean
  lost: TransactionLostError | undefined
}

/** One transaction's place in a group. */
export interface GroupTransaction {
  readonly group: Group
  /** Undefined for a savepoint, which SQLite undoes by itself. */
  readonly written: Write[] | undefined
  ended: boolean
  /** A statement failed; as on PostgreSQL, only rolling back remains. */
  failed: boolean
}

/**
 * The one writer of an SQLite database. Those who want to write are gathered, and then take turns
 * within a common outer transaction, which is committed when all have had theirs: they share one
 * sync of the disk, and none is acknowledged before it. Whoever fails after he has written undoes
 * all, and what the others wrote is written again: for hardly anybody does, and a savepoint for
 * each would have SQLite copy every page that each of them changes.
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

  /** Does the work in a transaction, undone where it rejects; resolves once the commit is on the disk. */
  async transact<T>(work: (groupTransaction: GroupTransaction) => Promise<T> | T): Promise<T> {
    const groupTransaction = await this.#begin()
    try {
      const result = await work(groupTransaction)
      await this.#commit(groupTransaction)
      return result
    } catch (error) {
      this.#rollback(groupTransaction)
      throw error
    }
  }

  /** Runs one writing statement as a transaction of its own. */
  write<Row>(statement: Write): Promise<QueryResult<Row>> {
    return this.transact((groupTransaction) =>
      this.execute<Row>(groupTransaction, statement, { reads: false }),
    )
  }

  /** Waits for the writer and opens a transaction on it. */
  async #begin(): Promise<GroupTransaction> {
    await this.#take()
    try {
      const group = this.#group ?? (await this.#open())
      const written = group.careful ? undefined : []
      if (!written)
        this.#guarded(group, () => this.#connection.command(`savepoint ${memberSavepoint}`))
      return { group, written, ended: false, failed: false }
    } catch (error) {
      this.#pass()
      throw error
    }
  }

  /** Runs a statement of an open transaction; `reads` says that it changes nothing. */
  execute<Row>(
    groupTransaction: GroupTransaction,
    { sql, parameters }: Write,
    { reads }: { readonly reads: boolean },
  ): QueryResult<Row> {
    this.#assertUsable(groupTransaction)
    const { group, written } = groupTransaction
    if (!reads && written) {
      if (written.length < writesPerGroup) written.push({ sql, parameters })
      // Whoever writes very much is the last of its group: nobody can then have it written again.
      else group.due = true
    }
    try {
      return this.#guarded(group, () => this.#connection.execute<Row>(sql, parameters))
    } catch (error) {
      groupTransaction.failed = true
      throw error
    }
  }

  async #commit(groupTransaction: GroupTransaction): Promise<void> {
    this.#assertUsable(groupTransaction)
    const { group, written } = groupTransaction
    // Should this fail, the transaction is still open and the caller rolls it back.
    if (written) group.written.push(...written)
    else this.#guarded(group, () => this.#connection.command(`release ${memberSavepoint}`))
    groupTransaction.ended = true
    this.#count(group)
    this.#pass()
    await group.settled.promise
  }

  /** Undoes the transaction; does nothing to one that has ended already. */
  #rollback(groupTransaction: GroupTransaction): void {
    if (groupTransaction.ended) return
    const { group, written } = groupTransaction
    groupTransaction.ended = true
    try {
      if (group.lost !== undefined) return
      if (written === undefined) this.#rollBackToSavepoint(group)
      else if (written.length > 0) this.#writeAgain(group)
    } catch (error) {
      // Nothing of this transaction is kept in any case, and its caller has another error to tell.
      this.#abandon(group, error)
    } finally {
      this.#pass()
    }
  }

  #rollBackToSavepoint(group: Group): void {
    this.#guarded(group, () => {
      this.#connection.command(`rollback to ${memberSavepoint}`)
      this.#connection.command(`release ${memberSavepoint}`)
    })
  }

  /**
   * Begins the group anew with what the others wrote, which comes out as it did: the statements are
   * the same, in the same order, and nobody else has written.
   */
  #writeAgain(group: Group): void {
    const version = this.#connection.dataVersion
    this.#connection.command('rollback')
    this.#connection.command('begin immediate')
    if (this.#connection.dataVersion !== version) {
      throw new TransactionLostError('Another process wrote while a transaction was undone')
    }
    for (const { sql, parameters } of group.written) this.#connection.execute(sql, parameters)
    group.careful = true
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

  #assertUsable({ group, ended, failed }: GroupTransaction): void {
    if (ended) throw new TransactionLostError('The transaction has ended')
    if (group.lost !== undefined) throw group.lost
    if (failed) throw new StoreMisuseError('A transaction with a failed statement can only end')
  }

  async #take(): Promise<void> {
    if (!this.#taken) {
      this.#taken = true
      if (this.#group === undefined) await this.#gather()
      return
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve))
  }

  /**
   * Lets those who are about to write get there first, as long as each turn of the event loop brings
   * more of them: SQLite then does its part for all in one go, and other code its own.
   */
  async #gather(): Promise<void> {
    let before = -1
    for (let turn = 0; turn < gatheringTurns && this.#queue.length > before; turn += 1) {
      before = this.#queue.length
      await nextTurn()
    }
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
      written: [],
      careful: false,
      members: 0,
      due: false,
      lost: undefined,
    }
    // A group may fail while none of its transactions has come to wait for it yet.
    group.settled.promise.catch(() => undefined)
    this.#group = group
    setImmediate(() => this.#endTurn(group))
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
    if (group.members >= membersPerGroup || group.written.length >= writesPerGroup) group.due = true
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
