import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs'
import { resolve } from 'node:path'

const otherUsers = 0o077
const ownerFile = 0o600
const ownerFolder = 0o700

/** What SQLite keeps beside a database file; what it makes there gets the mode of that file. */
const companions = ['-wal', '-shm', '-journal']

/** The folder that the server chooses where nobody names another, below the working directory. */
const defaultFolder = 'data'

/**
 * Makes the file of an SQLite database, where there is none, with mode 0600 from the start, and takes
 * every right of other users from one that is there and from what SQLite keeps beside it. Throws the
 * error of the system where the file cannot be made.
 */
export function makePrivateDatabase(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', ownerFile))
  for (const suffix of ['', ...companions]) makePrivate(`${path}${suffix}`)
}

/** Takes every right of other users from a file, where there is one and this user owns it. */
export function makePrivate(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isFile()) tighten(file, found, ownerFile)
}

/**
 * Takes every right of other users from the default folder of the data. A folder that the operator
 * named, owns as another user or put a link to may be shared on purpose, and stays as it is.
 */
export function makeDefaultFolderPrivate(path: string): void {
  if (resolve(path) !== resolve(defaultFolder)) return
  const found = lstatSync(path)
  if (found.isDirectory()) tighten(path, found, ownerFolder)
}

function tighten(path: string, { mode: found, uid }: Stats, mode: number): void {
  // Only the owner of a file can change its mode.
  if ((found & otherUsers) === 0 || uid !== process.getuid?.()) return
  try {
    chmodSync(path, mode)
  } catch (error) {
    // Another process that closed the database has just removed it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
