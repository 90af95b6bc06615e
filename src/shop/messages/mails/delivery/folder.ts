import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { mails } from '#shop/messages/mails/table.ts'
import type { Db } from '#store/database.ts'
import { mailKeyOf } from './transport.ts'

/** The maximum number of mails in the folder. */
const maxFiles = 1_000

/**
 * Deletes from the folder the mails of erased persons, mails that the database does not know any more,
 * and all but the newest 1,000. Returns how many it deleted.
 */
export async function deleteOldMailFiles(
  db: Db,
  folder: string,
  limit: number = maxFiles,
): Promise<number> {
  const files = await listMails(folder)
  const newest = files.toSorted((one, other) => other.changedAt - one.changedAt).slice(0, limit)
  const known = await mails.findAll(db, { mail_key: newest.map(({ key }) => key) })
  const knownKeys = new Set(known.map(({ mail_key }) => mail_key))
  const kept = new Set(newest.filter(({ key }) => knownKeys.has(key)))
  const superfluous = files.filter((file) => !kept.has(file))
  for (const { name } of superfluous) await rm(join(folder, name), { force: true })
  return superfluous.length
}

interface MailFile {
  readonly name: string
  readonly key: string
  readonly changedAt: number
}

async function listMails(folder: string): Promise<readonly MailFile[]> {
  const names = await readdir(folder).catch(() => [])
  const files: MailFile[] = []
  for (const name of names) {
    const key = mailKeyOf(name)
    if (key === undefined) continue
    const stats = await stat(join(folder, name)).catch(() => undefined)
    if (stats) files.push({ name, key, changedAt: stats.mtimeMs })
  }
  return files
}
