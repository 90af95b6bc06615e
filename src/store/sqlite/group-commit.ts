import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import { isBusy, StoreMisuseError, TransactionLostError } from '#store/errors.ts'
import { workOwner } from '#values/request-place.ts'
import { TurnQueue } from '#values/turn-queue.ts'
import type { SqliteConnection } from './connection.ts'

const maxTransactionsPerGroup = 128
const maxWritesPerGroup = 1000
const maxLockAttempts = 500
const lockRetryMs = 5
/** How many turns of the event loop the first transaction of a group waits for others. */
const maxGatheringTurns = 4
const savepointName = 'cartwright_member'

/** A statement that may change the database. */
interface Write {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Transactions that share one commit: all of them become durable, or none. */
interface Group {
  readonly committed: PromiseWithResolvers<void>
  /** The writes of the ended transactions, in order, to replay after a rollback. */
  readonly writes: Write[]
  /** Set after a rollback: from then on each transaction is a savepoint. */
  usesSavepoints: boolean
  transactionCount: number
  /** Set when the group is to be committed as soon as no transaction is open. */
  isDue: boolean
  failure: TransactionLostError | undefined
}

/** A transaction of a group. */
export interface GroupTransaction {
  readonly group: Group
  /** Its writes so far; undefined for a savepoint, which SQLite rolls back by itself. */
  readonly writes: Write[] | undefined
  hasEnded: boolean
  /** A statement failed; as on PostgreSQL, the transaction can only be rolled back. */
  hasFailed: boolean
}

/**
 * The one writer of an SQLite database, of whom networks take turns. Transactions run one after the other
 * inside an outer one, whose commit acknowledges them all. When one that has written is rolled back, so is the outer transaction,
 * and the writes of the others are replayed: a savepoint for each would copy every page they change.
 */
export class GroupWriter {
  readonly #connection: SqliteConnection
  readonly #waiting = new TurnQueue()
  #isTaken = false
  #group: Group | undefined
  #commits = 0
  #groups = 0

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  get stats(): { commits: number; groups: number; waiting: number } {
    return { commits: this.#commits, groups: this.#groups, waiting: this.#waiting.size }
  }

  /**
   * Runs the work in a transaction, which is committed if it resolves and rolled back if it rejects; resolves
   * once the commit is durable.
   */
  async transact<T>(work: (transaction: GroupTransaction) => Promise<T> | T): Promise<T> {
    const transaction = await this.#begin()
    try {
      const result = await work(transaction)
      await this.#commit(transaction)
      return result
    } finally {
      this.#rollback(transaction)
    }
  }

  /** Runs one writing statement in a transaction of its own. */
  write<Row>(statement: Write): Promise<QueryResult<Row>> {
    return this.transact((transaction) =>
      this.execute<Row>(transaction, statement, { reads: false }),
    )
  }

  /** Runs a statement of an open transaction; one that `reads` changes nothing. */
  execute<Row>(
    transaction: GroupTransaction,
    { sql, parameters }: Write,
    { reads }: { readonly reads: boolean },
  ): QueryResult<Row> {
    this.#assertUsable(transaction)
    const { group, writes } = transaction
    if (!reads && writes) {
      if (writes.length < maxWritesPerGroup) writes.push({ sql, parameters })
      // The list is incomplete, so this must be the last transaction: no later one may replay it.
      else group.isDue = true
    }
    try {
      return this.#runInGroup(group, () => this.#connection.execute<Row>(sql, parameters))
    } catch (error) {
      transaction.hasFailed = true
      throw error
    }
  }

  /**
   * Runs a read on the writer, for a database in memory, which has no second connection. It runs
   * between transactions, after the commit of the group, so that it sees committed data only.
   */
  async read<T>(work: (connection: SqliteConnection) => T): Promise<T> {
    await this.#acquire()
    try {
      this.#commitGroup()
      return work(this.#connection)
    } finally {
      this.#release()
    }
  }

  /** Waits for the writer and opens a transaction on it. */
  async #begin(): Promise<GroupTransaction> {
    await this.#acquire()
    try {
      const group = this.#group ?? (await this.#openGroup())
      if (group.usesSavepoints) this.#runCommands(group, `savepoint ${savepointName}`)
      const writes = group.usesSavepoints ? undefined : []
      return { group, writes, hasEnded: false, hasFailed: false }
    } catch (error) {
      this.#release()
      throw error
    }
  }

  async #commit(transaction: GroupTransaction): Promise<void> {
    this.#assertUsable(transaction)
    const { group, writes } = transaction
    // If this throws, the transaction is still open and the caller rolls it back.
    if (writes) group.writes.push(...writes)
    else this.#runCommands(group, `release ${savepointName}`)
    transaction.hasEnded = true
    group.transactionCount += 1
    group.isDue ||=
      group.transactionCount >= maxTransactionsPerGroup || group.writes.length >= maxWritesPerGroup
    this.#release()
    await group.committed.promise
  }

