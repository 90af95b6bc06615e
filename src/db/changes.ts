import { StoreMisuseError } from './errors.ts'
import { openScope } from './query/transaction-scope.ts'

/** The names of what a transaction changed, or that anything may have changed. */
export type Change = readonly string[] | 'anything'

/** Tells of what has been committed, by this process and by others on the same database. */
export interface Changes {
  /** Calls `listener` for every change from now on; its own before the transaction resolves. */
  subscribe(listener: (change: Change) => void): void
  /** True while what others change is heard of. */
  isConnected(): boolean
}

/** Where a store tells its changes, and where it hears of them. */
export interface ChangeFeed extends Changes {
  /** Tells a change to everybody who follows, here and elsewhere. */
  publish(change: Change): void | Promise<void>
  close(): Promise<void>
}

/**
 * Names what the open transaction changes, in the words its readers know it by. They are told once
 * it is committed, and never if it is not. Throws a StoreMisuseError outside a transaction.
 */
export function invalidate(...names: readonly string[]): void {
  const scope = openScope()
  if (!scope) throw new StoreMisuseError('A change is announced outside a transaction')
  scope.changes ??= new Set()
  for (const name of names) scope.changes.add(name)
}

/** Those who follow the changes of one store. */
export class Subscribers {
  readonly #listeners: ((change: Change) => void)[] = []

  get some(): boolean {
    return this.#listeners.length > 0
  }

  add(listener: (change: Change) => void): void {
    this.#listeners.push(listener)
  }

  tell(change: Change): void {
    for (const listener of this.#listeners) listener(change)
  }
}
