import { chmod, copyFile, lstat, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '#store/folder.ts'
import { privateFileMode } from '#store/private-files.ts'
import { syncToDisk } from '#store/write-file.ts'

/** The folder of a backup that holds the stored files. */
export const filesPart = 'files'

/** True if a file, a folder or a link, even a broken one, is at a path. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Copies the stored files into a backup; returns their names there. */
export async function copyFiles(source: string, backup: string): Promise<readonly string[]> {
  const names: string[] = []
  for (const sub of await listFolder(source)) {
    for (const file of await listFolder(join(source, sub))) {
      const name = `${filesPart}/${sub}/${file}`
      // A draft is no file yet, and another process may remove a file meanwhile.
      if (
        !file.endsWith('.draft') &&
        (await copyPrivate(join(source, sub, file), join(backup, name)))
      )
        names.push(name)
    }
  }
  return names
}

/** Copies a file with private folders through to the disk; false if it does not exist. */
export async function copyPrivate(source: string, target: string): Promise<boolean> {
  makeFolder(dirname(target))
  try {
    await copyFile(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  await chmod(target, privateFileMode)
  await syncToDisk(target)
  return true
}

/** The names in a folder; none if it does not exist. */
export const listFolder = (path: string): Promise<string[]> =>
  readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

/**
 * Replaces a folder by another and runs `work`; if that fails, the former one is put back. A
 * missing folder counts as an empty one.
 */
export async function withReplacedFolder(
  target: string | undefined,
  staged: string,
  work: () => Promise<void>,
): Promise<void> {
  if (target === undefined) return work()
  const former = `${target}.before-restore`
  await rm(former, { recursive: true, force: true })
  if (await exists(target)) await rename(target, former)
  try {
    if (await exists(staged)) await rename(staged, target)
    await work()
  } catch (error) {
    await rm(target, { recursive: true, force: true })
    if (await exists(former)) await rename(former, target)
    throw error
  }
  await rm(former, { recursive: true, force: true })
}
