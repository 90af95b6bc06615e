import { chmod, copyFile, link, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DatabaseAddress } from '#src/config/database-url.ts'
import { StartError } from '#src/server/start-error.ts'
import { makeFolder } from '#store/folder.ts'
import { companionFilesOf, privateFileMode } from '#store/private-files.ts'
import { syncToDisk } from '#store/write-file.ts'
import { copyPrivate, exists, filesPart, listFolder, withReplacedFolder } from './files.ts'
import { locateParts } from './locations.ts'
import { partNames, verifyBackup } from './manifest.ts'
import { inspectDatabase, loadDatabase } from './postgres.ts'
import { lockDatabase, requireIntactDatabase } from './sqlite.ts'

/** A file of the shop, and the file of the backup that replaces it; without one it is removed. */
interface Replacement {
  readonly target: string
  readonly source: string | undefined
  readonly isDatabase: boolean
}

const stagedOf = ({ target }: Replacement): string => `${target}.restoring`
const formerOf = ({ target }: Replacement): string => `${target}.before-restore`

/**
 * Replaces a shop by a backup; with `force` also one that is not empty. Throws a StartError while a
 * server uses the shop, which stays as it was after any error.
 */
export async function restoreBackup(
  address: DatabaseAddress,
  folder: string,
  force: boolean,
  filesFolder?: string,
): Promise<void> {
  if (address.kind === 'sqlite' && address.file === undefined) {
    throw new StartError('DATABASE_URL: a database in memory cannot be restored')
  }
  const names = await verifyBackup(folder, address.kind)
  const replacements = await listReplacements(address, folder, names)
  await requireRestorable(address, replacements, force)
  if (!force && filesFolder !== undefined && (await listFolder(filesFolder)).length > 0) {
    throw new StartError(`${filesFolder} exists: restore into an empty place, or add --force`)
  }
  const stagedFiles = `${filesFolder}.restoring`
  const locks = await lockAll(replacements)
  try {
    await stageAll(replacements)
    if (filesFolder !== undefined) await stageFiles(folder, names, stagedFiles)
    await withReplacedFolder(filesFolder, stagedFiles, async () => {
      if (address.kind === 'postgres') await loadDatabase(address.url, join(folder, 'database'))
      await replaceAll(replacements)
    })
  } finally {
    await rm(stagedFiles, { recursive: true, force: true })
    for (const lock of locks) lock?.close()
    for (const each of replacements) await rm(stagedOf(each), { force: true })
  }
}

async function listReplacements(
  address: DatabaseAddress,
  folder: string,
  names: readonly string[],
): Promise<readonly Replacement[]> {
  const locations = locateParts(address)
  const replacements: Replacement[] = []
  for (const name of partNames) {
    const target = locations[name]
    const source = names.includes(name) ? join(folder, name) : undefined
    if (target === undefined || !(source !== undefined || (await exists(target)))) continue
    replacements.push({ target, source, isDatabase: name !== 'secret-key' })
  }
  return replacements
}

async function requireRestorable(
  { kind, url }: DatabaseAddress,
  replacements: readonly Replacement[],
  force: boolean,
): Promise<void> {
  for (const { target } of replacements) {
    if (!force && (await exists(target))) {
      throw new StartError(`${target} exists: restore into an empty place, or add --force`)
    }
  }
  if (kind === 'sqlite') return
  const { isEmpty, isInUse } = await inspectDatabase(url)
  if (isInUse) throw new StartError('DATABASE_URL: a server uses the database: stop it first')
  if (!isEmpty && !force) {
    throw new StartError(
      'DATABASE_URL: the database has tables: restore into an empty one, or add --force',
    )
  }
}

async function lockAll(replacements: readonly Replacement[]) {
  const locks = []
  for (const { target, isDatabase } of replacements) {
    if (isDatabase && (await exists(target))) locks.push(lockDatabase(target))
  }
  return locks
}

/** Copies the files of the backup beside those that they replace. */
async function stageAll(replacements: readonly Replacement[]): Promise<void> {
  for (const each of replacements) {
    if (each.source === undefined) continue
    const staged = stagedOf(each)
    makeFolder(dirname(staged))
    await rm(staged, { force: true })
    await copyFile(each.source, staged)
    await chmod(staged, privateFileMode)
    await syncToDisk(staged)
    if (each.isDatabase) requireIntactDatabase(staged)
  }
}

/** Copies the stored files of the backup beside those that they replace. */
async function stageFiles(folder: string, names: readonly string[], staged: string): Promise<void> {
  await rm(staged, { recursive: true, force: true })
  for (const name of names.filter((each) => each.startsWith(`${filesPart}/`))) {
    await copyPrivate(join(folder, name), join(staged, name.slice(filesPart.length + 1)))
  }
}

/** Replaces all files, or none if one cannot be replaced. */
async function replaceAll(replacements: readonly Replacement[]): Promise<void> {
  for (const each of replacements) await keepFormer(each)
  try {
    for (const each of replacements) await replace(each)
  } catch (error) {
    for (const each of replacements) await putBack(each)
    throw error
  }
  for (const each of replacements) {
    await rm(formerOf(each), { force: true })
    await syncToDisk(dirname(each.target))
  }
}

/** A second name of the former file, so that there is a file at the first one at any time. */
async function keepFormer(each: Replacement): Promise<void> {
  await rm(formerOf(each), { force: true })
  if (await exists(each.target)) await link(each.target, formerOf(each))
}

async function replace(each: Replacement): Promise<void> {
  // A damaged database could not be locked, and may have left its log.
  if (each.isDatabase)
    for (const file of companionFilesOf(each.target)) await rm(file, { force: true })
  if (each.source === undefined) await rm(each.target, { force: true })
  else await rename(stagedOf(each), each.target)
}

async function putBack(each: Replacement): Promise<void> {
  const former = formerOf(each)
  if (await exists(former)) await rename(former, each.target)
  else await rm(each.target, { force: true })
  await rm(former, { force: true })
}
