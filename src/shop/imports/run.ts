import { setTimeout as sleep } from 'node:timers/promises'
import { createMessage } from '#i18n/message.ts'
import type { KeptCredential } from '#shop/access/kept-credential-store.ts'
import { discardEvents } from '#shop/events/outbox-store.ts'
import type { Shop } from '#shop/shop.ts'
import { readShopId } from '#shop/shop-id-store.ts'
import type { Db, Store } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'
import { inBatches } from './batches.ts'
import {
  type ClaimParts,
  claimImport,
  EndedCredentialError,
  isFurther,
  keepClaim,
  LostClaimError,
  placeOf,
  requireLiveCredential,
  storeProgress,
  storeSurvey,
} from './claim.ts'
import { endImport, endRows } from './end.ts'
import { keepRecords } from './failed-rows/store.ts'
import { fileStart, type Position, UnreadableFileError } from './file/records.ts'
import type { FileRow, RawRecord } from './file-row.ts'
import { storeImageSources } from './images/store.ts'
import { deleteUnusedParts } from './part-store.ts'
import { previewWith } from './preview.ts'
import { failureOf } from './row-failure.ts'
import { readRecords, rowReader } from './rows.ts'
import { errorsOf, type RowOutcome, type RowWarning } from './rules.ts'
import * as store from './store.ts'
import { rowsOfReading, surveyFile } from './survey.ts'
import { type OperationRow, operations } from './table.ts'
import {
  DependentRowsError,
  type ImportTarget,
  isRejected,
  type KeyedRow,
} from './targets/target.ts'
import { importTargets } from './targets/targets.ts'

/** What runs imports. */
export interface ImportParts extends ClaimParts {
  readonly transaction: RunTransaction
  /** Opens an empty database with the tables of the shop, in which a dry run imports. */
  readonly openScratch: () => Promise<Store>
  readonly shop: Shop
}

/** The weight of what saving the rows of one transaction reads, which bounds its memory and time too. */
const maxWeight = 4_194_304
/** An import fails after this many attempts without a committed batch. */
const maxAttempts = 10
/** Between two transactions, so that others get the write lock of SQLite. */
const pauseMs = 8

/** Imports one operation. */
interface ImportJob extends Omit<ImportParts, 'openScratch'> {
  readonly target: ImportTarget
  readonly credential: KeptCredential
  readonly shopId: string
  /** Where a dry run imports: it sees what its earlier rows have led to, and the shop does not. */
  readonly scratch: Store | undefined
}

/** A part of an import: its rows are those of one reading of the file. */
interface ReadingJob extends ImportJob {
  readonly reading: OperationRow['reading']
}

/**
 * Works on the imports that no other process works on, one after the other, and returns how many it began.
 * One whose process has died is continued after the last batch that it committed.
 */
export async function runImports(parts: ImportParts): Promise<number> {
  const { db, clock, signal, onClaim } = parts
  for (let begun = 0; ; begun += 1) {
    const operation = signal?.aborted ? undefined : await claimImport(db, clock(), 'rows')
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
    const shopId = await readShopId(parts.db)
    await importRows({ ...parts, target, credential, scratch, shopId }, operation)
  } catch (error) {
    if (!(error instanceof EndedCredentialError)) throw error
    await store.endUnpermitted(parts.db, operation.id, parts.clock())
  } finally {
    await scratch?.close()
  }
}

async function importRows(parts: ImportJob, operation: OperationRow): Promise<void> {
  const { db, signal, target, scratch, shop, shopId } = parts
  const claim = { current: operation }
  const readFrom = (start: Position) => keepClaim(parts, claim, readRecords(db, operation, start))
  // What the rows before have led to went with the scratch database of another attempt.
  const reached = scratch ? { reading: 0, next: fileStart } : placeOf(operation)
  try {
    const readRecordsOf = () => readFrom(fileStart)
    const survey = await surveyFile(operation, { target, shop, shopId, readRecords: readRecordsOf })
    const { late } = survey
    claim.current = await storeSurvey(parts, claim.current, survey)
    const readRows = rowReader(operation, target, { ...survey, shop, shopId, isChecked: true })
    for (const reading of late.size === 0 ? [1] : [0, 1]) {
      if (reading < reached.reading) continue
      const start = reading === reached.reading ? reached.next : fileStart
      const rows = readRows(readFrom(start), start)
      for await (const batch of inBatches(rowsOfReading(rows, reading, late))) {
        claim.current = await importBatch({ ...parts, reading }, claim.current, batch)
        signal?.throwIfAborted()
        await sleep(pauseMs)
      }
    }
    await endRows(parts, claim.current, null)
  } catch (error) {
    if (error instanceof UnreadableFileError) await endRows(parts, claim.current, error.detail)
    else if (signal?.aborted && error === signal.reason) {
      const { id, leased_until } = claim.current
      await operations.update(db, { id, leased_until }, { leased_until: 0 })
    } else throw error
  }
}

