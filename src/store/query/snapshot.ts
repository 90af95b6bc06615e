import type { CompiledQuery, QueryResult } from 'kysely'
import type { RunQuery } from './direct-executor.ts'

/** The connection of a snapshot. */
export interface DriverSnapshot {
  readonly run: RunQuery
  readonly close: () => Promise<void>
}

const maxRemembered = 16

/**
 * Returns `run` with the last results of at most one row remembered. A snapshot does not change, and
 * reading a list in parts asks for the same counts and parents in each part.
 */
export function cacheSingleRows(run: RunQuery): RunQuery {
  const remembered = new Map<string, QueryResult<unknown>>()
  return async <Row>(query: CompiledQuery) => {
    const key = JSON.stringify([query.sql, query.parameters])
    const known = remembered.get(key) as QueryResult<Row> | undefined
    const result = known ?? (await run<Row>(query))
    remembered.delete(key)
    if (result.rows.length <= 1) remembered.set(key, result)
    const [oldest] = remembered.keys()
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
    return result
  }
}
