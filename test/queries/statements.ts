import { mock } from 'node:test'
import { PostgresClient } from '#store/postgres/client.ts'
import { SqliteConnection } from '#store/sqlite/connection.ts'

/** A statement as it reached the database, with its last parameters. */
export interface RanStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/**
 * Runs the work and returns each statement text that reached a database once. Kysely plugins do not see
 * them all: prepared statements and those of `writeBatch` are compiled before.
 */
export async function recordStatements(work: () => Promise<void>): Promise<RanStatement[]> {
  const spies = [
    mock.method(PostgresClient.prototype, 'query'),
    mock.method(SqliteConnection.prototype, 'execute'),
  ]
  try {
    await work()
    const calls = spies.flatMap((spy) => spy.mock.calls.map((call) => call.arguments))
    const byText = new Map(calls.map(([sql, parameters]) => [sql, parameters]))
    return Array.from(byText, ([sql, parameters]) => ({ sql, parameters }))
  } finally {
    for (const spy of spies) spy.mock.restore()
  }
}

/** Counts that read matches one by one: of lists for administrators, categories, price ranges, and ranges of times. */
const countByLooking =
  /^select count\(\*\) as "total" from \(\(select 1 as "counted" from ("(audit_events|oauth_clients|products)"|categories|.*_at" (>=|<) \$1 limit)/

/** True for a statement that has to find rows of growing tables quickly. */
export const isOfTrade = ({ sql }: RanStatement): boolean =>
  /^\s*(select|insert|update|delete|with)\b/i.test(sql) &&
  !/pg_notify|pg_advisory/.test(sql) &&
  !countByLooking.test(sql)
