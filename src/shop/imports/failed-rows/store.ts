import type { Db } from '#store/database.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import type { RawRecord } from '../file-row.ts'
import { type OperationRow, operationRows } from '../table.ts'

/** The size of the records that are kept of an import; of others, only the errors are. */
const maxKeptBytes = 16_777_216

/** Keeps records of which rows were not imported; returns their size. */
export async function keepRecords(
  transactionDb: Db,
  { id, kept_bytes }: Pick<OperationRow, 'id' | 'kept_bytes'>,
  records: readonly RawRecord[],
): Promise<number> {
  let size = 0
  const kept = new Map<number, { readonly line: number; readonly data: string }>()
  for (const { record, line, value } of records) {
    if (kept.has(record)) continue
    const data = JSON.stringify(value)
    if (kept_bytes + size + data.length > maxKeptBytes) break
    size += data.length
    kept.set(record, { line, data })
  }
  const rows = Array.from(kept, ([record, row]) => ({ operation_id: id, record, ...row }))
  // A record may have rows in several batches.
  await operationRows.insertMissing(transactionDb, rows)
  return size
}

/** The records that are read at once. */
const pageSize = 50

const after = prepareQuery((db: Db, param: { id: number; record: number }) =>
  db
    .selectFrom('operation_rows')
    .selectAll()
    .where('operation_id', '=', param.id)
    .where('record', '>', param.record)
    .orderBy('record')
    .limit(pageSize),
)

/** Reads the records that are kept of an import, in the order of the file. */
export async function* readKeptRecords(db: Db, id: number) {
  for (let record = 0; ; ) {
    const rows = await after.all(db, { id, record })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    record = last.record
  }
}
