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

const otherUsersMask = 0o077
/** The mode of a file that only its owner may read and write. */
export const privateFileMode = 0o600
const privateFolderMode = 0o700

/** The suffixes of the files SQLite creates beside a database, with the mode of the database file. */
const companionSuffixes = ['-wal', '-shm', '-journal']

/** The default folder of the data, below the working directory. */
export const defaultDataFolder = 'data'

/**
 * Creates the file of an SQLite database with mode 0600 if it is missing, and removes the access of
 * other users to an existing one and its companions. Throws the error of the system if the file
 * cannot be created.
 */
export function makePrivateDatabase(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', privateFileMode))
  for (const file of [path, ...companionFilesOf(path)]) makePrivate(file)
}

/** Returns the files that SQLite may keep beside a database. */
export const companionFilesOf = (path: string): readonly string[] =>
  companionSuffixes.map((suffix) => `${path}${suffix}`)

/** Removes the access of other users to a file, if it exists and belongs to this user. */
export function makePrivate(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats?.isFile()) restrict(file, stats, privateFileMode)
}

/**
 * Removes the access of other users to the default folder of the data. Any other folder, a symbolic
 * link and a folder of another user stay as they are: they may be shared on purpose.
 */
export function makeDefaultFolderPrivate(path: string): void {
  if (resolve(path) !== resolve(defaultDataFolder)) return
  const stats = lstatSync(path)
  if (stats.isDirectory()) restrict(path, stats, privateFolderMode)
}

function restrict(path: string, stats: Stats, mode: number): void {
  // Only the owner of a file can change its mode.
  if ((stats.mode & otherUsersMask) === 0 || stats.uid !== process.getuid?.()) return
  try {
    chmodSync(path, mode)
  } catch (error) {
    // Another process closed the database and removed the file in between.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
