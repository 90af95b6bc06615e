import type { Message } from '#i18n/message.ts'
import { isCredentialLive, type KeptCredential } from '#shop/access/kept-credential-store.ts'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import type { Position } from './file/records.ts'
import { parseWarnings, type RowWarning } from './rules.ts'
import type { Survey } from './survey.ts'
import { type OperationRow, operations } from './table.ts'
import { importTargets } from './targets/targets.ts'

/** Claims the next import in a phase that no process works on; undefined without one. */
export async function claimImport(
  db: Db,
  now: Instant,
  phase: OperationRow['phase'],
): Promise<OperationRow | undefined> {
  const [claimed] = await operations.claim(db, { now, limit: 1, where: { phase } })
  if (!claimed) return undefined
  const { id, leased_until } = claimed
  const begun = { status: 'running', attempts: claimed.attempts + 1 } as const
  const isOngoing = { status: ['queued', 'running'] } as const
  return operations.reviseRow(db, { id, leased_until, ...isOngoing }, begun, now)
}

/** Another process has gone on with the import, or it was cancelled. */
export class LostClaimError extends Error {
  override readonly name = 'LostClaimError'
}

/** The one who began an import, or the credential of the request, may not continue it. */
export class EndedCredentialError extends Error {
  override readonly name = 'EndedCredentialError'
}

/** Throws an EndedCredentialError where an import may not go on. */
export async function requireLiveCredential(
  db: Db,
  { user_id, credential, resource }: OperationRow,
  now: Instant,
): Promise<void> {
  const scopes = ['imports:write', importTargets[resource].scope] as const
  const kept = JSON.parse(credential) as KeptCredential
  if (!(await isCredentialLive(db, user_id, kept, scopes, now))) throw new EndedCredentialError()
}

/** What a batch of rows adds to the progress of an import. */
export interface Progress {
  readonly done: number
  readonly failed: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly next: Position
  readonly reading: OperationRow['reading']
  readonly warnings?: readonly RowWarning[]
  /** The size of the records that are kept. */
  readonly keptBytes?: number
  /** The first rows of a dry run so far. */
  readonly preview?: string
}

/** The warnings that an operation tells at most. */
const maxWarnings = 200

/** Returns the stored warnings of an operation with others after them. */
const withWarnings = (operation: OperationRow, added: readonly RowWarning[]): string => {
  if (added.length === 0) return operation.warnings
  return JSON.stringify([...parseWarnings(operation), ...added].slice(0, maxWarnings))
}

/** A place in a reading of a file. */
type Place = Pick<Progress, 'reading' | 'next'>

/** The place that an import has reached. */
export const placeOf = ({ reading, ...operation }: OperationRow): Place => ({
  reading,
  next: {
    byte: operation.next_byte,
    line: operation.next_line,
    record: operation.next_record,
    rows: operation.next_rows,
  },
})

/** True for a place that an import has not reached yet. */
export const isFurther = (
  operation: Pick<OperationRow, 'reading' | 'next_byte' | 'next_rows'>,
  { reading, next }: Place,
): boolean => {
  if (reading !== operation.reading) return reading > operation.reading
  if (next.byte !== operation.next_byte) return next.byte > operation.next_byte
  return (next.rows ?? 0) > operation.next_rows
}

/** A claimed import, unless the claim is lost or the import cancelled. */
export const claimed = ({ id, leased_until }: OperationRow) =>
  ({ id, leased_until, status: 'running' }) as const

/** Stores the progress of a claimed import and renews the claim; undefined if it is lost. */
export const storeProgress = (
  db: Db,
  operation: OperationRow,
  { next, reading, warnings = [], keptBytes = 0, preview = operation.preview, ...added }: Progress,
  now: Instant,
): Promise<OperationRow | undefined> => {
  const change = {
    done: operation.done + added.done,
    failed: operation.failed + added.failed,
    created: operation.created + added.created,
    updated: operation.updated + added.updated,
    unchanged: operation.unchanged + added.unchanged,
    reading,
    next_byte: next.byte,
    next_line: next.line,
    next_record: next.record,
    next_rows: next.rows ?? 0,
    warnings: withWarnings(operation, warnings),
    kept_bytes: operation.kept_bytes + keptBytes,
    preview,
    // A dry run that began anew has not got any further yet.
    attempts: isFurther(operation, { reading, next }) ? 0 : operation.attempts,
    leased_until: operations.leaseFrom(now),
  }
  return operations.reviseRow(db, claimed(operation), change, now)
}

/** The stored warnings but for those of the header, which an earlier attempt has told. */
const warningsOfRows = (operation: OperationRow) =>
  parseWarnings(operation).filter(({ row }) => row > 1)

/** Stores what is known of the file of a claimed import, and renews the claim. Throws a LostClaimError. */
export async function storeSurvey(
  { db, clock, onClaim }: ClaimParts,
  operation: OperationRow,
  { rows, decimalCommas, overwritten, madeSkus, warnings, ...survey }: Survey,
): Promise<OperationRow> {
  const now = clock()
  const change = {
    ...{
      total: rows,
      overwritten,
      made_skus: madeSkus,
      decimal_comma: Number(decimalCommas.size > 0),
    },
    column_fields: JSON.stringify(survey.columnFields),
    ignored_columns: JSON.stringify(survey.ignoredColumns),
    repeated_keys: JSON.stringify(survey.repeatedKeys),
    warnings: JSON.stringify([...warnings, ...warningsOfRows(operation)]),
    leased_until: operations.leaseFrom(now),
  }
  const stored = await operations.reviseRow(db, claimed(operation), change, now)
  if (!stored) throw new LostClaimError()
  onClaim?.(stored)
  return stored
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

/** What keeping a claim depends on. */
export interface ClaimParts {
  readonly db: Db
  readonly clock: () => Instant
  /** Called with each claim of an import, and each renewal. */
  readonly onClaim?: (claim: OperationRow) => void
  /** No further batch begins once it is aborted. */
  readonly signal?: AbortSignal
}

/** How long rows are read without any that is imported before the claim is renewed. */
const renewalMs = 5000

/** Yields rows, and renews the claim while none of them is imported. Throws a LostClaimError. */
export async function* keepClaim<Row>(
  { db, clock, onClaim, signal }: ClaimParts,
  claim: { current: OperationRow },
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row> {
  let renewedMs = performance.now()
  let lastClaim = claim.current
  for await (const row of rows) {
    if (claim.current !== lastClaim) [lastClaim, renewedMs] = [claim.current, performance.now()]
    if (performance.now() - renewedMs > renewalMs) {
      signal?.throwIfAborted()
      const unchanged = { done: 0, failed: 0, created: 0, updated: 0, unchanged: 0 }
      const progress = { ...unchanged, ...placeOf(lastClaim) }
      const renewed = await storeProgress(db, lastClaim, progress, clock())
      if (!renewed) throw new LostClaimError()
      claim.current = lastClaim = renewed
      renewedMs = performance.now()
      onClaim?.(lastClaim)
    }
    yield row
  }
}
