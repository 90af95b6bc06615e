import { AsyncLocalStorage } from 'node:async_hooks'

/** The place of a request among those of its network that are in progress. */
export interface RequestPlace {
  /** Whose work the request is: the network, of IPv6 the site. */
  readonly owner: string
  /** True once the request has ended; what it has started may go on. */
  readonly isEnded: boolean
  /** Gives the place to others of the network until the returned function is called. */
  readonly leave: () => () => void
}

/** What the work of a request knows of it, wherever it is done. */
export interface RequestScope {
  /** Undefined before the request has one. */
  place: RequestPlace | undefined
}

/** One store for all that a request has: entering one copies what all of them hold. */
export const requestScopes = new AsyncLocalStorage<RequestScope>()

/** Runs the work of the request that has a place. */
export function runInPlace<T>(place: RequestPlace, work: () => T): T {
  const scope = requestScopes.getStore()
  if (!scope) return requestScopes.run({ place }, work)
  scope.place = place
  return work()
}

/** Whose work the request in progress is that is worked on; undefined for work of the server itself. */
export function workOwner(): string | undefined {
  const place = requestScopes.getStore()?.place
  return place?.isEnded === false ? place.owner : undefined
}

/** Waits for what this process does not work on, or does in turns of its own; the request holds no place meanwhile. */
export async function waitElsewhere<T>(wait: () => Promise<T>): Promise<T> {
  const comeBack = requestScopes.getStore()?.place?.leave()
  try {
    return await wait()
  } finally {
    comeBack?.()
  }
}
