import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreMisuseError } from '#store/errors.ts'

interface Scope {
  readonly owner: object
  open: boolean
}

const current = new AsyncLocalStorage<Scope>()

/**
 * Refuses, with a StoreMisuseError, work on `owner` that would wait for the transaction it is
 * called from: on one writer that never ends, and elsewhere it escapes the transaction unseen.
 */
export function refuseInsideTransaction(owner: object, what: string): void {
  const scope = current.getStore()
  if (scope?.open !== true || scope.owner !== owner) return
  throw new StoreMisuseError(`${what} inside an open transaction: use the db it was given`)
}

/** Runs the work as being inside a transaction of `owner` until it settles. */
export async function insideTransaction<T>(owner: object, work: () => Promise<T>): Promise<T> {
  refuseInsideTransaction(owner, 'A transaction was opened')
  const scope: Scope = { owner, open: true }
  try {
    return await current.run(scope, work)
  } finally {
    scope.open = false
  }
}
