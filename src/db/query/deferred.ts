import type { CompiledQuery } from 'kysely'

const onFailures = new WeakMap<object, (error: unknown) => void>()

type HasChanged = (row: unknown) => boolean

const hasChangedBy = new WeakMap<object, HasChanged>()

/**
 * Marks a statement as the last of its transaction, if it has changed anything: `hasChanged` tells
 * so from its first row.
 */
export function finalStatement<Query extends CompiledQuery>(query: Query, hasChanged: HasChanged) {
  hasChangedBy.set(query, hasChanged)
  return query
}

/** Tells whether a statement has changed anything; undefined for one that need not be the last. */
export const hasChangedOf = (query: CompiledQuery): HasChanged | undefined =>
  hasChangedBy.get(query)

/** Marks a statement as one whose outcome nobody waits for; `onFailure` is told why it failed. */
export function deferred(query: CompiledQuery, onFailure: (error: unknown) => void): CompiledQuery {
  onFailures.set(query, onFailure)
  return query
}

/** Whom to tell that the statement failed; undefined for one whose outcome is waited for. */
export const onFailureOf = (query: CompiledQuery): ((error: unknown) => void) | undefined =>
  onFailures.get(query)
