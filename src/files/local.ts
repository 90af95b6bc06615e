import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk, writeFileAtomically } from '#store/write-file.ts'
import { type FileStorage, type ReportStorageError, storageUnavailable } from './storage.ts'

/** Creates a storage in a folder, which is created with the first object. */
export function createLocalStorage(folder: string, report: ReportStorageError): FileStorage {
  const pathOf = (name: string): string => join(folder, name.slice(0, 2), name)
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      report(error)
      throw storageUnavailable()
    }
  }
  return {
    write: (name, { bytes }) => attempt(() => writeWhole(pathOf(name), bytes)),
    read: (name) => attempt(() => readFile(pathOf(name)).catch(ignoreMissing)),
    remove: (name) => attempt(() => rm(pathOf(name), { force: true })),
  }
}

/** Writes a file so that it is there whole or not at all, also after a loss of power. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await writeFileAtomically(path, bytes)
  await syncToDisk(dirname(path))
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
