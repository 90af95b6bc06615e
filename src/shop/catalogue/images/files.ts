import { createHash, randomBytes } from 'node:crypto'
import { requireImageType } from '#src/files/image-type.ts'
import { type FileParts, imageWidths, type RenderedImage } from '#src/files/scale.ts'
import { type FileStorage, type StoredObject, storageUnavailable } from '#src/files/storage.ts'
import type { Db } from '#store/database.ts'
import { isUniqueViolation } from '#store/errors.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import * as store from './file-store.ts'
import { uploadMs } from './rules.ts'
import { type FileRow, files } from './table.ts'

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

const sha256 = (...parts: readonly (string | Buffer)[]): string => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest('hex')
}

const originalName = ({ location, type }: Pick<FileRow, 'location' | 'type'>): string =>
  `${location}-original.${extensions[type]}`

const derivativeName = ({ location }: Pick<FileRow, 'location'>, width: number): string =>
  `${location}-${width}.webp`

/** The names of all objects that a file may have. */
const namesOf = (file: Pick<FileRow, 'location' | 'type'>): readonly string[] => [
  originalName(file),
  ...imageWidths.map((width) => derivativeName(file, width)),
]

/**
 * Stores an image, unless the same one is stored already, and keeps it for the time of an upload. A
 * process that ends meanwhile leaves a file that `removeUnusedFiles` removes. Throws 415/4151 for other
 * content, 422/4221 for an image that cannot be decoded, and 503/5031 without the storage.
 */
export async function storeImage(
  { storage, scaler }: FileParts,
  bytes: Buffer,
  { transaction, now }: { readonly transaction: RunTransaction; readonly now: Instant },
): Promise<FileRow> {
  const type = await requireImageType(bytes)
  // What is served unscaled has other URLs, because caches never ask for the content of a URL again.
  const hash = sha256(scaler.isAvailable() ? '' : 'unscaled ', bytes)
  const kept_until = now + uploadMs
  const keep = () => transaction((db) => store.keepFile(db, hash, kept_until))
  const known = await keep()
  if (known) return known
  const image = await scaler.render(bytes, type)
  const location = `${hash}-${randomBytes(4).toString('hex')}`
  const { width, height, original } = image
  const draft = { location, type: original.type, width, height, kept_until, created_at: now }
  // It is found by its hash, which it gets once its objects are stored.
  const file = await transaction((db) => files.insert(db, draft))
  const digests = JSON.stringify(await writeObjects(storage, file, image))
  try {
    const state = { hash, digests, kept_until }
    // Undefined if it was removed meanwhile.
    const stored = await transaction((db) => files.updateRow(db, { id: file.id }, state))
    if (stored) return stored
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // Another upload of the same image was faster; the objects of this one are removed later.
    const stored = await keep()
    if (stored) return stored
  }
  throw storageUnavailable()
}

/** Writes the objects of a file; returns the digests of those that are served. */
async function writeObjects(
  storage: FileStorage,
  file: FileRow,
  { original, derivatives }: RenderedImage,
): Promise<Readonly<Record<string, string>>> {
  const served = new Map<string, StoredObject>()
  for (const [width, object] of derivatives) served.set(derivativeName(file, width), object)
  if (served.size === 0) served.set(originalName(file), original)
  const objects = new Map([[originalName(file), original], ...served])
  for (const [name, object] of objects) await storage.write(name, object)
  return Object.fromEntries(Array.from(served, ([name, { bytes }]) => [name, sha256(bytes)]))
}

/** A served image. */
export interface ServedImage extends StoredObject {
  /** Identifies the content. */
  readonly validator: string
}

const servedName = new RegExp(`^([0-9a-f]{64})-(${imageWidths.join('|')})\\.webp$`)

/** Returns the file of an image that is served at a path, here or in another shop. */
export async function findServedFile(db: Db, path: string): Promise<FileRow | undefined> {
  const [, hash] = servedName.exec(path.slice(path.lastIndexOf('/') + 1)) ?? []
  return hash === undefined ? undefined : files.find(db, { hash })
}

/**
 * Returns the image that is served under this name; undefined if there is none. Throws 503/5031 if the
 * storage does not have what was stored.
 */
export async function readImage(
  { storage }: Pick<FileParts, 'storage'>,
  db: Db,
  fileName: string,
): Promise<ServedImage | undefined> {
  const [, hash = '', width = ''] = servedName.exec(fileName) ?? []
  const file = hash === '' ? undefined : await files.find(db, { hash })
  if (!file) return undefined
  const digests = JSON.parse(file.digests ?? '{}') as Readonly<Record<string, string>>
  const derivative = derivativeName(file, Number(width))
  const [name, type] =
    derivative in digests ? [derivative, 'image/webp'] : [originalName(file), file.type]
  const bytes = await storage.read(name)
  // Caches would keep another content for a year.
  if (!bytes || sha256(bytes) !== digests[name]) throw storageUnavailable()
  return { bytes, type, validator: `${hash.slice(0, 32)}.${width}` }
}

/**
 * Removes the files that are due and to which no image refers, with their objects; returns their number.
 * Several processes may do so at once.
 */
export async function removeUnusedFiles(
  { storage }: Pick<FileParts, 'storage'>,
  { db, transaction }: { readonly db: Db; readonly transaction: RunTransaction },
  now: Instant,
): Promise<number> {
  await transaction((tx) => store.retireFiles(tx, now))
  const retired = await store.findRetiredFiles(db, now)
  for (const file of retired) {
    for (const name of namesOf(file)) await storage.remove(name)
    await transaction((tx) => files.delete(tx, { id: file.id, hash: null }))
  }
  return retired.length
}
