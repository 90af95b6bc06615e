import { chmod, copyFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { DatabaseAddress } from '#src/config/database-url.ts'
import { StartError } from '#src/server/start-error.ts'
import { makeFolder } from '#store/folder.ts'
import { privateFileMode } from '#store/private-files.ts'
import { syncToDisk } from '#store/write-file.ts'
import { copyFiles, exists } from './files.ts'
import { locateParts } from './locations.ts'
import { type PartName, partNames, writeManifest } from './manifest.ts'
import { dumpDatabase } from './postgres.ts'
import { copyDatabase } from './sqlite.ts'

/**
 * Copies a shop into a missing or empty folder, while servers use it, with the files of `filesFolder`.
 * Throws a StartError; the folder is empty then.
 */
export async function createBackup(
  address: DatabaseAddress,
  folder: string,
  filesFolder?: string,
): Promise<void> {
  await requireContent(address)
  const path = resolve(folder)
  makeFolder(path)
  if ((await readdir(path)).length > 0) throw new StartError(`${folder} is not empty`)
  try {
    const names: string[] = []
    // The charges after the database, so that none that it refers to is missing.
    for (const name of partNames) if (await copyPart(address, name, path)) names.push(name)
    // A file is kept for hours after the last image, so none that the database refers to is missing.
    if (filesFolder !== undefined) names.push(...(await copyFiles(filesFolder, path)))
    await writeManifest(path, address.kind, names)
  } catch (error) {
    for (const file of await readdir(path)) await rm(join(path, file), { recursive: true })
    throw error
  }
}

async function requireContent({ kind, file }: DatabaseAddress): Promise<void> {
  if (kind === 'postgres') return
  if (file === undefined) throw new StartError('DATABASE_URL: a database in memory has no backup')
  if (!(await exists(file))) throw new StartError(`DATABASE_URL: ${file} does not exist`)
}

/** Copies a part of a shop; false if the shop does not have it. */
async function copyPart(
  address: DatabaseAddress,
  name: PartName,
  folder: string,
): Promise<boolean> {
  const target = join(folder, name)
  const source = locateParts(address)[name]
  const isDump = name === 'database' && address.kind === 'postgres'
  if (!isDump && (source === undefined || !(await exists(source)))) return false
  await writeFile(target, '', { mode: privateFileMode, flag: 'wx' })
  if (source === undefined) await dumpDatabase(address.url, target)
  else if (name === 'secret-key') await copyFile(source, target)
  else copyDatabase(source, target)
  await chmod(target, privateFileMode)
  await syncToDisk(target)
  return true
}