  /** Does nothing to a transaction that has ended. */
  #rollback(transaction: GroupTransaction): void {
    if (transaction.hasEnded) return
    const { group, writes } = transaction
    transaction.hasEnded = true
    try {
      if (group.failure !== undefined) return
      if (writes === undefined) {
        this.#runCommands(group, `rollback to ${savepointName}`, `release ${savepointName}`)
      } else if (writes.length > 0) this.#replayWrites(group)
    } catch (error) {
      // What the caller returns or throws does not depend on this.
      this.#rollbackGroup(group, error)
    } finally {
      this.#release()
    }
  }

  /**
   * Restarts the group with the writes of its ended transactions. They have the same effect as
   * before: the same statements in the same order, and no other process has written in between.
   */
  #replayWrites(group: Group): void {
    const version = this.#connection.dataVersion
    this.#connection.command('rollback')
    this.#connection.command('begin immediate')
    if (this.#connection.dataVersion !== version) {
      throw new TransactionLostError('Another process wrote during a rollback')
    }
    for (const { sql, parameters } of group.writes) this.#connection.execute(sql, parameters)
    group.usesSavepoints = true
  }

  #assertUsable({ group, hasEnded, hasFailed }: GroupTransaction): void {
    if (hasEnded) throw new TransactionLostError('The transaction has ended')
    if (group.failure !== undefined) throw group.failure
    if (hasFailed) {
      throw new StoreMisuseError('A transaction with a failed statement can only be rolled back')
    }
  }

  async #acquire(): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true
      if (this.#group === undefined) await this.#gatherWaiting()
      return
    }
    await this.#waiting.wait(workOwner() ?? '')
  }

  /** Waits while each turn of the event loop brings more transactions, so that one group has them all. */
  async #gatherWaiting(): Promise<void> {
    let lastLength = -1
    for (let turn = 0; turn < maxGatheringTurns && this.#waiting.size > lastLength; turn += 1) {
      lastLength = this.#waiting.size
      await nextTurn()
    }
  }

  /** Passes the writer on to the next transaction that waits. */
  #release(): void {
    if (this.#group?.isDue === true) this.#commitGroup()
    this.#isTaken = this.#waiting.admitNext()
  }

  async #openGroup(): Promise<Group> {
    if (this.#connection.inTransaction) this.#connection.command('rollback')
    await this.#lock()
    const group: Group = {
      committed: Promise.withResolvers<void>(),
      writes: [],
      usesSavepoints: false,
      transactionCount: 0,
      isDue: false,
      failure: undefined,
    }
    // A group may fail before one of its transactions awaits it.
    group.committed.promise.catch(() => undefined)
    this.#group = group
    setImmediate(() => this.#endTurn(group))
    return group
  }

  /** Takes the write lock of the file, waiting for other processes without blocking the event loop. */
  async #lock(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#connection.command('begin immediate')
        return
      } catch (error) {
        if (attempt === maxLockAttempts || !isBusy(error)) throw error
      }
      await sleep(lockRetryMs)
    }
  }

  #endTurn(group: Group): void {
    if (this.#group !== group) return
    if (this.#isTaken) group.isDue = true
    else this.#commitGroup()
  }

  #runCommands(group: Group, ...commands: readonly string[]): void {
    this.#runInGroup(group, () => {
      for (const command of commands) this.#connection.command(command)
    })
  }

  /** Fails the group after an error with which SQLite rolls back the outer transaction (disk full, I/O). */
  #runInGroup<T>(group: Group, work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!this.#connection.inTransaction) this.#failGroup(group, error)
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
      this.#rollbackGroup(group, error)
      return
    }
    this.#commits += group.transactionCount
    if (group.transactionCount > 0) this.#groups += 1
    group.committed.resolve()
  }

  #rollbackGroup(group: Group, cause: unknown): void {
    try {
      if (this.#connection.inTransaction) this.#connection.command('rollback')
    } catch {
      // `#openGroup` tries again; the cause says more than this error.
    }
    this.#failGroup(group, cause)
  }

  #failGroup(group: Group, cause: unknown): void {
    if (this.#group === group) this.#group = undefined
    group.failure = new TransactionLostError('The transaction group was rolled back', { cause })
    group.committed.reject(group.failure)
  }
}
