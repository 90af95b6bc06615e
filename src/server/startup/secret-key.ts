import { readFile } from 'node:fs/promises'
import type { Config } from '#src/config/config.ts'
import { estimateBits, minKeyBits } from '#src/config/estimated-bits.ts'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { makeSecret } from '#src/secrets/secrets.ts'
import { StartError } from '#src/server/start-error.ts'
import { makePrivate } from '#store/private-files.ts'
import { createFileAtomically } from '#store/write-file.ts'

const minCharacters = 32

/** Returns the path of the secret key of a SQLite database. */
export const secretKeyFileOf = (databaseFile: string): string => `${databaseFile}.key`

/**
 * Returns the secret key stored beside a SQLite file, which only its owner may read. A missing key is
 * generated; concurrent callers get the same one. Without a file, returns a new key that is not
 * stored. Throws a StartError when the stored key is invalid.
 */
export async function loadOrCreateSecretKey(databaseFile: string | undefined): Promise<string> {
  if (databaseFile === undefined) return makeSecret()
  const file = secretKeyFileOf(databaseFile)
  const key = (await readKey(file)) ?? (await createKey(file))
  if (key.length >= minCharacters && estimateBits(key) >= minKeyBits) return key
  throw new StartError(
    `SECRET_KEY: ${file} must contain at least ${minCharacters} characters that are hard to guess; restore it, or delete it to generate a new key (all tokens become invalid)`,
  )
}

/**
 * Returns the current secret key, configured or stored beside the SQLite file, followed by the previous
 * keys. Throws a StartError when the stored key is invalid.
 */
export async function loadSecretKeys({
  secretKey,
  secretKeyPrevious,
  database,
}: Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'database'>): Promise<SecretKeys> {
  const current = secretKey ?? (await loadOrCreateSecretKey(database.file))
  return [current, ...secretKeyPrevious.filter((each) => each !== current)]
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    makePrivate(file)
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Stores a new key, so that readers see a complete one and the first writer wins. */
async function createKey(file: string): Promise<string> {
  await createFileAtomically(file, `${makeSecret()}\n`)
  return (await readKey(file)) ?? ''
}
