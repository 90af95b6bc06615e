import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from './folder.ts'
import { privateFileMode } from './private-files.ts'

/** How a file is written. */
interface WriteOptions {
  /** 0600 by default. */
  readonly mode?: number
  /** Whether the content is on the disk before it is put in its place; true by default. */
  readonly isSynced?: boolean
}

/**
 * Writes a file, and the folders that are missing, so that it is there whole or not at all. An
 * existing file is replaced.
 */
export const writeFileAtomically = (
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> => withDraft(path, content, options, (draft) => rename(draft, path))

/**
 * Does the same unless the file exists: of several writers, the first one wins and the others change
 * nothing.
 */
export const createFileAtomically = (path: string, content: string): Promise<void> =>
  withDraft(path, content, {}, async (draft) => {
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(draft)
  })

/** Writes a hidden draft beside the file and puts it in its place; removes it after an error. */
async function withDraft(
  path: string,
  content: string | Uint8Array,
  { mode = privateFileMode, isSynced = true }: WriteOptions,
  place: (draft: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(path)
  makeFolder(folder)
  const draft = join(folder, `.${basename(path)}.${randomBytes(6).toString('hex')}.draft`)
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      await handle.writeFile(content)
      if (isSynced) await handle.sync()
    } finally {
      await handle.close()
    }
    await place(draft)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Writes a file, or the entries of a folder, through to the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
