import type { CompiledQuery } from 'kysely'

type OnFailure = (error: unknown) => void

const deferredQueries = new WeakMap<object, OnFailure>()

/** Marks a statement as one that need not be awaited; `onFailure` receives its error. */
export function markDeferred(query: CompiledQuery, onFailure: OnFailure): CompiledQuery {
  deferredQueries.set(query, onFailure)
  return query
}

/** The callback given to `markDeferred`; undefined for any other statement. */
export const onFailureOf = (query: CompiledQuery): OnFailure | undefined =>
  deferredQueries.get(query)
