import { setTimeout as sleep } from 'node:timers/promises'
import { requireBoundedJson } from '#http/codec/json-bounds.ts'
import { createMessage, type Message } from '#i18n/message.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import { cancelUnlessPermitted } from './actions.ts'
import { claimImport, endOperation, storeProgress } from './claim.ts'
import { operationEvent } from './events.ts'
import { compileColumns } from './file/columns.ts'
import { readCsv } from './file/csv.ts'
import { readNdjson } from './file/ndjson.ts'
import { byteOrderMarkBytes, type FileRecord, UnreadableFileError } from './file/records.ts'
import { deleteUnusedParts, readParts } from './part-store.ts'
import { errorsOf, type RowError, type RowOutcome } from './rules.ts'
import * as store from './store.ts'
import { type OperationRow, operations } from './table.ts'
import { catchRowErrors, type ImportTarget, isRejected, type KeyedRow } from './targets/target.ts'
import { importTargets } from './targets/targets.ts'

/** What runs imports. */
export interface ImportParts {
  readonly db: Db
  readonly transaction: RunTransaction
  /** Runs work in a transaction that is rolled back, and returns its result. */
  readonly dryRun: RunTransaction
  readonly shop: Shop
  readonly clock: () => Instant
  /** No further batch begins once it is aborted. */
  readonly signal?: AbortSignal
}

/** The rows that one transaction imports at most: their index entries cost less together. */
const batchRows = 2500
/** The bytes of the file that one transaction imports at most, which bounds its time and memory. */
const batchBytes = 524_288
/** The share of these limits with which an import begins: long texts take far longer than others. */
const firstShare = 1 / 16
/** The duration to aim at for a transaction, since other writers of SQLite wait for it. */
const targetMs = 500
/** An import fails after this many attempts without a committed batch. */
const maxAttempts = 10
/** Between two transactions, so that others get the write lock of SQLite. */
const pauseMs = 8

/** A row of a batch: what the file has, or why it cannot be imported. */
interface BatchRow {
  readonly line: number
  readonly row: KeyedRow | readonly RowError[]
  readonly next: FileRecord<unknown>['next']
}

/** Another process has gone on with the import, or it was cancelled. */
class LostClaimError extends Error {
  override readonly name = 'LostClaimError'
}

/**
 * Works on the imports that no other process works on, one after the other, and returns how many it began.
 * One whose process has died is continued after the last batch that it committed.
 */
export async function runImports(parts: ImportParts): Promise<number> {
  const { db, clock, signal } = parts
  for (let begun = 0; ; begun += 1) {
    const operation = signal?.aborted ? undefined : await claimImport(db, clock())
    if (!operation) return begun
    try {
      await runImport(parts, operation)
    } catch (error) {
      if (!(error instanceof LostClaimError)) throw error
    }
    await deleteUnusedParts(db, clock())
  }
}

