import { closeSync, openSync, readFileSync, readSync, renameSync, rmSync } from 'node:fs'

/** How every SQLite file begins. */
const sqliteStart = 'SQLite format 3\0'

/**
 * Replaces a ledger of before, one JSON text a line, by one that `write` makes of what the lines say, but for those
 * that were cut short; leaves any other file as it is.
 */
export function readyFile(
  file: string,
  write: (made: string, records: readonly unknown[]) => void,
): void {
  const start = startOf(file)
  if (start === '' || start === sqliteStart) return
  const made = `${file}.new`
  rmSync(made, { force: true })
  write(made, readFileSync(file, 'utf8').split('\n').flatMap(parse))
  renameSync(made, file)
}

/** The first bytes of a file. */
function startOf(file: string): string {
  const bytes = Buffer.alloc(sqliteStart.length)
  const descriptor = openSync(file, 'r')
  try {
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, { position: 0 }))
  } finally {
    closeSync(descriptor)
  }
}

function parse(line: string): readonly unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)]
  } catch {
    return []
  }
}
