import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreMisuseError } from '#db/errors.ts'
import { Problem } from '#values/problem.ts'

interface Scope {
  readonly owner: object
  open: boolean
  /** The names of what was changed, where that was said. */
  changes?: Set<string>
  /** Why a statement failed whose outcome nobody waits for; says more than what failed after it. */
  failure?: unknown
}

const current = new AsyncLocalStorage<Scope>()

/**
 * Refuses, with a StoreMisuseError, work on `owner` that would wait for the transaction it is
 * called from: on one writer that never ends, and elsewhere it escapes the transaction unseen.
 */
export function assertOutsideTransaction(owner: object, what: string): void {
  const scope = current.getStore()
  if (scope?.open !== true || scope.owner !== owner) return
  throw new StoreMisuseError(`${what} inside an open transaction: use the db it was given`)
}

/** The transaction that this is called from, while it is open. */
export function openScope(): Scope | undefined {
  const scope = current.getStore()
  return scope?.open === true ? scope : undefined
}

/**
 * Runs the work as being inside a transaction of `owner` until it settles, then passes on what it
 * said it changed; also where it failed, unless by a refusal: a commit whose answer was lost may
 * have been made.
 */
export async function insideTransaction<T>(
  owner: object,
  work: () => Promise<T>,
  publish: (changes: readonly string[]) => void | Promise<void>,
): Promise<T> {
  assertOutsideTransaction(owner, 'A transaction was opened')
  const scope: Scope = { owner, open: true }
  let isUndone = false
  try {
    return await current.run(scope, work)
  } catch (error) {
    const cause = scope.failure ?? error
    isUndone = cause instanceof Problem
    throw cause
  } finally {
    scope.open = false
    if (scope.changes && !isUndone) await publish([...scope.changes])
  }
}
