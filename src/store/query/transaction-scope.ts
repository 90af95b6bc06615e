import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreMisuseError } from '#store/errors.ts'
import { Problem } from '#values/problem.ts'

interface TransactionScope {
  readonly driver: object
  isOpen: boolean
  /** What `invalidate` was called with. */
  cacheTags?: Set<string>
  /** True once other processes have been notified of them. */
  isAnnounced?: boolean
  /** What `beforeCommit` was called with. */
  beforeCommit?: (() => Promise<void>)[]
  /** What `afterCommit` was called with. */
  afterCommit?: (() => void)[]
  /** Why a deferred statement failed: the cause of any error that follows. */
  failure?: unknown
}

const scopes = new AsyncLocalStorage<TransactionScope>()

/**
 * Throws a StoreMisuseError inside an open transaction of this driver: the work would wait for that
 * transaction forever on SQLite, and would run outside of it on PostgreSQL.
 */
export function assertOutsideTransaction(driver: object, what: string): void {
  const scope = currentTransaction()
  if (scope?.driver !== driver) return
  throw new StoreMisuseError(`${what} inside an open transaction: use the db it was given`)
}

/** The open transaction that the caller is in, if any. */
export function currentTransaction(): TransactionScope | undefined {
  const scope = scopes.getStore()
  return scope?.isOpen === true ? scope : undefined
}

/** Runs work in an open transaction, then what is to be done before its commit. */
export async function withLastWrites<T>(work: () => Promise<T>): Promise<T> {
  const result = await work()
  for (const write of currentTransaction()?.beforeCommit ?? []) await write()
  return result
}

/** Notifies of cache tags; undefined for a database of which nobody else knows. */
type Publish =
  | ((cacheTags: readonly string[], isAnnounced?: boolean) => void | Promise<void>)
  | undefined

/**
 * Runs work that is a transaction of this driver, then the actions after its commit, and publishes the cache
 * tags that it invalidated. They are published after an error as well, except a Problem: a COMMIT may succeed
 * and its response be lost.
 */
export async function withTransactionScope<T>(
  driver: object,
  work: () => Promise<T>,
  publish: Publish,
): Promise<T> {
  assertOutsideTransaction(driver, 'A transaction was opened')
  const scope: TransactionScope = { driver, isOpen: true }
  let isRolledBack = false
  try {
    const result = await scopes.run(scope, work)
    if (publish) for (const action of scope.afterCommit ?? []) action()
    return result
  } catch (error) {
    const cause = scope.failure ?? error
    isRolledBack = cause instanceof Problem
    throw cause
  } finally {
    scope.isOpen = false
    if (scope.cacheTags && !isRolledBack) await publish?.([...scope.cacheTags], scope.isAnnounced)
  }
}
