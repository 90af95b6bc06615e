import type { CompiledQuery } from 'kysely'

const onFailures = new WeakMap<object, (error: unknown) => void>()

/** Marks a statement as one whose outcome nobody waits for; `onFailure` is told why it failed. */
export function deferred(query: CompiledQuery, onFailure: (error: unknown) => void): CompiledQuery {
  onFailures.set(query, onFailure)
  return query
}

/** Whom to tell that the statement failed; undefined for one whose outcome is waited for. */
export const onFailureOf = (query: CompiledQuery): ((error: unknown) => void) | undefined =>
  onFailures.get(query)
