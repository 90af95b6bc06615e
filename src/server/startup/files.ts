import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '#src/config/config.ts'
import type { DatabaseAddress } from '#src/config/database-url.ts'
import type { FilesAddress } from '#src/config/file-settings.ts'
import { createLocalStorage } from '#src/files/local.ts'
import { createScaler, type FileParts, isSharpInstalled } from '#src/files/scale.ts'
import type { FileStorage, ReportStorageError } from '#src/files/storage.ts'
import type { Log } from '#src/observability/log.ts'
import { dataFolderOf } from './data-folder.ts'

const s3TimeoutMs = 10_000
const demoPictures = fileURLToPath(new URL('../../demo/pictures', import.meta.url))

/** Creates the configured storage of files and the scaler of images. */
export async function createFileParts(
  config: Pick<Config, 'database' | 'files' | 'awsAccessKeyId' | 'awsSecretAccessKey'>,
  log: Pick<Log, 'error'>,
): Promise<FileParts> {
  const report = (error: unknown) => log.error({ err: error }, 'files cannot be stored or read')
  const storage = withDemoPictures(await createStorage(config, report))
  const scaler = createScaler((error) =>
    log.error({ err: error }, 'images are served unscaled: sharp cannot be loaded'),
  )
  return { storage, scaler }
}

async function createStorage(
  {
    database,
    files,
    awsAccessKeyId = '',
    awsSecretAccessKey = '',
  }: Parameters<typeof createFileParts>[0],
  report: ReportStorageError,
): Promise<FileStorage> {
  if (files?.kind !== 's3') return createLocalStorage(filesFolderOf(database, files) ?? '', report)
  // The client is loaded only where it is used.
  const { createS3Storage } = await import('#src/files/s3.ts')
  const credentials = { accessKeyId: awsAccessKeyId, secretAccessKey: awsSecretAccessKey }
  return createS3Storage({ ...files, ...credentials, timeoutMs: s3TimeoutMs }, report)
}

/** The folder of the files, by default in that of the data; undefined with a bucket. */
export function filesFolderOf(
  database: DatabaseAddress,
  files: FilesAddress | undefined,
): string | undefined {
  if (files?.kind === 's3') return undefined
  if (files) return files.folder
  return join(dataFolderOf(database), 'files')
}

const demoName = /^demo-[a-z0-9-]+\.webp$/

/** Reads the pictures of the demo shop from the program, so that no start has to copy them. */
const withDemoPictures = (storage: FileStorage): FileStorage => ({
  ...storage,
  read: (name) => (demoName.test(name) ? readFile(join(demoPictures, name)) : storage.read(name)),
})

/** Logs at a start that images are served unscaled. */
export function warnOfUnscaledImages(log: Pick<Log, 'warn'>): void {
  if (isSharpInstalled()) return
  log.warn({}, 'images are served unscaled: the optional package sharp is not installed')
}
