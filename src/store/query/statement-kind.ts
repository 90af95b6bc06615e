import type { CompiledQuery } from 'kysely'

const readingSql = /^\s*(?:select|values|explain)\b/i
const readingCte = /^\s*with\b(?!.*\b(?:insert|update|delete)\b)/is
const lockingSql = /\bfor (?:(?:no key )?update|key share)\b/i

/** The queries written in SQL that are plain reads, and those that read by CTEs, by their nodes. */
const kindsOfText = new WeakMap<CompiledQuery['query'], 'plain' | 'reads'>()

/** Notes whether a query of `prepareSql` only reads, which its node does not say. */
export function noteKindOfText({ query, sql }: CompiledQuery): void {
  if (readingCte.test(sql)) kindsOfText.set(query, 'reads')
  if (readingSql.test(sql)) kindsOfText.set(query, lockingSql.test(sql) ? 'reads' : 'plain')
}

/** True for a select without locking clauses and CTEs; false for any other and for other raw SQL. */
export function isPlainRead({ query }: CompiledQuery): boolean {
  if (query.kind !== 'SelectQueryNode') return kindsOfText.get(query) === 'plain'
  return query.endModifiers === undefined && query.with === undefined
}

/** True where the query only reads; false where that is not known, such as for other raw SQL with CTEs. */
export function onlyReads(query: CompiledQuery): boolean {
  if (query.query.kind === 'SelectQueryNode' || kindsOfText.has(query.query)) return true
  return query.query.kind === 'RawNode' && readingSql.test(query.sql)
}
