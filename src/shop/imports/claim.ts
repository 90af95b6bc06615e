import type { Message } from '#i18n/message.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import type { Position } from './file/records.ts'
import { type OperationRow, operations } from './table.ts'

/** Claims the next import that no process works on; undefined without one. */
export async function claimImport(db: Db, now: Instant): Promise<OperationRow | undefined> {
  const [claimed] = await operations.claim(db, { now, limit: 1 })
  if (!claimed) return undefined
  const { id, leased_until } = claimed
  const begun = { status: 'running', attempts: claimed.attempts + 1 } as const
  const isOngoing = { status: ['queued', 'running'] } as const
  return operations.reviseRow(db, { id, leased_until, ...isOngoing }, begun, now)
}

/** What a batch of rows adds to the progress of an import. */
export interface Progress {
  readonly done: number
  readonly failed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly next: Position
}

/** A claimed import, unless the claim is lost or the import cancelled. */
const claimed = ({ id, leased_until }: OperationRow) =>
  ({ id, leased_until, status: 'running' }) as const

/** Stores the progress of a claimed import and renews the claim; undefined if it is lost. */
export const storeProgress = (
  db: Db,
  operation: OperationRow,
  { next, ...added }: Progress,
  now: Instant,
): Promise<OperationRow | undefined> => {
  const change = {
    done: operation.done + added.done,
    failed: operation.failed + added.failed,
    created: operation.created + added.created,
    updated: operation.updated + added.updated,
    unchanged: operation.unchanged + added.unchanged,
    next_byte: next.byte,
    next_line: next.line,
    // A dry run that began anew has not got any further yet.
    attempts: next.byte > operation.next_byte ? 0 : operation.attempts,
    leased_until: operations.leaseFrom(now),
  }
  return operations.reviseRow(db, claimed(operation), change, now)
}

/** Ends a claimed import, as failed with a failure; undefined if the claim is lost. */
export const endOperation = (
  db: Db,
  operation: OperationRow,
  failure: Message | null,
  now: Instant,
): Promise<OperationRow | undefined> => {
  const status = failure ? 'failed' : 'succeeded'
  const total = operation.done + operation.failed
  const ended = { status, total, finished_at: now, due_at: null, leased_until: 0 } as const
  const change = { ...ended, failure: failure && JSON.stringify(failure) }
  return operations.reviseRow(db, claimed(operation), change, now)
}
