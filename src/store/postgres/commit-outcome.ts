import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import { OutcomeUnknownError, TransactionLostError } from '#store/errors.ts'
import { leftMs } from '#values/deadline.ts'

/** What tells a transaction apart on every connection to the database. */
export interface TransactionIdentity {
  readonly xid: string
  /** The history of the database: a standby that takes over begins another one, and may use an ID again. */
  readonly timeline: string
  /** The process of PostgreSQL. */
  readonly pid: number
}

/** Sent with the command that begins a transaction; its result is a `TransactionIdentity`. */
export const readIdentity = `select pg_current_xact_id()::text as xid,
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline, pg_backend_pid() as pid`

/** Also ends a process that has not received the COMMIT and would keep the rows locked. */
const readStatus = `select pg_xact_status($1::text::xid8) as status,
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
  (select pg_terminate_backend(pid) from pg_stat_activity where pid = $2
    and backend_xid = ($1::text::xid8)::xid and state like 'idle in transaction%') as ended`

interface Status {
  readonly status: 'in progress' | 'committed' | 'aborted' | null
  readonly timeline: string
}

/** The response to a COMMIT was lost. */
export class CommitLostError extends Error {
  override readonly name = 'CommitLostError'
  /** Undefined where it is not known. */
  readonly identity: TransactionIdentity | undefined

  constructor(identity: TransactionIdentity | undefined, cause: unknown) {
    super('The response to COMMIT was lost', { cause })
    this.identity = identity
  }
}

/** Runs a statement on any connection. */
type RunStatement = (sql: string, parameters: readonly unknown[]) => Promise<QueryResult<Status>>

const pauseMs = 50
/** How long is asked where no request sets a deadline. */
const maxAskMs = 5000

/**
 * Asks PostgreSQL what became of a transaction. Resolves if it is committed; throws a TransactionLostError if it
 * is rolled back, and an OutcomeUnknownError if there is no answer in time.
 */
export async function resolveCommit(
  run: RunStatement,
  { identity, cause }: CommitLostError,
): Promise<void> {
  const endMs = performance.now() + leftMs(maxAskMs)
  while (identity && performance.now() < endMs) {
    const { xid, timeline, pid } = identity
    const found = await run(readStatus, [xid, pid]).catch(() => undefined)
    const [row] = found?.rows ?? []
    if (row && (row.timeline !== timeline || row.status === null)) break
    if (row?.status === 'committed') return
    if (row?.status === 'aborted') {
      throw new TransactionLostError('The transaction was rolled back', { cause })
    }
    await sleep(pauseMs)
  }
  throw new OutcomeUnknownError('Whether the transaction is committed is unknown', { cause })
}
