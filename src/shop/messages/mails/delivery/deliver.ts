import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import type { MailMessage, MailTransport, SendResult } from './message.ts'
import {
  type AttemptOutcome,
  type ClaimedMail,
  claimDueMails,
  storeOutcomes,
} from './queue-store.ts'
import { nextAttemptAt } from './schedule.ts'

/** The number of mails that a process sends at once, and whose ends share a transaction. */
export const mailBatchSize = 5
/** Longer than an attempt, which takes a minute at most. */
const leaseMs = 2 * minuteMs
const maxErrorLength = 500

/** What sending mails depends on. */
export interface MailDelivery {
  readonly db: Db
  readonly transaction: RunTransaction
  readonly transport: MailTransport
  /** Writes a mail; undefined when there is nobody to send it to any more. */
  readonly write: (db: Db, mail: ClaimedMail, now: Instant) => Promise<MailMessage | undefined>
  readonly clock: () => Instant
  /** Gives up the attempts under way. */
  readonly signal: AbortSignal
  /** Reports an attempt that failed. */
  readonly report: (facts: object, message: string) => void
}

/**
 * Sends due mails, at most `mailBatchSize`, and returns how many were tried. Any process may do so at any
 * time: each mail is claimed first, and after a crash the attempt is repeated under the same Message-ID.
 */
export async function deliverMails(delivery: MailDelivery): Promise<number> {
  const { db, transaction } = delivery
  const now = delivery.clock()
  const claim = { now, leasedUntil: now + leaseMs, limit: mailBatchSize }
  const claimed = await claimDueMails(db, claim)
  if (claimed.length === 0) return 0
  const ends = await Promise.all(claimed.map((mail) => deliver(delivery, mail, now)))
  await transaction((transactionDb) => storeOutcomes(transactionDb, ends))
  return claimed.length
}

type Outcome = SendResult | { readonly kind: 'cancelled' }

async function deliver(
  delivery: MailDelivery,
  mail: ClaimedMail,
  now: Instant,
): Promise<AttemptOutcome> {
  const outcome = await attempt(delivery, mail, now)
  const endedAt = delivery.clock()
  const { id, attempts } = mail
  const base = {
    id,
    attempts,
    recipient: null,
    nextAttemptAt: endedAt,
    error: null,
    sentAt: null,
  }
  switch (outcome.kind) {
    case 'sent':
      return { ...base, status: 'sent', sentAt: endedAt }
    case 'cancelled':
      return { ...base, status: 'cancelled' }
    case 'rejected':
    case 'failed': {
      const next =
        outcome.kind === 'failed' ? nextAttemptAt(attempts, endedAt, Math.random()) : undefined
      const status = next === undefined ? 'failed' : 'pending'
      const recipient = next === undefined ? null : mail.recipient
      const error = outcome.error.slice(0, maxErrorLength)
      delivery.report({ mail: mail.mail_key, kind: mail.kind, attempts, error }, `mail ${status}`)
      return { ...base, status, recipient, nextAttemptAt: next ?? endedAt, error }
    }
    default:
      return outcome satisfies never
  }
}

async function attempt(
  { db, transport, write, signal }: MailDelivery,
  mail: ClaimedMail,
  now: Instant,
): Promise<Outcome> {
  try {
    const message = await write(db, mail, now)
    if (!message) return { kind: 'cancelled' }
    return await transport.send(mail.mail_key, message, signal)
  } catch (error) {
    // A mail that cannot be written must not hold up the others.
    return { kind: 'failed', error: String(error) }
  }
}