/**
 * Imports rows in one transaction, with their progress, and returns the import after it. If they weigh too much,
 * or the database rejects a row, each half is imported alone; at last it is that row.
 */
async function importBatch(
  parts: ReadingJob,
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
    if (!isOne && (error instanceof Problem || error instanceof DependentRowsError)) {
      return importHalves(parts, operation, batch)
    }
    if (!isOne || !(error instanceof Problem)) throw error
    return commitBatch(parts, operation, [{ ...only, row: errorsOf(error) }])
  }
}

async function importHalves(
  parts: ReadingJob,
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
  {
    db: shopDb,
    transaction,
    scratch,
    target,
    credential,
    shop,
    shopId,
    clock,
    onClaim,
    reading,
  }: ReadingJob,
  operation: OperationRow,
  batch: readonly FileRow[],
): Promise<OperationRow> {
  const now = clock()
  const rows = keyedRows(batch)
  const { user_id: userId } = operation
  const begunAt = operation.created_at
  const ctx = { shop, shopId, begunAt, now, userId, credential }
  const save = (db: Db) => target.save({ ...ctx, db, shopDb: scratch ? shopDb : db }, rows)
  if (scratch) await target.copyRelated(shopDb, scratch.db, rows)
  const tried = await scratch?.transaction(save)
  if (scratch) await discardEvents(scratch.db)
  const renewed = await transaction(async (db) => {
    await requireLiveCredential(db, operation, now)
    const saved = tried ?? (await save(db))
    if (!scratch) await storeImageSources(db, operation.id, batch, saved)
    return storeOutcomes(db, operation, { batch, reading, saved, target }, now)
  })
  onClaim?.(renewed)
  return renewed
}

/** The rows of a batch, and what they have led to. */
interface ImportedBatch {
  readonly batch: readonly FileRow[]
  readonly reading: OperationRow['reading']
  readonly saved: readonly RowOutcome[]
  readonly target: ImportTarget
}

/** Returns the rows of a batch with what each has led to. */
function withOutcomes(batch: readonly FileRow[], saved: readonly RowOutcome[]) {
  let at = 0
  return batch.map((each) => {
    const outcome: RowOutcome = isRejected(each.row) ? each.row : (saved[at++] ?? [])
    return { ...each, outcome }
  })
}

async function storeOutcomes(
  db: Db,
  operation: OperationRow,
  { batch, reading, saved, target }: ImportedBatch,
  now: Instant,
): Promise<OperationRow> {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const errors: store.RowFailure[] = []
  const failedRows: RawRecord[] = []
  let failed = 0
  const warnings: RowWarning[] = []
  // An earlier attempt of a dry run has told the others.
  const told = withOutcomes(batch, saved).filter(({ next }) =>
    isFurther(operation, { reading, next }),
  )
  for (const { outcome, warnings: ofRow = [], records = [], ...place } of told) {
    warnings.push(...ofRow)
    if (typeof outcome === 'string') counts[outcome] += 1
    else {
      failed += 1
      failedRows.push(...records)
      errors.push(...outcome.map((error) => failureOf(target, place, error)))
    }
  }
  await store.insertErrors(db, operation.id, errors, now)
  const keptBytes = await keepRecords(db, operation, failedRows)
  const next = batch.at(-1)?.next
  const reached =
    next && isFurther(operation, { reading, next }) ? { reading, next } : placeOf(operation)
  const progress = {
    ...{ ...counts, failed, done: told.length - failed, ...reached, warnings, keptBytes },
    preview: previewWith(operation, target, told),
  }
  const stored = await storeProgress(db, operation, progress, now)
  if (!stored) throw new LostClaimError()
  return stored
}
