import { join } from 'node:path'
import type { Counters } from '#http/rate-limit/counters.ts'
import type { AccountLinkParts } from '#shop/messages/mails/account-link.ts'
import { deliverMails, mailBatchSize } from '#shop/messages/mails/delivery/deliver.ts'
import { deleteOldMailFiles } from '#shop/messages/mails/delivery/folder.ts'
import type { MailTransport } from '#shop/messages/mails/delivery/message.ts'
import {
  createFolderTransport,
  createSmtpTransport,
  type Sender,
} from '#shop/messages/mails/delivery/transport.ts'
import { createMailLimit } from '#shop/messages/mails/mail-limit.ts'
import { createMailPlanner } from '#shop/messages/mails/planning.ts'
import { mailWriter } from '#shop/messages/mails/write.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/observability/log.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import { dataFolderOf } from './data-folder.ts'

/** Sends the mails of the shop. */
export interface Mailer {
  /** Plans and sends mails; returns how many it tried, and whether there may be more. */
  readonly run: (db: Db) => Promise<{ readonly tried: number; readonly isFull: boolean }>
  /** Gives up the attempts that have not ended within three seconds. */
  readonly stop: () => void
}

/** What the mails of the shop are sent with. */
interface MailerParts extends AccountLinkParts {
  /** Counts the mails that anybody can cause; without it they are not limited. */
  readonly mailCounters?: Counters | undefined
  readonly transport: MailTransport
  /** The folder of the transport, if it writes to one. */
  readonly folder?: string | undefined
  readonly transaction: RunTransaction
  readonly shopName: string
  readonly accountPagesUrl: string
  readonly clock: () => Instant
  readonly report: (facts: object, message: string) => void
}

const tidyPauseMs = minuteMs
/** A process has ten seconds to stop, and stores what became of its attempts. */
const stopGraceMs = 3 * secondMs

/** Creates the mailer of a process. */
export function createMailer(parts: MailerParts): Mailer {
  const { transport, folder, transaction, clock, report } = parts
  const isWithinLimit = createMailLimit(parts.mailCounters)
  const planner = createMailPlanner(parts)
  const write = mailWriter({ ...parts, isWithinLimit })
  const stopping = new AbortController()
  const { signal } = stopping
  let tidiedAt = 0
  return {
    stop: () => void setTimeout(() => stopping.abort(), stopGraceMs).unref(),
    run: async (db) => {
      const mayHaveMore = await planner.plan(db)
      const tried = await deliverMails({ db, transaction, transport, write, clock, signal, report })
      if (folder !== undefined && clock() >= tidiedAt + tidyPauseMs) {
        tidiedAt = clock()
        await deleteOldMailFiles(db, folder)
      }
      return { tried, isFull: mayHaveMore || tried >= mailBatchSize }
    },
  }
}

/** Where the mails of a server go. */
interface MailDestination {
  readonly transport: MailTransport
  /** Undefined with a mail server. */
  readonly folder?: string
}

/** Creates the transport to the configured mail server or, without one, to a folder. */
export function createMailDestination(config: Config, publicUrl: string): MailDestination {
  const sender = senderOf(config, publicUrl)
  if (config.smtpUrl !== undefined)
    return { transport: createSmtpTransport(config.smtpUrl, sender) }
  const folder = mailFolderOf(config)
  return { transport: createFolderTransport(folder, sender), folder }
}

/** Warns at a start that mails are written to a folder instead of being sent. */
export function warnOfMailFolder(config: Config, log: Pick<Log, 'warn'>): void {
  if (config.smtpUrl !== undefined) return
  log.warn(
    { folder: mailFolderOf(config) },
    'mails are written to a folder: set SMTP_URL to send them',
  )
}

const mailFolderOf = ({ database }: Config): string => join(dataFolderOf(database), 'mail')

function senderOf({ mailFrom, shopName }: Config, publicUrl: string): Sender {
  const { hostname } = new URL(publicUrl)
  const { name = shopName, address = `no-reply@${hostname}` } = mailFrom ?? {}
  return { name, address }
}
