import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#src/config/config.ts'
import { StartError } from '#src/server/start-error.ts'
import type { Store } from '#store/database.ts'
import { makeFolder } from '#store/folder.ts'
import { makeDefaultFolderPrivate } from '#store/private-files.ts'
import { createFileAtomically } from '#store/write-file.ts'
import { dataFolderOf } from './data-folder.ts'
import {
  forgetHostProcess,
  type HostProcess,
  noteHostProcess,
  recordHostProcess,
  runningMs,
} from './hosts-store.ts'

const noteIntervalMs = 4000

/** What may be on the disk of a host, by the setting that keeps it elsewhere. */
const keptOnDisk = {
  FILES_URL: {
    isOnDisk: ({ files }) => files?.kind !== 's3',
    advice: 'the images in a bucket (FILES_URL=s3://…)',
  },
  SMTP_URL: {
    isOnDisk: ({ smtpUrl }) => smtpUrl === undefined,
    advice: 'the mails with a mail server (SMTP_URL)',
  },
  PAYMENT_PROVIDER: {
    isOnDisk: ({ paymentProvider }) => paymentProvider === 'sandbox',
    advice: 'the charges with a provider of their own (PAYMENT_PROVIDER)',
  },
} satisfies Record<string, { isOnDisk: (config: Config) => boolean; advice: string }>

type HostSetting = keyof typeof keptOnDisk

const hostSettings = Object.keys(keptOnDisk) as HostSetting[]

const settingsOnDisk = (config: Config): readonly HostSetting[] =>
  config.sharedDisk ? [] : hostSettings.filter((name) => keptOnDisk[name].isOnDisk(config))

/**
 * Throws a StartError where another host serves the same database and one of the two keeps something on its
 * disk that the other then lacks. Otherwise records this process; the function it returns ends the record.
 */
export async function joinHost(
  store: Pick<Store, 'kind' | 'db' | 'transaction'>,
  config: Config,
): Promise<() => Promise<void>> {
  if (store.kind === 'sqlite' || config.sharedDisk) return async () => undefined
  const process = await describeProcess(config)
  const others = await recordHostProcess(store, process)
  if (others.length > 0) throw new StartError(messageOf(process, others))
  if (process.on_disk.length === 0) return async () => undefined
  // While the database is away, nobody can start.
  const note = () => noteHostProcess(store.db, process).catch(() => undefined)
  const timer = setInterval(() => void note(), noteIntervalMs).unref()
  return async () => {
    clearInterval(timer)
    await forgetHostProcess(store.db, process).catch(() => undefined)
  }
}

const describeProcess = async (config: Config): Promise<HostProcess> => ({
  id: randomUUID(),
  host_id: await hostId(config, settingsOnDisk(config).length > 0),
  host_name: hostname(),
  on_disk: settingsOnDisk(config),
})

/**
 * The ID of this host: hosts that share the data folder count as one. A host with nothing on its disk need not be
 * able to write there.
 */
async function hostId({ database }: Config, isOnDisk: boolean): Promise<string> {
  const file = join(dataFolderOf(database), 'host-id')
  if (isOnDisk) {
    makeFolder(dataFolderOf(database))
    makeDefaultFolderPrivate(dataFolderOf(database))
    await createFileAtomically(file, `${randomUUID()}\n`)
  }
  return await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => randomUUID(),
  )
}

function messageOf({ on_disk }: HostProcess, others: readonly HostProcess[]): string {
  const names = new Set([...on_disk, ...others.flatMap((other) => other.on_disk)])
  const needed = hostSettings.filter((name) => names.has(name))
  const advice = needed.map((name) => keptOnDisk[name].advice)
  const hosts = [...new Set(others.map(({ host_name }) => host_name))].join(', ')
  return [
    `${needed.join(', ')}: another host (${hosts}) serves this database, and what one host keeps on its disk the other lacks.`,
    `Keep ${advice.join(', ')}, or share the disk and set SHARED_DISK=on on all hosts.`,
    `If the other host is gone for good, start again in ${runningMs / 1000} seconds.`,
  ].join(' ')
}
