import type { Db } from '#store/database.ts'
import { UnreadableFileError } from './file/records.ts'
import { readParts } from './part-store.ts'
import type { FileRow } from './rows.ts'
import type { OperationRow } from './table.ts'
import { type ImportTarget, isRejected, type KeyedRow, type ParentField } from './targets/target.ts'

/** The parents that are looked for, which bounds memory; others must stand before their variants. */
const maxParents = 50_000

/** Returns whether any row of a file may name a parent: by a column, or somewhere in NDJSON. */
async function mayNameParents(
  db: Db,
  { id, columns }: OperationRow,
  { field }: ParentField,
): Promise<boolean> {
  if (columns !== null) return (JSON.parse(columns) as readonly string[]).includes(field)
  let end = Buffer.alloc(0)
  for await (const part of readParts(db, id, 0)) {
    if (
      part.includes(field) ||
      Buffer.concat([end, part.subarray(0, field.length)]).includes(field)
    ) {
      return true
    }
    end = Buffer.from(part.subarray(-field.length))
  }
  return false
}

/**
 * Returns the keys of the rows that stand after one which names them as its parent, as far as the file can be read;
 * it is not read where no row can.
 */
export async function findLateParents(
  db: Db,
  operation: OperationRow,
  { parent }: ImportTarget,
  read: () => AsyncIterable<FileRow>,
): Promise<ReadonlySet<string>> {
  const late = new Set<string>()
  if (!parent || !(await mayNameParents(db, operation, parent))) return late
  const named = new Set<string>()
  for await (const row of keyedRows(read())) {
    if (named.has(row.key)) late.add(row.key)
    const key = parent.keyOf(row)
    if (key !== undefined && named.size < maxParents) named.add(key)
  }
  if (late.size === 0) return late
  // A key may occur more than once, at first before any row that names it.
  const seen = new Set<string>()
  for await (const row of keyedRows(read())) {
    if (!seen.has(row.key)) late.delete(row.key)
    const key = parent.keyOf(row)
    if (key !== undefined && late.has(key)) seen.add(key)
  }
  return late
}

async function* keyedRows(rows: AsyncIterable<FileRow>): AsyncGenerator<KeyedRow> {
  for await (const { row } of readable(rows)) if (!isRejected(row)) yield row
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

/** The rows before the one that cannot be read, which the second reading tells. */
async function* readable(rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow> {
  try {
    yield* rows
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
  }
}
