import { CompiledQuery } from 'kysely'
import type { Db } from '#store/database.ts'
import { StaleWriteError } from '#store/stale-write.ts'
import { markDeferred } from './deferred.ts'
import { dialectOf } from './dialect.ts'
import type { PreparedWrite } from './prepared.ts'
import { currentTransaction } from './transaction-scope.ts'

/** Maps the error of a write to the error that the transaction fails with. */
type MapError = (error: unknown) => unknown

/**
 * Runs writes in order, none of which may read what another changes. If a write affects another
 * number of rows than it must, the transaction fails with an error on which `withRetries` runs
 * it again. On PostgreSQL the writes are one statement, sent with the COMMIT or the next statement: if
 * it fails after this resolves, the next statement fails and the transaction rejects with the error
 * of the writes. A query that locks rows counts as a write.
 */
export async function writeBatch(
  db: Db,
  writes: readonly PreparedWrite[],
  mapError: MapError = (error) => error,
): Promise<void> {
  if (writes.length === 0) return
  try {
    if (dialectOf(db) === 'postgres') await sendJoined(db, writes, mapError)
    else for (const write of writes) await runWrite(db, write)
  } catch (error) {
    throw mapError(error)
  }
}

async function sendJoined(
  db: Db,
  writes: readonly PreparedWrite[],
  mapError: MapError,
): Promise<void> {
  const scope = currentTransaction()
  const onFailure = (error: unknown) => {
    if (scope) scope.failure ??= mapError(error)
  }
  const parts = writes.map(({ compiled, rows }) => ({ query: compiled(db), rows }))
  await db.executeQuery(markDeferred(join(parts), onFailure))
}

async function runWrite(db: Db, { compiled, rows }: PreparedWrite): Promise<void> {
  const result = await db.executeQuery(compiled(db))
  if (rows !== undefined && affectedRows(result) !== rows) {
    throw new StaleWriteError('The rows have changed since they were read')
  }
}

const affectedRows = ({ numAffectedRows, rows }: { numAffectedRows?: bigint; rows: unknown[] }) =>
  Math.max(Number(numAffectedRows ?? 0), rows.length)

interface Part {
  readonly query: CompiledQuery
  readonly rows: number | undefined
}

/** The SQL of each combination of writes, by the SQL of its parts. */
const joinedSql = new Map<string, string>()

function join(parts: readonly Part[]): CompiledQuery {
  const parameters = parts.flatMap(({ query }) => query.parameters)
  const expected = parts.flatMap(({ rows }) => rows ?? [])
  const key = parts.map(({ query, rows }) => `${query.sql}\n${rows !== undefined}`).join('\n')
  const known = joinedSql.get(key)
  const text = known ?? sqlOf(parts, parameters.length)
  if (known === undefined) joinedSql.set(key, text)
  return CompiledQuery.raw(text, [...parameters, ...expected])
}

/** PostgreSQL runs the writes in the order of their counts in the select list. */
function sqlOf(parts: readonly Part[], parameterCount: number): string {
  let parametersBefore = 0
  let expected = parameterCount
  const writes: string[] = []
  const counts: string[] = []
  for (const [at, { query, rows }] of parts.entries()) {
    const offset = parametersBefore
    const sql = query.sql.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`)
    writes.push(`w${at} as (${sql}${hasReturning(query) ? '' : ' returning 1'})`)
    parametersBefore += query.parameters.length
    const count = `(select count(*) from w${at})`
    if (rows === undefined) counts.push(count)
    else {
      expected += 1
      counts.push(`require_rows(${count}, $${expected})`)
    }
  }
  return `with ${writes.join(', ')} select ${counts.join(', ')}`
}

const hasReturning = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'RawNode'
    ? /\breturning\b/i.test(sql)
    : query.kind === 'SelectQueryNode' || ('returning' in query && !!query.returning)
