import { requireBoundedJson } from '#http/codec/json-bounds.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { problem } from '#values/problem.ts'
import { compileColumns, fieldNamesOf } from './file/columns.ts'
import { readCsv } from './file/csv.ts'
import { readNdjson } from './file/ndjson.ts'
import type { Position } from './file/records.ts'
import {
  addedNamesOf,
  type FileFacts,
  type FileRow,
  namesOf,
  type RawRecord,
  requireReadable,
} from './file-row.ts'
import { convertRecords } from './formats/convert.ts'
import type { Fields, FormatReader } from './formats/format.ts'
import { foreignFormat } from './formats/formats.ts'
import { joinRows } from './joined-rows.ts'
import { readParts } from './part-store.ts'
import { catchRowErrors, type ImportTarget, type KeyedRow } from './targets/target.ts'

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

/** How the records of a file are turned into rows. */
export interface RowOptions {
  readonly shop: Shop
  /** What tells the shop from others in files. */
  readonly shopId: string
  /** The places of columns whose numbers have a decimal comma. */
  readonly decimalCommas?: ReadonlySet<number>
  /** Called for each value of a field of NDJSON that means nothing. */
  readonly onUnknown?: (name: string) => void
  /** What reads a file of another system, and knows what all its records have. */
  readonly reader?: FormatReader | undefined
  /** True if what the fields of the shop cannot have is left out of rows of another system. */
  readonly isChecked?: boolean
}

/** Turns records, which begin at a position, into rows. */
export type ReadRows = (
  records: AsyncIterable<RawRecord>,
  start: Position,
) => AsyncIterable<FileRow>

/** Returns what turns the records of a file into rows. */
export function rowReader(file: FileFacts, target: ImportTarget, options: RowOptions): ReadRows {
  const { reader, shop, decimalCommas = new Set(), isChecked = false } = options
  const format = foreignFormat(file)
  if (!format || !reader) {
    const toRow = recordReader(file, target, options)
    const { list } = target
    return (records) => (list ? joinRows(map(records, toRow), list) : map(records, toRow))
  }
  const columns = namesOf(file)
  const { toFields: toAdded } = compileColumns(addedNamesOf(file), target, decimalCommas)
  const { issuesOf } = target
  const check = isChecked && issuesOf ? (fields: Fields) => issuesOf(fields, shop) : undefined
  const conversion = { format, columns, target, shop, decimalCommas, toAdded, issuesOf: check }
  return (records, start) => convertRecords(records, start, reader, conversion)
}

async function* map<From, To>(
  each: AsyncIterable<From>,
  convert: (from: From) => To,
): AsyncGenerator<To> {
  for await (const one of each) yield convert(one)
}

/** Returns what turns a record of a file that has the fields of the shop into a row. */
function recordReader(
  file: FileFacts,
  target: ImportTarget,
  { shopId, decimalCommas, onUnknown }: RowOptions,
): (record: RawRecord) => FileRow {
  const names = namesOf(file)
  const { toFields } = compileColumns(names, target, decimalCommas)
  const known = fieldNamesOf(target)
  const { names: readOnly = [], says = () => false } = target.readOnly ?? {}
  const withoutThoseOfOthers = (given: Fields): Fields => {
    const owner = given['shop_id']
    if (!owner || owner === shopId) return given
    for (const name of readOnly) if (says(name, given[name])) onUnknown?.(name)
    return Object.fromEntries(Object.entries(given).filter(([name]) => !readOnly.includes(name)))
  }
  const fieldsOfLine = (line: string): Fields => {
    const fields = Object.entries(parseLine(line))
    for (const [name, value] of fields) {
      if (!known.has(name) && value !== null) onUnknown?.(name)
    }
    return Object.fromEntries(fields.filter(([name]) => known.has(name)))
  }
  return (record) => {
    const { value, line, record: number, next } = record
    let fields: FileRow['fields'] = {}
    const row = catchRowErrors((): KeyedRow => {
      requireReadable(record, names)
      fields = withoutThoseOfOthers(
        typeof value === 'string' ? fieldsOfLine(value) : toFields(value),
      )
      return { key: target.keyOf(fields), fields }
    })
    return { line, record: number, next, fields, row, records: [record] }
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
