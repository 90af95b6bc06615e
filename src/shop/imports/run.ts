import { setTimeout as sleep } from 'node:timers/promises'
import { createMessage } from '#i18n/message.ts'
import { isCredentialLive, type KeptCredential } from '#shop/access/kept-credential-store.ts'
import { discardEvents } from '#shop/events/outbox-store.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db, Store } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'
import { claimImport, storeProgress } from './claim.ts'
import { endImport, LostClaimError } from './end.ts'
import { type Position, UnreadableFileError } from './file/records.ts'
import { deleteUnusedParts } from './part-store.ts'
import { type FileRow, readRows } from './rows.ts'
import { errorsOf, type RowOutcome } from './rules.ts'
import * as store from './store.ts'
import { type OperationRow, operations } from './table.ts'
import { type ImportTarget, isRejected, type KeyedRow } from './targets/target.ts'
import { importTargets } from './targets/targets.ts'

/** What runs imports. */
export interface ImportParts {
  readonly db: Db
  readonly transaction: RunTransaction
  /** Opens an empty database with the tables of the shop, in which a dry run imports. */
  readonly openScratch: () => Promise<Store>
  readonly shop: Shop
  readonly clock: () => Instant
  /** Called with each claim of an import, and each renewal. */
  readonly onClaim?: (claim: OperationRow) => void
  /** No further batch begins once it is aborted. */
  readonly signal?: AbortSignal
}

/** The rows that one transaction imports at most: their index entries cost less together. */
const batchRows = 2500
/** The bytes of the file that one transaction imports at most, which bounds its time and memory. */
const batchBytes = 524_288
/** The weight of what saving the rows of one transaction reads, which bounds its memory and time too. */
const maxWeight = 4_194_304
/** The share of these limits with which an import begins: long texts take far longer than others. */
const firstShare = 1 / 16
/** The duration to aim at for a transaction, since other writers of SQLite wait for it. */
const targetMs = 500
/** An import fails after this many attempts without a committed batch. */
const maxAttempts = 10
/** Between two transactions, so that others get the write lock of SQLite. */
const pauseMs = 8

/** Imports one operation. */
interface ImportJob extends Omit<ImportParts, 'openScratch'> {
  readonly target: ImportTarget
  readonly credential: KeptCredential
  /** Where a dry run imports: it sees what its earlier rows have led to, and the shop does not. */
  readonly scratch: Store | undefined
}

/** The one who began an import, or the credential of the request, may not continue it. */
class EndedCredentialError extends Error {
  override readonly name = 'EndedCredentialError'
}

/**
 * Works on the imports that no other process works on, one after the other, and returns how many it began.
 * One whose process has died is continued after the last batch that it committed.
 */
export async function runImports(parts: ImportParts): Promise<number> {
  const { db, clock, signal, onClaim } = parts
  for (let begun = 0; ; begun += 1) {
    const operation = signal?.aborted ? undefined : await claimImport(db, clock())
    if (!operation) return begun
    onClaim?.(operation)
    try {
      await runImport(parts, operation)
    } catch (error) {
      if (!(error instanceof LostClaimError)) throw error
    }
    await deleteUnusedParts(db, clock())
  }
}

async function runImport(parts: ImportParts, operation: OperationRow): Promise<void> {
  if (operation.attempts > maxAttempts) {
    const failure = createMessage('import.given_up', { line: operation.next_line })
    await endImport(parts, operation, failure)
    return
  }
  const scratch = operation.dry_run === 1 ? await parts.openScratch() : undefined
  const target = importTargets[operation.resource]
  const credential = JSON.parse(operation.credential) as KeptCredential
  try {
    await importRows({ ...parts, target, credential, scratch }, operation)
  } catch (error) {
    if (!(error instanceof EndedCredentialError)) throw error
    await store.endUnpermitted(parts.db, operation.id, parts.clock())
  } finally {
    await scratch?.close()
  }
}

async function importRows(parts: ImportJob, operation: OperationRow): Promise<void> {
  const { db, signal, scratch } = parts
  // What the rows before have led to went with the scratch database of another attempt.
  const start = scratch ? { byte: 0, line: 1 } : positionOf(operation)
  let current = operation
  try {
    for await (const batch of inBatches(readRows(db, operation, start))) {
      current = await importBatch(parts, current, batch)
      if (signal?.aborted) {
        const { id, leased_until } = current
        await operations.update(db, { id, leased_until }, { leased_until: 0 })
        return
      }
      await sleep(pauseMs)
    }
    await endImport(parts, current, null)
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    await endImport(parts, current, error.detail)
  }
}

const positionOf = ({ next_byte, next_line }: OperationRow): Position => ({
  byte: next_byte,
  line: next_line,
})

/**
 * Groups rows into batches in which no key occurs twice, so that the last row of a key wins. Their size follows
 * the time that the one before took.
 */
