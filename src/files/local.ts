import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '#db/folder.ts'
import { type FileStorage, type ReportStorageError, storageUnavailable } from './storage.ts'

const privateFileMode = 0o600

/** Opens a storage in a folder, which is created with the first object. */
export function openLocalStorage(folder: string, report: ReportStorageError): FileStorage {
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
  makeFolder(dirname(path))
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`
  try {
    const file = await open(draft, 'wx', privateFileMode)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