async function runImport(parts: ImportParts, operation: OperationRow): Promise<void> {
  const { db, clock, signal } = parts
  if (operation.attempts > maxAttempts) {
    const failure = createMessage('import.given_up', { line: operation.next_line })
    await endImport(parts, operation, failure)
    return
  }
  let current = operation
  try {
    for await (const batch of inBatches(readRows(db, operation))) {
      if (await cancelUnlessPermitted(db, current, clock())) return
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

async function endImport(
  { transaction, clock }: ImportParts,
  operation: OperationRow,
  failure: Message | null,
): Promise<void> {
  const now = clock()
  await transaction(async (db) => {
    const ended = await endOperation(db, operation, failure, now)
    if (!ended) throw new LostClaimError()
    await recordEvents(db, [operationEvent('import.completed', ended, now)])
  })
}

/** Reads the rows of an import after those that are processed. */
async function* readRows(db: Db, operation: OperationRow): AsyncGenerator<BatchRow> {
  const { id, columns, resource, next_byte, next_line } = operation
  const target = importTargets[resource]
  const { value: start = Buffer.alloc(0) } = await readParts(db, id, 0).next()
  const from = { byte: Math.max(next_byte, byteOrderMarkBytes(start)), line: next_line }
  const chunks = readParts(db, id, from.byte)
  if (columns === null) {
    for await (const record of readNdjson(chunks, from)) yield rowOf(record, target, parseLine)
    return
  }
  const names = JSON.parse(columns) as readonly string[]
  const toFields = compileColumns(names, target)
  const toRow = (cells: readonly string[]) => {
    if (cells.length !== names.length) {
      const values = { expected: names.length, found: cells.length }
      throw problem('4221', 'import.cells', values)
    }
    return toFields(cells)
  }
  let isHeader = next_byte === 0
  for await (const record of readCsv(chunks, from)) {
    if (!isHeader) yield rowOf(record, target, toRow)
    isHeader = false
  }
}

function parseLine(text: string): Readonly<Record<string, unknown>> {
  requireBoundedJson(text)
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  throw problem('4221', 'field.object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problem('4002', 'detail.malformed_json')
  }
}

function rowOf<V>(
  { line, value, isUtf8, next }: FileRecord<V>,
  { keyOf }: ImportTarget,
  fieldsOf: (value: V) => Readonly<Record<string, unknown>>,
): BatchRow {
  const row = catchRowErrors((): KeyedRow => {
    if (!isUtf8) throw problem('4002', 'detail.not_utf8')
    const fields = fieldsOf(value)
    return { key: keyOf(fields), fields }
  })
  return { line, row, next }
}

/**
 * Groups rows into batches in which no key occurs twice, so that the last row of a key wins. Their size follows
 * the time that the one before took.
 */
async function* inBatches(rows: AsyncIterable<BatchRow>): AsyncGenerator<readonly BatchRow[]> {
  let batch: BatchRow[] = []
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
 * Imports rows in one transaction, with their progress, and returns the import after it. If the database
 * rejects a row, each is imported alone.
 */
async function importBatch(
  parts: ImportParts,
  operation: OperationRow,
  batch: readonly BatchRow[],
): Promise<OperationRow> {
  try {
    return await commitBatch(parts, operation, batch)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [only, ...others] = batch
    if (only && others.length === 0) {
      return commitBatch(parts, operation, [{ ...only, row: errorsOf(error) }])
    }
    let current = operation
    for (const each of batch) current = await importBatch(parts, current, [each])
    return current
  }
}

async function commitBatch(
  { transaction, dryRun, shop, clock }: ImportParts,
  operation: OperationRow,
  batch: readonly BatchRow[],
): Promise<OperationRow> {
  const now = clock()
  const target = importTargets[operation.resource]
  const rows = batch.flatMap(({ row }) => (isRejected(row) ? [] : [row]))
  const save = (db: Db) =>
    target.save(
      {
        db,
        shop,
        now,
        userId: operation.user_id,
        isFullSignIn: operation.is_full_sign_in === 1,
      },
      rows,
    )
  const checkedOnly = operation.dry_run === 1 ? await dryRun(save) : undefined
  return transaction(async (db) => {
    const saved = checkedOnly ?? (await save(db))
    return storeOutcomes(db, operation, batch, saved, now)
  })
}

async function storeOutcomes(
  db: Db,
  operation: OperationRow,
  batch: readonly BatchRow[],
  saved: readonly RowOutcome[],
  now: Instant,
): Promise<OperationRow> {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const errors: store.LineError[] = []
  let failed = 0
  let at = 0
  for (const { line, row } of batch) {
    const outcome = isRejected(row) ? row : (saved[at++] ?? [])
    if (typeof outcome === 'string') counts[outcome] += 1
    else {
      failed += 1
      errors.push(...outcome.map((error) => ({ ...error, line })))
    }
  }
  await store.insertErrors(db, operation.id, errors, now)
  const next = batch.at(-1)?.next ?? { byte: 0, line: 1 }
  const progress = { ...counts, failed, done: batch.length - failed, next }
  const stored = await storeProgress(db, operation, progress, now)
  if (!stored) throw new LostClaimError()
  return stored
}
