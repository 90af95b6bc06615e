import { DatabaseSync } from 'node:sqlite'
import { StartError } from '#src/server/start-error.ts'
import { isBusy } from '#store/errors.ts'

/**
 * Copies a SQLite database into an empty file: a consistent state, while other processes write.
 */
export function copyDatabase(source: string, target: string): void {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 5000 })
  try {
    database.prepare('vacuum into ?').run(target)
  } finally {
    database.close()
  }
}

/** Asserts that a file is an undamaged SQLite database. Throws a StartError. */
export function requireIntactDatabase(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const [result] = database.prepare('pragma quick_check(1)').all()
    if (result?.['quick_check'] === 'ok') return
  } finally {
    database.close()
  }
  throw new StartError('the database of the backup is damaged')
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged: readonly unknown[] = [11, 26]

/**
 * Locks a SQLite database against every other process until `close`, and merges its write-ahead log
 * into it; a damaged one stays unlocked. Throws a StartError while another process has it open.
 */
export function lockDatabase(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: 100 })
  try {
    // Needs the database for itself: every process that has it open in WAL mode shares a lock.
    database.exec('pragma journal_mode = delete')
    database.exec('pragma locking_mode = exclusive; begin exclusive')
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) throw new StartError(`${file} is in use: stop the server first`)
    if (error instanceof Error && 'errcode' in error && damaged.includes(error.errcode)) return
    throw error
  }
}
