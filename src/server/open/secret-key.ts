import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '#db/folder.ts'
import { makePrivate } from '#db/private-files.ts'
import { estimateBits, minKeyBits } from '#src/config/estimated-bits.ts'
import { StartError } from '#src/server/start-error.ts'

const minCharacters = 32

const makeSecretKey = (): string => randomBytes(32).toString('base64url')

/** Where the secret key of an embedded database is kept. */
export const secretKeyFileOf = (databaseFile: string): string => `${databaseFile}.key`

/**
 * The secret key kept beside an embedded database, readable by its user alone; the first to ask
 * makes it, and all who ask at once get the same. Without a file, a new one. Throws a StartError
 * where what is kept is no key.
 */
export async function keepSecretKey(databaseFile: string | undefined): Promise<string> {
  if (databaseFile === undefined) return makeSecretKey()
  const file = secretKeyFileOf(databaseFile)
  const kept = (await read(file)) ?? (await make(file))
  if (kept.length >= minCharacters && estimateBits(kept) >= minKeyBits) return kept
  throw new StartError(
    `SECRET_KEY: ${file} must hold at least ${minCharacters} characters that cannot be guessed; restore it, or delete it to have a new one made (all tokens end)`,
  )
}

async function read(file: string): Promise<string | undefined> {
  try {
    makePrivate(file)
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Nobody sees half a key: it is written under another name, and given its own by whom is first. */
async function make(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  makeFolder(dirname(file))
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(`${makeSecretKey()}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return (await read(file)) ?? ''
}
