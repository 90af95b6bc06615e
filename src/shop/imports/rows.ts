import { requireBoundedJson } from '#http/codec/json-bounds.ts'
import type { Db } from '#store/database.ts'
import { problem } from '#values/problem.ts'
import { compileColumns } from './file/columns.ts'
import { readCsv } from './file/csv.ts'
import { readNdjson } from './file/ndjson.ts'
import { byteOrderMarkBytes, type FileRecord, type Position } from './file/records.ts'
import { readParts } from './part-store.ts'
import type { RowError } from './rules.ts'
import type { OperationRow } from './table.ts'
import { catchRowErrors, type ImportTarget, type KeyedRow } from './targets/target.ts'
import { importTargets } from './targets/targets.ts'

/** A row of a file: what it has, or why it cannot be imported. */
export interface FileRow {
  readonly line: number
  readonly row: KeyedRow | readonly RowError[]
  readonly next: Position
}

/** Reads the rows of an import from a position on. */
export async function* readRows(
  db: Db,
  { id, columns, resource }: OperationRow,
  start: Position,
): AsyncGenerator<FileRow> {
  const target = importTargets[resource]
  const { value: first = Buffer.alloc(0) } = await readParts(db, id, 0).next()
  const from = { ...start, byte: Math.max(start.byte, byteOrderMarkBytes(first)) }
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
  let isHeader = start.byte === 0
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
): FileRow {
  const row = catchRowErrors((): KeyedRow => {
    if (!isUtf8) throw problem('4002', 'detail.not_utf8')
    const fields = fieldsOf(value)
    return { key: keyOf(fields), fields }
  })
  return { line, row, next }
}
