import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#http/declare/context.ts'
import { requireScope } from '#http/declare/permissions.ts'
import type { UploadedBody } from '#http/declare/uploaded-body.ts'
import { ndjsonType, tsvType, xlsxType } from '#http/message/media-type.ts'
import { createMessage } from '#i18n/message.ts'
import { keepCredential } from '#shop/access/kept-credential-store.ts'
import { fieldProblem, problem } from '#values/problem.ts'
import {
  adviceFor,
  compileColumns,
  isKnownColumn,
  requireFewColumns,
  requireKeyColumn,
} from './file/columns.ts'
import { readCsv } from './file/csv.ts'
import { FileText } from './file/file-text.ts'
import { parseMapping, placeMapping } from './file/mapping.ts'
import { openFile } from './file/open-file.ts'
import { splitIntoParts } from './file/parts.ts'
import { fileStart, UnreadableFileError } from './file/records.ts'
import { findSeparator } from './file/separator.ts'
import { addedNamesOf, type FileFacts, namesOf } from './file-row.ts'
import type { FormatName } from './formats/format.ts'
import { foreignFormat, formatOf, isMark, requireMarks } from './formats/formats.ts'
import { insertPart, readParts } from './part-store.ts'
import { isOngoing } from './rules.ts'
import type { ImportQuery } from './schema.ts'
import * as store from './store.ts'
import { type ImportedResource, type OperationRow, operations } from './table.ts'
import type { ImportTarget } from './targets/target.ts'
import { importTargets } from './targets/targets.ts'

/** A file that was received. */
export type ReceivedFile = FileFacts & Pick<OperationRow, 'encoding' | 'media_type'>

/**
 * Stores the file of an import in the database, in parts, so that any process can read it. Throws
 * 403/4033 without the scope of the resource, 422/4221 without the column that names what a row is about.
 */
export async function receiveFile(
  ctx: Context,
  { resource, dry_run = false, format = 'auto' }: ImportQuery,
  body: UploadedBody,
): Promise<ReceivedFile> {
  const { db, actor, now } = ctx
  const target = importTargets[resource]
  requireScope(target.scope, actor)
  const { id } = await operations.insert(db, {
    kind: 'import',
    status: 'receiving',
    resource,
    dry_run: Number(dry_run),
    media_type: body.mediaType,
    user_id: actor.userId,
    credential: JSON.stringify(await keepCredential(ctx)),
    created_at: now,
    updated_at: now,
  })
  try {
    const { mediaType, content, fields } = await openFile(body)
    const text = new FileText(content, mediaType)
    await storeParts(ctx, id, text.read())
    const { encoding } = text
    const media_type = text.isWorkbook ? xlsxType : mediaType
    const received = { id, resource, encoding, media_type }
    const named = parseMapping(fields.get('mapping') ?? '{}')
    if (mediaType === ndjsonType) {
      if (named.size > 0) throw mappingProblem('import.mapping_of_ndjson')
      requireOwnFormat(format, 'import.format_of_ndjson')
      return { ...received, columns: null, mapping: '{}', separator: ',', format: 'cartwright' }
    }
    const start = await readStart(ctx, id)
    const isKnown = (column: string) => isKnownColumn(column, target) || isMark(column)
    const told =
      text.isWorkbook || text.isFeed ? ',' : mediaType === tsvType ? '\t' : text.separator
    const separator = told ?? findSeparator(start, isKnown)
    const columns = await readHeader(ctx, id, separator)
    requireFewColumns(columns)
    const mapping = placeMapping(named, columns, target)
    const chosen = chooseFormat(columns, format, resource)
    const file = {
      ...{ ...received, columns: JSON.stringify(columns), mapping: JSON.stringify(mapping) },
      ...{ separator, format: chosen },
    }
    requireColumns(file, target, resource)
    return file
  } catch (error) {
    // Its parts are unused then.
    await operations.delete(db, { id, status: 'receiving' })
    if (!(error instanceof UnreadableFileError)) throw error
    throw fieldProblem([{ field: 'body', message: error.detail }])
  }
}

type Format = NonNullable<ImportQuery['format']>

