import { maxRecordBytes, type Position } from '../file/records.ts'
import type { RawRecord } from '../file-row.ts'

/** Consecutive records that belong together. */
export interface Unit {
  /** Where the first one begins. */
  readonly start: Position
  readonly records: readonly RawRecord[]
}

/** The records and the bytes that a unit has at most, which bounds memory; what exceeds them is another unit. */
const maxRecords = 5000
const maxBytes = 16 * maxRecordBytes

/** Groups consecutive records with the same key into units; one without a key is a unit. */
export async function* readUnits(
  records: AsyncIterable<RawRecord>,
  start: Position,
  keyOf: (record: RawRecord) => string | undefined,
): AsyncGenerator<Unit> {
  let unit: RawRecord[] = []
  let unitStart = start
  let unitKey: string | undefined
  let failure: unknown
  try {
    for await (const record of records) {
      const key = keyOf(record)
      const isFull = unit.length >= maxRecords || record.next.byte - unitStart.byte > maxBytes
      if (unit.length > 0 && (key === undefined || key !== unitKey || isFull)) {
        yield { start: unitStart, records: unit }
        unitStart = unit.at(-1)?.next ?? unitStart
        unit = []
      }
      unitKey = key
      unit.push(record)
    }
  } catch (error) {
    failure = error
  }
  // The records before one that cannot be read are imported.
  if (unit.length > 0) yield { start: unitStart, records: unit }
  if (failure) throw failure
}
