import { StoreMisuseError } from './errors.ts'
import { currentTransaction } from './query/transaction-scope.ts'

/** The cache tags of what was changed, or `anything` where they are not known. */
export type Change = readonly string[] | 'anything'

/** Reports what is committed, by this process and by others on the same database. */
export interface Changes {
  /** Calls `listener` for every later change; for one of this process, before its transaction resolves. */
  subscribe(listener: (change: Change) => void): void
  /** True while changes of other processes are received. */
  isConnected(): boolean
}

/** Publishes the changes of this process and reports those of every process. */
export interface ChangeFeed extends Changes {
  /** Notifies the subscribers of this process and, unless they were with the commit, of all others. */
  publish(change: Change, isAnnounced?: boolean): void | Promise<void>
  close(): Promise<void>
}

/**
 * Invalidates these cache tags once the open transaction is committed. Throws a StoreMisuseError
 * outside a transaction.
 */
export function invalidate(...cacheTags: readonly string[]): void {
  const scope = currentTransaction()
  if (!scope) throw new StoreMisuseError('Cache tags are invalidated outside a transaction')
  scope.cacheTags ??= new Set()
  for (const tag of cacheTags) scope.cacheTags.add(tag)
}

/** Runs writes at the end of the open transaction. Throws a StoreMisuseError outside a transaction. */
export function beforeCommit(write: () => Promise<void>): void {
  const scope = currentTransaction()
  if (!scope) throw new StoreMisuseError('There is no transaction to write in')
  scope.beforeCommit ??= []
  scope.beforeCommit.push(write)
}

/**
 * Runs an action, which must not throw, once the open transaction is committed; it does not run if the
 * response to the COMMIT is lost. Throws a StoreMisuseError outside a transaction.
 */
export function afterCommit(action: () => void): void {
  const scope = currentTransaction()
  if (!scope) throw new StoreMisuseError('There is no transaction to wait for')
  scope.afterCommit ??= []
  scope.afterCommit.push(action)
}

/** The listeners to the changes of one store. */
export class Subscribers {
  readonly #listeners: ((change: Change) => void)[] = []

  get isEmpty(): boolean {
    return this.#listeners.length === 0
  }

  add(listener: (change: Change) => void): void {
    this.#listeners.push(listener)
  }

  notify(change: Change): void {
    for (const listener of this.#listeners) listener(change)
  }
}
