import { CompiledQuery } from 'kysely'
import type { Db } from '#db/database.ts'
import { StaleWriteError } from '#db/stale-write.ts'
import { deferred } from './deferred.ts'
import { dialectOf } from './dialect.ts'
import type { PreparedWrite } from './prepared.ts'
import { openScope } from './transaction-scope.ts'

/** Makes of an error what the transaction is to fail with. */
type Translate = (error: unknown) => unknown

/**
 * Runs writes in this order, none of which may look at what another of them changes. Where one does
 * not affect as many rows as it has to, the transaction fails with an error by which it is run
 * again. On PostgreSQL they are one statement, which is sent with the COMMIT or the next statement:
 * so they may have failed although this resolves, and then whatever comes next fails, and the
 * transaction with the error of the writes.
 */
export async function writeTogether(
  db: Db,
  writes: readonly PreparedWrite[],
  translate: Translate = (error) => error,
): Promise<void> {
  try {
    if (dialectOf(db) === 'postgres') await sendTogether(db, writes, translate)
    else for (const write of writes) await writeAlone(db, write)
  } catch (error) {
    throw translate(error)
  }
}

async function sendTogether(
  db: Db,
  writes: readonly PreparedWrite[],
  translate: Translate,
): Promise<void> {
  const scope = openScope()
  const onFailure = (error: unknown) => {
    if (scope) scope.failure ??= translate(error)
  }
  const parts = writes.map(({ compiled, rows }) => ({ query: compiled(db), rows }))
  await db.executeQuery(deferred(joined(parts), onFailure))
}

async function writeAlone(db: Db, { compiled, rows }: PreparedWrite): Promise<void> {
  const written = await db.executeQuery(compiled(db))
  if (rows !== undefined && affected(written) !== rows) {
    throw new StaleWriteError('The rows have changed since they were read')
  }
}

const affected = ({ numAffectedRows, rows }: { numAffectedRows?: bigint; rows: unknown[] }) =>
  Math.max(Number(numAffectedRows ?? 0), rows.length)

interface Part {
  readonly query: CompiledQuery
  readonly rows: number | undefined
}

/** The text of each combination that was ever made, by those of its queries. */
const texts = new Map<string, string>()

function joined(parts: readonly Part[]): CompiledQuery {
  const parameters = parts.flatMap(({ query }) => query.parameters)
  const expected = parts.flatMap(({ rows }) => rows ?? [])
  const name = parts.map(({ query, rows }) => `${query.sql}\n${rows !== undefined}`).join('\n')
  const known = texts.get(name)
  const text = known ?? textOf(parts, parameters.length)
  if (known === undefined) texts.set(name, text)
  return CompiledQuery.raw(text, [...parameters, ...expected])
}

/** The counts are taken in the order of the writes, and so the writes are made in it. */
function textOf(parts: readonly Part[], parameterCount: number): string {
  let before = 0
  let expected = parameterCount
  const writes: string[] = []
  const counts: string[] = []
  for (const [at, { query, rows }] of parts.entries()) {
    const offset = before
    const sql = query.sql.replaceAll(/\$(\d+)/g, (_, place) => `$${Number(place) + offset}`)
    writes.push(`w${at} as (${sql}${returns(query) ? '' : ' returning 1'})`)
    before += query.parameters.length
    const count = `(select count(*) from w${at})`
    if (rows === undefined) counts.push(count)
    else {
      expected += 1
      counts.push(`require_rows(${count}, $${expected})`)
    }
  }
  return `with ${writes.join(', ')} select ${counts.join(', ')}`
}

const returns = ({ query }: CompiledQuery): boolean => 'returning' in query && !!query.returning
