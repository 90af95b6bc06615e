import type { Db } from '#db/database.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import type { MailMessage, MailTransport, SendResult } from './message.ts'
import { type ClaimedMail, claimDueMails, settleMail } from './queue-store.ts'
import { nextAttemptAt } from './schedule.ts'

/** The number of mails that a process sends at once. */
export const mailBatchSize = 5
/** Longer than a transport takes for one mail. */
const leaseMs = 5 * minuteMs
const maxErrorLength = 500

/** What sending mails depends on. */
export interface MailDelivery {
  readonly db: Db
  readonly transport: MailTransport
  /** Writes a mail; undefined when there is nobody to send it to any more. */
  readonly write: (db: Db, mail: ClaimedMail, now: Instant) => Promise<MailMessage | undefined>
  readonly clock: () => Instant
  /** Reports an attempt that failed. */
  readonly report: (facts: object, message: string) => void
}

/**
 * Sends due mails, at most `mailBatchSize`, and returns how many were tried. Any process may do so at any
 * time: each mail is claimed first, and after a crash the attempt is repeated under the same Message-ID.
 */
export async function deliverMails(delivery: MailDelivery): Promise<number> {
  const now = delivery.clock()
  const claimed = await claimDueMails(delivery.db, {
    now,
    leasedUntil: now + leaseMs,
    limit: mailBatchSize,
  })
  await Promise.all(claimed.map((mail) => deliver(delivery, mail, now)))
  return claimed.length
}

type Outcome = SendResult | { readonly kind: 'cancelled' }

async function deliver(delivery: MailDelivery, mail: ClaimedMail, now: Instant): Promise<void> {
  const outcome = await attempt(delivery, mail, now)
  const settledAt = delivery.clock()
  const { id, attempts } = mail
  const base = { id, attempts, nextAttemptAt: settledAt, error: null, sentAt: null }
  switch (outcome.kind) {
    case 'sent':
      await settleMail(delivery.db, { ...base, status: 'sent', sentAt: settledAt })
      return
    case 'cancelled':
      await settleMail(delivery.db, { ...base, status: 'cancelled' })
      return
    case 'rejected':
    case 'failed': {
      const next =
        outcome.kind === 'failed' ? nextAttemptAt(attempts, settledAt, Math.random()) : undefined
      const status = next === undefined ? 'failed' : 'pending'
      const error = outcome.error.slice(0, maxErrorLength)
      const nextAt = next ?? settledAt
      await settleMail(delivery.db, { ...base, status, nextAttemptAt: nextAt, error })
      delivery.report({ mail: mail.mail_key, kind: mail.kind, attempts, error }, `mail ${status}`)
      return
    }
    default:
      outcome satisfies never
  }
}

async function attempt(
  { db, transport, write }: MailDelivery,
  mail: ClaimedMail,
  now: Instant,
): Promise<Outcome> {
  try {
    const message = await write(db, mail, now)
    return message ? await transport.send(mail.mail_key, message) : { kind: 'cancelled' }
  } catch (error) {
    // A mail that cannot be written must not hold up the others.
    return { kind: 'failed', error: String(error) }
  }
}
