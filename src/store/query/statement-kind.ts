import type { CompiledQuery } from 'kysely'

const readingSql = /^\s*(?:select|values|explain)\b/i

/** True for a select without locking clauses and CTEs; false for any other and for raw SQL. */
export function isPlainRead({ query }: CompiledQuery): boolean {
  return (
    query.kind === 'SelectQueryNode' && query.endModifiers === undefined && query.with === undefined
  )
}

/** True where the query only reads; false where that is not known, such as for raw SQL with CTEs. */
export function onlyReads(query: CompiledQuery): boolean {
  if (query.query.kind === 'SelectQueryNode') return true
  return query.query.kind === 'RawNode' && readingSql.test(query.sql)
}
