import type { CompiledQuery } from 'kysely'

type HasChanged = (row: unknown) => boolean
type OnFailure = (error: unknown) => void

const finalQueries = new WeakMap<object, HasChanged>()
const deferredQueries = new WeakMap<object, OnFailure>()

/** Marks a statement as the last of its transaction if its first row satisfies `hasChanged`. */
export function markFinal<Query extends CompiledQuery>(query: Query, hasChanged: HasChanged) {
  finalQueries.set(query, hasChanged)
  return query
}

/** The predicate given to `markFinal`; undefined for any other statement. */
export const hasChangedOf = (query: CompiledQuery): HasChanged | undefined =>
  finalQueries.get(query)

/** Marks a statement as one that need not be awaited; `onFailure` receives its error. */
export function markDeferred(query: CompiledQuery, onFailure: OnFailure): CompiledQuery {
  deferredQueries.set(query, onFailure)
  return query
}

/** The callback given to `markDeferred`; undefined for any other statement. */
export const onFailureOf = (query: CompiledQuery): OnFailure | undefined =>
  deferredQueries.get(query)
