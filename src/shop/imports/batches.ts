import type { FileRow } from './file-row.ts'
import { isRejected } from './targets/target.ts'

/** The rows that one transaction imports at most: their index entries cost less together. */
const batchRows = 2500
/** The bytes of the file that one transaction imports at most, which bounds its time and memory. */
const batchBytes = 524_288
/** The share of these limits with which an import begins: long texts take far longer than others. */
const firstShare = 1 / 16
/** The duration to aim at for a transaction, since other writers of SQLite wait for it. */
const targetMs = 500

/**
 * Groups rows into batches in which no key occurs twice, so that the last row of a key wins. Their size follows
 * the time that the one before took.
 */
export async function* inBatches(rows: AsyncIterable<FileRow>): AsyncGenerator<readonly FileRow[]> {
  let batch: FileRow[] = []
  let keys = new Set<string>()
  let share = firstShare
  let startByte = 0
  let failure: unknown
  try {
    for await (const each of rows) {
      const key = isRejected(each.row) ? undefined : each.row.key
      const isFull =
        batch.length >= share * batchRows || each.next.byte - startByte > share * batchBytes
      if (batch.length > 0 && (isFull || (key !== undefined && keys.has(key)))) {
        const startMs = performance.now()
        yield batch
        if (isFull) share = nextShare(share, performance.now() - startMs)
        startByte = batch.at(-1)?.next.byte ?? 0
        batch = []
        keys = new Set()
      }
      batch.push(each)
      if (key !== undefined) keys.add(key)
    }
  } catch (error) {
    failure = error
  }
  // The rows before one that cannot be read are imported.
  if (batch.length > 0) yield batch
  if (failure) throw failure
}

const nextShare = (share: number, tookMs: number): number =>
  Math.min(1, share * Math.min(4, targetMs / tookMs))
