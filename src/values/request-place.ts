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

const places = new AsyncLocalStorage<RequestPlace>()

/** Runs the work of the request that has a place. */
export const runInPlace = <T>(place: RequestPlace, work: () => T): T => places.run(place, work)

/** Whose work the request in progress is that is worked on; undefined for work of the server itself. */
export function workOwner(): string | undefined {
  const place = places.getStore()
  return place?.isEnded === false ? place.owner : undefined
}

/** Waits for what this process does not work on, or does in turns of its own; the request holds no place meanwhile. */
export async function waitElsewhere<T>(wait: () => Promise<T>): Promise<T> {
  const comeBack = places.getStore()?.leave()
  try {
    return await wait()
  } finally {
    comeBack?.()
  }
}
