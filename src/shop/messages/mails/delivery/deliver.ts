import { type MailRow, mails } from '#shop/messages/mails/table.ts'
import type { Db } from '#store/database.ts'
import { retryTime } from '#store/due.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import type { MailMessage, MailTransport, SendResult } from './message.ts'
import { retryPausesMs } from './schedule.ts'

/** The number of mails that a process sends at once, and whose ends share a transaction. */
export const mailBatchSize = 5
const maxErrorLength = 500

/** What sending mails depends on. */
export interface MailDelivery {
  readonly db: Db
  readonly transaction: RunTransaction
  readonly transport: MailTransport
  /** Writes a mail; undefined when there is nobody to send it to any more, `limited` for one too many. */
  readonly write: (
    db: Db,
    mail: MailRow,
    now: Instant,
  ) => Promise<MailMessage | 'limited' | undefined>
  readonly clock: () => Instant
  /** Gives up the attempts under way. */
  readonly signal: AbortSignal
  /** Reports an attempt that failed, and a mail that is not sent because it is one too many. */
  readonly report: (facts: object, message: string) => void
}

/**
 * Sends due mails, at most `mailBatchSize`, and returns how many were tried. Any process may do so at any
 * time: each mail is claimed first, and after a crash the attempt is repeated under the same Message-ID.
 */
export async function deliverMails(delivery: MailDelivery): Promise<number> {
  const { db, transaction } = delivery
  const now = delivery.clock()
  const claimed = await mails.claim(db, { now, limit: mailBatchSize })
  if (claimed.length === 0) return 0
  const ends = await Promise.all(
    claimed.map(async (mail) => ({ mail, end: await deliver(delivery, mail, now) })),
  )
  await transaction(async (transactionDb) => {
    for (const { mail, end } of ends) {
      const { id, leased_until } = mail
      // Nothing is stored for a mail that was claimed again or deleted.
      await mails.update(transactionDb, { id, leased_until }, { ...end, leased_until: 0 })
    }
  })
  return claimed.length
}

type Outcome = SendResult | { readonly kind: 'cancelled' | 'limited' }

/** Returns the columns of a mail that an attempt changes. */
async function deliver(delivery: MailDelivery, mail: MailRow, now: Instant) {
  const outcome = await attempt(delivery, mail, now)
  const endedAt = delivery.clock()
  const attempts = mail.attempts + 1
  const ended = { attempts, due_at: null, error: null, sent_at: null }
  // Addresses are kept no longer than they are needed.
  const unneeded = { recipient: null, network: null }
  switch (outcome.kind) {
    case 'sent':
      return { ...ended, ...unneeded, status: 'sent', sent_at: endedAt } as const
    case 'cancelled':
      return { ...ended, ...unneeded, status: 'cancelled' } as const
    case 'limited': {
      const error = 'too many mails to the mailbox or by the network'
      delivery.report({ mail: mail.mail_key, kind: mail.kind, error }, 'mail not sent')
      return { ...ended, ...unneeded, status: 'cancelled', error } as const
    }
    case 'rejected':
    case 'failed': {
      const retry = { pausesMs: retryPausesMs, attempts, now: endedAt }
      const due_at = outcome.kind === 'failed' ? retryTime(retry, Math.random()) : undefined
      const status = due_at === undefined ? 'failed' : 'pending'
      const error = outcome.error.slice(0, maxErrorLength)
      delivery.report({ mail: mail.mail_key, kind: mail.kind, attempts, error }, `mail ${status}`)
      return due_at === undefined
        ? ({ ...ended, ...unneeded, status: 'failed', error } as const)
        : ({ ...ended, status: 'pending', due_at, error } as const)
    }
    default:
      return outcome satisfies never
  }
}

async function attempt(
  { db, transport, write, signal }: MailDelivery,
  mail: MailRow,
  now: Instant,
): Promise<Outcome> {
  try {
    const message = await write(db, mail, now)
    if (!message) return { kind: 'cancelled' }
    if (message === 'limited') return { kind: message }
    return await transport.send(mail.mail_key, message, signal)
  } catch (error) {
    // A mail that cannot be written must not hold up the others.
    return { kind: 'failed', error: String(error) }
  }
}
