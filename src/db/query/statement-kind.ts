import type { CompiledQuery } from 'kysely'

const readingText = /^\s*(?:select|values|explain)\b/i

/** Tells whether the query reads, locks nothing and changes nothing; one in doubt does. */
export function isPlainRead({ query }: CompiledQuery): boolean {
  return (
    query.kind === 'SelectQueryNode' && query.endModifiers === undefined && query.with === undefined
  )
}

/** Tells whether the query is known only to read; a raw statement in doubt counts as writing. */
export function onlyReads(query: CompiledQuery): boolean {
  if (query.query.kind === 'SelectQueryNode') return true
  return query.query.kind === 'RawNode' && readingText.test(query.sql)
}
