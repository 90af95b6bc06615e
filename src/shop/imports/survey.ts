import { createMessage } from '#i18n/message.ts'
import type { Shop } from '#shop/shop.ts'
import { ColumnCounts } from './column-counts.ts'
import { fileStart, UnreadableFileError } from './file/records.ts'
import { type FileFacts, type FileRow, namesOf, type RawRecord } from './file-row.ts'
import { recordReader, taxExcludedColumn } from './formats/convert.ts'
import type { FormatReader } from './formats/format.ts'
import { foreignFormat } from './formats/formats.ts'
import { KeyCounts } from './key-counts.ts'
import { rowReader } from './rows.ts'
import type { RowWarning } from './rules.ts'
import type { ColumnFields, IgnoredColumn, OperationRow, RepeatedKey } from './table.ts'
import { type ImportTarget, isRejected } from './targets/target.ts'

/** The parents that are looked for, which bounds memory; others must stand before their variants. */
const maxParents = 50_000

/** What is known of a file once it has been read as a whole. */
export interface Survey {
  /** The number of rows; null if it cannot be read to its end. */
  readonly rows: number | null
  /** The places of columns whose numbers have a decimal comma. */
  readonly decimalCommas: ReadonlySet<number>
  readonly columnFields: ColumnFields
  readonly ignoredColumns: readonly IgnoredColumn[]
  /** The number of rows whose key a later row has, too. */
  readonly overwritten: number
  readonly repeatedKeys: readonly RepeatedKey[]
  /** The keys of the rows that stand after one which names them as its parent. */
  readonly late: ReadonlySet<string>
  /** The number of rows for which a SKU was made. */
  readonly madeSkus: number
  /** What reads a file of another system, and knows what all its records have. */
  readonly reader: FormatReader | undefined
  /** What is wrong with the whole file. */
  readonly warnings: readonly RowWarning[]
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
  const counts = new ColumnCounts(file, target, shop)
  const keys = new KeyCounts(target)
  const parents = new Set<string>()
  const late = new Set<string>()
  const reader = await openReader(file, parts, counts)
  const onUnknown = (name: string) => counts.addIgnored(name)
  const readRows = rowReader(file, target, { shop, shopId, reader, onUnknown })
  let rows = 0
  let madeSkus = 0
  let isWhole = true
  const records = readable(readRecords(), () => {
    isWhole = false
  })
  const counting = reader?.note ? records : counted(records, counts)
  for await (const { row, record, isSkuMade } of readRows(counting, fileStart)) {
    rows += 1
    if (isSkuMade) madeSkus += 1
    if (isRejected(row)) continue
    keys.add(row, record)
    if (parents.has(row.key)) late.add(row.key)
    const parent = target.parent?.keyOf(row)
    if (parent !== undefined && parents.size < maxParents) parents.add(parent)
  }
  if (late.size > 0) {
    await forgetParentsInPlace(late, target, readRows(readable(readRecords()), fileStart))
  }
  const { decimalCommas, columnFields, ignored: ignoredColumns } = counts
  const { overwritten, repeated: repeatedKeys } = keys
  return {
    ...{ rows: isWhole ? rows : null, decimalCommas, columnFields, ignoredColumns },
    ...{ overwritten, repeatedKeys, late, madeSkus, reader, warnings: warningsOf(file, shop) },
  }
}

/** Returns what is wrong with a file in a format of another system: its header tells it. */
function warningsOf(file: FileFacts, shop: Shop): readonly RowWarning[] {
  const format = foreignFormat(file)
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
  const format = foreignFormat(file)
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
