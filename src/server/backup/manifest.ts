import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { StartError } from '#src/server/start-error.ts'
import { privateFileMode } from '#store/private-files.ts'
import { syncToDisk } from '#store/write-file.ts'
import { filesPart } from './files.ts'

/** The file that describes a backup; it is written last, so a backup without it is incomplete. */
const manifestFile = 'manifest.json'

/**
 * The other files of a backup: the database as a SQLite file or an archive of `pg_dump`, the secret
 * key that the server generated, and the charges of the built-in sandbox.
 */
export const partNames = ['database', 'secret-key', 'charges'] as const
/** The name of a file of a backup. */
export type PartName = (typeof partNames)[number]

const Part = Type.Object({
  file: Type.String({
    pattern: `^(?:${partNames.join('|')}|${filesPart}/[a-z0-9]{2}/[a-z0-9.-]+)$`,
  }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
type Part = Type.Static<typeof Part>

const Manifest = Type.Object({
  format: Type.Literal(1),
  created_at: Type.String(),
  database: Type.Enum(['sqlite', 'postgres']),
  parts: Type.Array(Part, { minItems: 1 }),
})
type Manifest = Type.Static<typeof Manifest>

/** Writes the manifest of a folder that holds these parts. */
export async function writeManifest(
  folder: string,
  database: Manifest['database'],
  names: readonly string[],
): Promise<void> {
  const parts: Part[] = []
  for (const name of names) parts.push(await describePart(folder, name))
  const manifest: Manifest = { format: 1, created_at: new Date().toISOString(), database, parts }
  const file = join(folder, manifestFile)
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`, { mode: privateFileMode })
  await syncToDisk(file)
  await syncToDisk(folder)
}

/**
 * Returns the names of the parts of a backup, after comparing each with the manifest. Throws a
 * StartError if the backup is incomplete, damaged, or of another kind of database.
 */
export async function verifyBackup(
  folder: string,
  kind: Manifest['database'],
): Promise<readonly string[]> {
  const { database, parts } = await readManifest(folder)
  if (database !== kind) {
    throw new StartError(`${folder} is a backup of ${database}, but DATABASE_URL names ${kind}`)
  }
  for (const part of parts) {
    const found = await describePart(folder, part.file).catch(ignoreMissing)
    if (found?.bytes !== part.bytes || found.sha256 !== part.sha256) {
      throw new StartError(`${folder} is damaged: ${part.file} is not as the backup wrote it`)
    }
  }
  return parts.map(({ file }) => file)
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(ignoreMissing)
  const manifest = parseJson(text ?? '')
  if (Value.Check(Manifest, manifest)) return manifest
  throw new StartError(`${folder} is no complete backup that this release can read`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

async function describePart(folder: string, file: string): Promise<Part> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(join(folder, file))) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { file, bytes, sha256: hash.digest('hex') }
}
