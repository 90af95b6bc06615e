import { createMessage } from '#i18n/message.ts'
import type { Shop } from '#shop/shop.ts'
import { type CompiledColumns, compileColumns } from './file/columns.ts'
import { DecimalSign } from './file/decimal-sign.ts'
import { fileStart, UnreadableFileError } from './file/records.ts'
import {
  addedNamesOf,
  columnsOf,
  type FileFacts,
  type FileRow,
  namesOf,
  type RawRecord,
} from './file-row.ts'
import { columnsInFormat, recordReader, taxExcludedColumn } from './formats/convert.ts'
import type { FormatReader } from './formats/format.ts'
import { foreignFormat } from './formats/formats.ts'
import { rowReader } from './rows.ts'
import { type RowWarning, storableName } from './rules.ts'
import type { IgnoredColumn, OperationRow } from './table.ts'
import { type ImportTarget, isRejected } from './targets/target.ts'

/** The parents that are looked for, which bounds memory; others must stand before their variants. */
const maxParents = 50_000
/** The keys of which repetitions are found. */
const maxKeys = 1_000_000
/** The columns that are told to mean nothing. */
const maxIgnored = 100

/** What is known of a file once it has been read as a whole. */
export interface Survey {
  /** The number of rows; null if it cannot be read to its end. */
  readonly rows: number | null
  /** The places of columns whose numbers have a decimal comma. */
  readonly decimalCommas: ReadonlySet<number>
  readonly ignoredColumns: readonly IgnoredColumn[]
  /** The number of rows whose key a later row has, too. */
  readonly overwritten: number
  /** The keys of the rows that stand after one which names them as its parent. */
  readonly late: ReadonlySet<string>
  /** The number of rows for which a SKU was made. */
  readonly madeSkus: number
  /** What reads a file of another system, and knows what all its records have. */
  readonly reader: FormatReader | undefined
  /** What is wrong with the whole file. */
  readonly warnings: readonly RowWarning[]
}

type Places = Pick<CompiledColumns, 'unknown' | 'numbers'>

/** Returns what columns are in a format, and because the request says so. */
const withAdded = (format: Places, added: Places): Places => ({
  unknown: format.unknown.filter((at) => added.unknown.includes(at)),
  numbers: [...format.numbers, ...added.numbers],
})

/** Counts what the columns of a file have, before the values mean anything. */
class ColumnCounts {
  readonly #names: readonly string[]
  readonly #unknown: readonly number[]
  readonly #decimals: ReadonlyMap<number, DecimalSign>
  readonly #ignored = new Map<string, number>()