async function* inBatches(rows: AsyncIterable<FileRow>): AsyncGenerator<readonly FileRow[]> {
  let batch: FileRow[] = []
  let keys = new Set<string>()
  let share = firstShare
  let startByte = 0
  let failure: unknown
  try {
    for await (const each of rows) {
      const key = isRejected(each.row) ? undefined : each.row.key
      const isFull =
        batch.length >= share * batchRows || each.next.byte - startByte > share * batchBytes
      if (batch.length > 0 && (isFull || (key !== undefined && keys.has(key)))) {
        const startMs = performance.now()
        yield batch
        if (isFull) share = nextShare(share, performance.now() - startMs)
        startByte = batch.at(-1)?.next.byte ?? 0
        batch = []
        keys = new Set()
      }
      batch.push(each)
      if (key !== undefined) keys.add(key)
    }
  } catch (error) {
    failure = error
  }
  // The rows before one that cannot be read are imported.
  if (batch.length > 0) yield batch
  if (failure) throw failure
}

const nextShare = (share: number, tookMs: number): number =>
  Math.min(1, share * Math.min(4, targetMs / tookMs))

/**
 * Imports rows in one transaction, with their progress, and returns the import after it. If they weigh too much,
 * or the database rejects a row, each half is imported alone; at last it is that row.
 */
async function importBatch(
  parts: ImportJob,
  operation: OperationRow,
  batch: readonly FileRow[],
): Promise<OperationRow> {
  const [only, ...others] = batch
  const isOne = only !== undefined && others.length === 0
  if (!isOne && (await weightOf(parts, batch)) > maxWeight) {
    return importHalves(parts, operation, batch)
  }
  try {
    return await commitBatch(parts, operation, batch)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (isOne) return commitBatch(parts, operation, [{ ...only, row: errorsOf(error) }])
    return importHalves(parts, operation, batch)
  }
}

async function importHalves(
  parts: ImportJob,
  operation: OperationRow,
  batch: readonly FileRow[],
): Promise<OperationRow> {
  const middle = Math.ceil(batch.length / 2)
  const halfway = await importBatch(parts, operation, batch.slice(0, middle))
  return importBatch(parts, halfway, batch.slice(middle))
}

const keyedRows = (batch: readonly FileRow[]): readonly KeyedRow[] =>
  batch.flatMap(({ row }) => (isRejected(row) ? [] : [row]))

/** The weight of what saving these rows reads, in a dry run also of what rows before have led to. */
async function weightOf(
  { db, scratch, target }: ImportJob,
  batch: readonly FileRow[],
): Promise<number> {
  const rows = keyedRows(batch)
  const tried = scratch ? await target.weigh(scratch.db, rows) : 0
  return tried + (await target.weigh(db, rows))
}

async function commitBatch(
  { db: shopDb, transaction, scratch, target, credential, shop, clock, onClaim }: ImportJob,
  operation: OperationRow,
  batch: readonly FileRow[],
): Promise<OperationRow> {
  const now = clock()
  const rows = keyedRows(batch)
  const { user_id: userId } = operation
  const save = (db: Db) => target.save({ db, shop, now, userId, credential }, rows)
  if (scratch) await target.copyRelated(shopDb, scratch.db, rows)
  const tried = await scratch?.transaction(save)
  if (scratch) await discardEvents(scratch.db)
  const renewed = await transaction(async (db) => {
    const scopes = ['imports:write', target.scope] as const
    if (!(await isCredentialLive(db, userId, credential, scopes, now))) {
      throw new EndedCredentialError()
    }
    const saved = tried ?? (await save(db))
    return storeOutcomes(db, operation, batch, saved, now)
  })
  onClaim?.(renewed)
  return renewed
}

async function storeOutcomes(
  db: Db,
  operation: OperationRow,
  batch: readonly FileRow[],
  saved: readonly RowOutcome[],
  now: Instant,
): Promise<OperationRow> {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const errors: store.LineError[] = []
  let failed = 0
  let at = 0
  let told = 0
  for (const { line, row, next } of batch) {
    const outcome = isRejected(row) ? row : (saved[at++] ?? [])
    // An earlier attempt of a dry run has told it.
    if (next.byte <= operation.next_byte) continue
    told += 1
    if (typeof outcome === 'string') counts[outcome] += 1
    else {
      failed += 1
      errors.push(...outcome.map((error) => ({ ...error, line })))
    }
  }
  await store.insertErrors(db, operation.id, errors, now)
  const last = batch.at(-1)?.next
  const next = last && last.byte > operation.next_byte ? last : positionOf(operation)
  const progress = { ...counts, failed, done: told - failed, next }
  const stored = await storeProgress(db, operation, progress, now)
  if (!stored) throw new LostClaimError()
  return stored
}
