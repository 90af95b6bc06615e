import { closeSync, openSync, readFileSync, readSync, renameSync, rmSync } from 'node:fs'

/** The header of every SQLite file. */
const sqliteStart = 'SQLite format 3\0'

/**
 * Converts a ledger in the former format, one JSON text per line, with `write`; skips truncated
 * lines. Other files stay unchanged.
 */
export function convertFormerFile(
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

/** Returns the first bytes of a file. */
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
