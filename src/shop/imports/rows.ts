import { requireBoundedJson } from '#http/codec/json-bounds.ts'
import type { Db } from '#store/database.ts'
import { problem } from '#values/problem.ts'
import { compileColumns, fieldNamesOf } from './file/columns.ts'
import { readCsv } from './file/csv.ts'
import { readNdjson } from './file/ndjson.ts'
import type { FileRecord, Position } from './file/records.ts'
import { readParts } from './part-store.ts'
import type { RowError } from './rules.ts'
import type { OperationRow } from './table.ts'
import { catchRowErrors, type ImportTarget, type KeyedRow } from './targets/target.ts'

/** A row of a file: what it has, or why it cannot be imported. */
export interface FileRow {
  readonly line: number
  /** The number of its record; see `Position`. */
  readonly record: number
  /** What it has, as far as it can be read. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly row: KeyedRow | readonly RowError[]
  readonly next: Position
}

/** What a file says of how to read it. */
export type FileFacts = Pick<OperationRow, 'id' | 'columns' | 'separator'>

/** A record of a file: the cells of a row, or a line of NDJSON. */
export type RawRecord = FileRecord<readonly string[] | string>

/** Reads the records of the rows of a file from a position on. Rows of CSV without any content are left out. */
export async function* readRecords(
  db: Db,
  { id, columns, separator }: FileFacts,
  start: Position,
): AsyncGenerator<RawRecord> {
  const chunks = readParts(db, id, start.byte)
  if (columns === null) {
    yield* readNdjson(chunks, start)
    return
  }
  let isHeader = start.byte === 0
  for await (const record of readCsv(chunks, start, separator)) {
    if (!isHeader && record.value.some((cell) => cell.trim() !== '')) yield record
    isHeader = false
  }
}

/** The names of the columns of a CSV file; none of another file. */
export const columnsOf = ({ columns }: FileFacts): readonly string[] =>
  columns === null ? [] : (JSON.parse(columns) as readonly string[])

/** How the records of a file are turned into rows. */
interface RowOptions {
  /** The places of columns whose numbers have a decimal comma. */
  readonly decimalCommas?: ReadonlySet<number>
  /** Called for each value of a field of NDJSON that means nothing. */
  readonly onUnknown?: (name: string) => void
}

/** Returns what turns the records of a file into rows. */
export function rowReader(
  file: FileFacts,
  target: ImportTarget,
  { decimalCommas, onUnknown }: RowOptions = {},
): (record: RawRecord) => FileRow {
  const names = columnsOf(file)
  const { toFields } = compileColumns(names, target, decimalCommas)
  const known = fieldNamesOf(target)
  const fieldsOfLine = (line: string): Readonly<Record<string, unknown>> => {
    const fields = Object.entries(parseLine(line))
    for (const [name, value] of fields) {
      if (!known.has(name) && value !== null) onUnknown?.(name)
    }
    return Object.fromEntries(fields.filter(([name]) => known.has(name)))
  }
  const fieldsOfCells = (cells: readonly string[]): Readonly<Record<string, unknown>> => {
    // Spreadsheets add empty cells.
    if (cells.length < names.length || cells.slice(names.length).some((cell) => cell !== '')) {
      const values = { expected: names.length, found: cells.length }
      throw problem('4221', 'import.cells', values)
    }
    return toFields(cells)
  }
  return ({ value, isUtf8, ...place }) => {
    let fields: FileRow['fields'] = {}
    const row = catchRowErrors((): KeyedRow => {
      if (!isUtf8) throw problem('4002', 'detail.not_utf8')
      fields = typeof value === 'string' ? fieldsOfLine(value) : fieldsOfCells(value)
      return { key: target.keyOf(fields), fields }
    })
    return { ...place, fields, row }
  }
}

function parseLine(text: string): Readonly<Record<string, unknown>> {
  requireBoundedJson(text)
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  throw problem('4221', Array.isArray(value) ? 'import.array' : 'field.object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problem('4002', 'detail.malformed_json')
  }
}
