import { mock } from 'node:test'
import { PostgresClient } from '#db/postgres/pool.ts'
import { SqliteConnection } from '#db/sqlite/connection.ts'

/** A statement as it reached the database, with the values it was run with last. */
export interface RanStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/**
 * Runs the work and returns every statement of it that reached a database, each text once. Kysely's
 * plugins do not see them all: prepared statements and those of `writeTogether` are compiled before.
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

/** Counted by looking at all that match: lists told to the office alone, and ranges of prices. */
const countByLooking = /^select count\(\*\) as "total" from "(audit_events|oauth_clients|products)"/

/** Whether a statement looks for rows of what grows with a shop, and has to find them quickly. */
export const isOfTrade = ({ sql }: RanStatement): boolean =>
  /^\s*(select|insert|update|delete|with)\b/i.test(sql) &&
  !/pg_notify|pg_advisory/.test(sql) &&
  !countByLooking.test(sql)