/** Throws 422/4221 if a format is asked for that is not that of the shop. */
function requireOwnFormat(
  format: Format,
  key: 'import.format_of_ndjson' | 'import.format_of_resource',
): void {
  if (format === 'auto' || format === 'cartwright') return
  throw fieldProblem([{ field: 'format', message: createMessage(key) }])
}

/** Returns the format of a file with these columns. Throws 422/4221 if it does not have those of any, or of this one. */
function chooseFormat(
  columns: readonly string[],
  format: Format,
  resource: ImportedResource,
): FormatName {
  const chosen =
    format === 'auto' ? formatOf(columns, resource) : foreignFormat({ format, resource })
  if (!chosen) {
    requireOwnFormat(format, 'import.format_of_resource')
    return 'cartwright'
  }
  requireMarks(chosen, columns, adviceFor(columns, importTargets[resource], resource))
  return chosen.name
}

/** Throws 422/4221 for repeated columns, and without one by which rows are found. */
function requireColumns(file: FileFacts, target: ImportTarget, resource: ImportedResource): void {
  if (file.format === 'cartwright') requireKeyColumn(namesOf(file), target, resource)
  else compileColumns(addedNamesOf(file), target)
}

const mappingProblem = (key: 'import.mapping_of_ndjson') =>
  fieldProblem([{ field: 'mapping', message: createMessage(key) }])

async function storeParts(
  { transaction }: Context,
  id: number,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  let firstByte = 0
  for await (const bytes of splitIntoParts(content)) {
    const part = { id, firstByte }
    const isStored = await transaction((db) => insertPart(db, part, bytes, Date.now()))
    if (!isStored) throw problem('4081', 'detail.too_slow')
    firstByte += bytes.length
  }
}

/** The number of bytes in which the header of a file is looked at. */
const startBytes = 65_536

/** Returns the beginning of the file of an import, as far as its first part has it. */
async function readStart({ db }: Pick<Context, 'db'>, id: number): Promise<string> {
  const { value: start = Buffer.alloc(0) } = await readParts(db, id, 0).next()
  return start.toString('utf8', 0, startBytes)
}

/** The bytes that are parsed in one turn of the event loop. */
const bytesPerTurn = 16_384

async function* inTurns(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += bytesPerTurn) {
      yield chunk.subarray(at, at + bytesPerTurn)
      await nextTurn()
    }
  }
}

/** Reads the columns of a CSV file. Throws 422/4221 without any, and for a file that cannot be read. */
async function readHeader(
  { db }: Context,
  id: number,
  separator: string,
): Promise<readonly string[]> {
  const chunks = readParts(db, id, 0)
  for await (const { value, isUtf8 } of readCsv(inTurns(chunks), fileStart, separator)) {
    if (!isUtf8) throw problem('4221', 'detail.not_utf8')
    return value
  }
  throw fieldProblem([{ field: 'body', message: createMessage('import.empty') }])
}

/** Queues an import whose file was received. */
export async function beginImport(
  { db, now }: Context,
  { id, ...facts }: ReceivedFile,
): Promise<OperationRow> {
  const change = { status: 'queued', ...facts, due_at: now, updated_at: now } as const
  // Undefined if it was deleted meanwhile.
  const queued = await operations.updateRow(db, { id, status: 'receiving' }, change)
  if (!queued) throw problem('4081', 'detail.too_slow')
  return queued
}

const pollMs = 100

/** Returns an operation once it has ended, or after `waitMs`. */
export async function waitForEnd(
  { db }: Pick<Context, 'db'>,
  operation: OperationRow,
  waitMs: number,
): Promise<OperationRow> {
  const until = performance.now() + waitMs
  let current = operation
  while (isOngoing(current) && performance.now() < until) {
    await sleep(Math.min(pollMs, Math.max(1, until - performance.now())))
    current = (await store.findOperation(db, current.id)) ?? current
  }
  return current
}

/**
 * Cancels an operation; what it has stored stays. One that is cancelled already stays so. Throws 409/4091
 * for one that has ended otherwise.
 */
export async function cancelImport(
  { db, now }: Context,
  { id, status }: OperationRow,
): Promise<void> {
  if (status === 'cancelled') return
  if (!(await store.cancelOperation(db, id, now))) throw problem('4091', 'import.ended')
}
