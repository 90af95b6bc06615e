const idleTransactionMilliseconds = 60_000
const clientCheckMilliseconds = 1000

/**
 * Makes PostgreSQL look rows up by index, in the order in which a statement names its tables. Otherwise it
 * reads a small table whole and, since a connection keeps its plans, goes on doing so while the table
 * grows; the plans of foreign key checks are kept too.
 */
const planning = {
  join_collapse_limit: 1,
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // A plan that still needs a disabled method has a huge cost, above the threshold of the compiler.
  jit: 'off',
}

/** The settings that every statement runs with; its time limit is in milliseconds, 0 for none. */
export const sessionSettings = (statementTimeoutMs: number) => ({
  statement_timeout: statementTimeoutMs,
  // For statements outside transactions.
  default_transaction_isolation: 'read committed' as const,
  idle_in_transaction_session_timeout: idleTransactionMilliseconds,
  // Ends a statement whose client has given it up.
  client_connection_check_interval: clientCheckMilliseconds,
  ...planning,
})

// Explicit, so that the server's configuration cannot change the isolation level.
const begin = 'begin isolation level read committed'

/** The command that begins a transaction on a connection with the settings above. */
export const beginInSession = begin

/** The command that begins a transaction with the settings above, for that transaction alone. */
export function beginWithSettings(statementTimeoutMs: number): string {
  const { default_transaction_isolation: _, ...settings } = sessionSettings(statementTimeoutMs)
  const commands = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)
  return [begin, ...commands].join(';')
}
