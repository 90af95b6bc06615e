import { problem } from '#values/problem.ts'
import type { Mapping } from './file/mapping.ts'
import type { FileRecord, Position } from './file/records.ts'
import type { RowError, RowWarning } from './rules.ts'
import type { OperationRow } from './table.ts'
import type { KeyedRow } from './targets/target.ts'

/** A row of a file: what it has, or why it cannot be imported. */
export interface FileRow {
  readonly line: number
  /** The number of its record; see `Position`. */
  readonly record: number
  /** What it has, as far as it can be read. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly row: KeyedRow | readonly RowError[]
  readonly next: Position
  /** What it has that fields cannot have. */
  readonly warnings?: readonly RowWarning[]
  /** The records that it is from, with those that belong together with them. */
  readonly records?: readonly RawRecord[]
  /** The rows that it is joined of, which are the entries of its list in their order. */
  readonly joined?: readonly Pick<FileRow, 'line' | 'record' | 'fields'>[]
  /** True if its SKU is not in the file. */
  readonly isSkuMade?: boolean
}

/** What a file says of how to read it. */
export type FileFacts = Pick<
  OperationRow,
  'id' | 'columns' | 'mapping' | 'separator' | 'format' | 'resource'
>

/** A record of a file: the cells of a row, or a line of NDJSON. */
export type RawRecord = FileRecord<readonly string[] | string>

/** The names of the columns of a CSV file; none of another file. */
export const columnsOf = ({ columns }: FileFacts): readonly string[] =>
  columns === null ? [] : (JSON.parse(columns) as readonly string[])

/** Returns the fields that columns are because the request says so, by their places. */
const mappingOf = ({ mapping }: FileFacts): Mapping => JSON.parse(mapping) as Mapping

/** The names by which columns are recognised: without those that the request names otherwise. */
export function namesOf(file: FileFacts): readonly string[] {
  const mapping = mappingOf(file)
  const isOwn = file.format === 'cartwright'
  return columnsOf(file).map((column, at) => {
    const field = mapping[at]
    return field === undefined ? column : isOwn && field !== null ? field : ''
  })
}

/** The fields that columns of a file of another system are because the request says so; empty for others. */
export function addedNamesOf(file: FileFacts): readonly string[] {
  const mapping = mappingOf(file)
  return columnsOf(file).map((_, at) => mapping[at] ?? '')
}

/**
 * Throws 400/4002 for a record that is not UTF-8, and 422/4221 for one with another number of cells than columns, or with
 * a cell that goes on after its closing quote.
 */
export function requireReadable(
  { value, isUtf8, hasStrayQuote = false }: RawRecord,
  columns: readonly string[],
): void {
  if (!isUtf8) throw problem('4002', 'detail.not_utf8')
  if (typeof value === 'string') return
  if (hasStrayQuote) throw problem('4221', 'import.stray_quote')
  // Spreadsheets add empty cells.
  if (value.length < columns.length || value.slice(columns.length).some((cell) => cell !== '')) {
    throw problem('4221', 'import.cells', { expected: columns.length, found: value.length })
  }
}