  constructor(file: FileFacts, target: ImportTarget) {
    this.#names = columnsOf(file)
    const format = foreignFormat(file.format)
    const added = compileColumns(addedNamesOf(file), target)
    const { unknown, numbers } = format
      ? withAdded(columnsInFormat(format, namesOf(file)), added)
      : compileColumns(namesOf(file), target)
    this.#unknown = unknown
    this.#decimals = new Map(numbers.map((at) => [at, new DecimalSign()]))
    // A column without a name and values says nothing.
    for (const at of unknown) if (this.#names[at]?.trim()) this.addIgnored(this.#names[at], 0)
  }

  addCells(cells: readonly string[]): void {
    for (const at of this.#unknown) if (cells[at]) this.addIgnored(this.#names[at] ?? '')
    for (const [at, sign] of this.#decimals) sign.add(cells[at] ?? '')
  }

  addIgnored(column: string, values = 1): void {
    const name = storableName(column)
    const before = this.#ignored.get(name)
    if (before === undefined && this.#ignored.size >= maxIgnored) return
    this.#ignored.set(name, (before ?? 0) + values)
  }

  get decimalCommas(): ReadonlySet<number> {
    return new Set(Array.from(this.#decimals).flatMap(([at, sign]) => (sign.isComma ? [at] : [])))
  }

  get ignored(): readonly IgnoredColumn[] {
    return Array.from(this.#ignored, ([name, values]) => ({ name, values }))
  }
}

/** What a file is read with. */
interface SurveyParts {
  readonly target: ImportTarget
  readonly shop: Shop
  readonly shopId: string
  /** Reads the file from its beginning. */
  readonly readRecords: () => AsyncIterable<RawRecord>
}

/** Reads a file as a whole, as far as it can be read; again where a row depends on others. */
export async function surveyFile(file: FileFacts, parts: SurveyParts): Promise<Survey> {
  const { target, shop, shopId, readRecords } = parts
  const counts = new ColumnCounts(file, target)
  const keys = new Set<string>()
  const parents = new Set<string>()
  const late = new Set<string>()
  const reader = await openReader(file, parts, counts)
  const onUnknown = (name: string) => counts.addIgnored(name)
  const readRows = rowReader(file, target, { shop, shopId, reader, onUnknown })
  let rows = 0
  let overwritten = 0
  let madeSkus = 0
  let isWhole = true
  const records = readable(readRecords(), () => {
    isWhole = false
  })
  const counting = reader?.note ? records : counted(records, counts)
  for await (const { row, isSkuMade } of readRows(counting, fileStart)) {
    rows += 1
    if (isSkuMade) madeSkus += 1
    if (isRejected(row)) continue
    if (keys.has(row.key)) overwritten += 1
    else if (keys.size < maxKeys) keys.add(row.key)
    if (parents.has(row.key)) late.add(row.key)
    const parent = target.parent?.keyOf(row)
    if (parent !== undefined && parents.size < maxParents) parents.add(parent)
  }
  if (late.size > 0) {
    await forgetParentsInPlace(late, target, readRows(readable(readRecords()), fileStart))
  }
  const { decimalCommas, ignored: ignoredColumns } = counts
  const total = isWhole ? rows : null
  const warnings = warningsOf(file, shop)
  return {
    rows: total,
    decimalCommas,
    ignoredColumns,
    overwritten,
    late,
    madeSkus,
    reader,
    warnings,
  }
}

/** Returns what is wrong with a file in a format of another system: its header tells it. */
function warningsOf(file: FileFacts, shop: Shop): readonly RowWarning[] {
  const format = foreignFormat(file.format)
  const field = format && taxExcludedColumn(format, namesOf(file), shop)
  if (field === undefined) return []
  const message = createMessage('import.tax_excluded')
  return [{ row: 1, field, value: null, message }]
}

/**
 * Returns what reads the records of a file of another system. If that depends on other records it has seen all of them,
 * after the columns were counted.
 */
async function openReader(
  file: FileFacts,
  { shop, readRecords }: SurveyParts,
  counts: ColumnCounts,
): Promise<FormatReader | undefined> {
  const format = foreignFormat(file.format)
  const reader = format?.open()
  if (!format || !reader?.note) return reader
  for await (const _ of counted(readable(readRecords()), counts));
  const { decimalCommas } = counts
  const read = recordReader({ format, columns: namesOf(file), shop, decimalCommas })
  for await (const record of readable(readRecords())) {
    if (typeof record.value !== 'string') reader.note(read(record))
  }
  return reader
}

async function* counted(
  records: AsyncIterable<RawRecord>,
  counts: ColumnCounts,
): AsyncGenerator<RawRecord> {
  for await (const record of records) {
    if (typeof record.value !== 'string') counts.addCells(record.value)
    yield record
  }
}

/** A key may occur more than once, at first before any row that names it: such keys are not late. */
async function forgetParentsInPlace(
  late: Set<string>,
  { parent }: ImportTarget,
  rows: AsyncIterable<FileRow>,
): Promise<void> {
  const seen = new Set<string>()
  for await (const { row } of rows) {
    if (isRejected(row)) continue
    if (!seen.has(row.key)) late.delete(row.key)
    const key = parent?.keyOf(row)
    if (key !== undefined && late.has(key)) seen.add(key)
  }
}

/** The rows of the first reading, which are those of late parents, or of the second. */
export async function* rowsOfReading(
  rows: AsyncIterable<FileRow>,
  reading: OperationRow['reading'],
  late: ReadonlySet<string>,
): AsyncGenerator<FileRow> {
  const isFirst = reading === 0
  for await (const each of isFirst ? readable(rows) : rows) {
    const isLate = !isRejected(each.row) && late.has(each.row.key)
    if (isLate === isFirst) yield each
  }
}

/** The records before the one that cannot be read, which the last reading tells. */
async function* readable<Each>(
  records: AsyncIterable<Each>,
  onUnreadable?: () => void,
): AsyncGenerator<Each> {
  try {
    yield* records
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    onUnreadable?.()
  }
}
