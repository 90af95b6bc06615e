import type { MailKind } from '#shop/messages/mails/table.ts'
import type { Db } from '#store/database.ts'
import { deletionBatchSize } from '#store/query/deletion-batch.ts'
import { dialectOf, idInQuery, textIn } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Instant } from '#values/instant.ts'

/** A mail whose next attempt has begun. */
export interface ClaimedMail {
  readonly id: number
  readonly mail_key: string
  readonly kind: MailKind
  readonly user_id: number | null
  readonly order_id: number | null
  readonly token_hash: string | null
  readonly recipient: string | null
  readonly amount: number | null
  readonly created_at: Instant
  /** The number of attempts, this one included. */
  readonly attempts: number
}

interface ClaimRequest {
  readonly now: Instant
  /** When another process may repeat the attempt, because this one did not end. */
  readonly leasedUntil: Instant
  readonly limit: number
}

const claimDue = prepareQuery((db: Db, param: ClaimRequest) =>
  db
    .updateTable('mails')
    .set((eb) => ({
      next_attempt_at: param.leasedUntil,
      attempts: eb('attempts', '+', eb.lit(1)),
    }))
    .where(
      idInQuery(
        db,
        'mails.id',
        db
          .selectFrom('mails')
          .select('id')
          .where('status', '=', 'pending')
          .where('next_attempt_at', '<=', param.now)
          .orderBy('next_attempt_at')
          .limit(param.limit)
          .$if(dialectOf(db) === 'postgres', (due) => due.forUpdate().skipLocked()),
      ),
    )
    .returning([
      'id',
      'mail_key',
      'kind',
      'user_id',
      'order_id',
      'token_hash',
      'recipient',
      'amount',
      'created_at',
      'attempts',
    ]),
)

/** Begins the next attempt of due mails, at most `limit`; concurrent processes get different ones. */
export const claimDueMails = (db: Db, request: ClaimRequest): Promise<readonly ClaimedMail[]> =>
  claimDue.all(db, request)

/** The end of an attempt. */
export interface AttemptOutcome {
  readonly id: number
  readonly attempts: number
  readonly status: 'pending' | 'sent' | 'failed' | 'cancelled'
  /** Null unless the mail is pending: an address is kept no longer than it is needed. */
  readonly recipient: string | null
  readonly nextAttemptAt: Instant
  readonly error: string | null
  readonly sentAt: Instant | null
}

const storeOutcome = prepareQuery((db: Db, param: AttemptOutcome) =>
  db
    .updateTable('mails')
    .set({
      status: param.status,
      recipient: param.recipient,
      next_attempt_at: param.nextAttemptAt,
      error: param.error,
      sent_at: param.sentAt,
    })
    .where('id', '=', param.id)
    .where('attempts', '=', param.attempts),
)

/** Stores the outcomes of attempts. Skips a mail that was claimed again or deleted. */
export const storeOutcomes = (db: Db, ends: readonly AttemptOutcome[]): Promise<void> =>
  writeBatch(
    db,
    ends.map((end) => storeOutcome.write(end)),
  )

const deleteOldest = prepareQuery((db: Db, param: { before: Instant; limit: number }) =>
  db
    .deleteFrom('mails')
    .where(
      idInQuery(
        db,
        'mails.id',
        db
          .selectFrom('mails')
          .select('id')
          .where('created_at', '<', param.before)
          .orderBy('created_at')
          .limit(param.limit),
      ),
    ),
)

/** Deletes at most `deletionBatchSize` mails that were created before an instant; returns how many. */
export const deleteMailsBefore = (db: Db, before: Instant): Promise<number> =>
  deleteOldest.run(db, { before, limit: deletionBatchSize })

const byKeys = prepareQuery((db: Db, param: { keys: readonly string[] }) =>
  db
    .selectFrom('mails')
    .select('mail_key')
    .where(textIn(db, 'mails.mail_key', param.keys)),
)

/** Returns those of the keys that belong to a mail. */
export async function findMailKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const found = await byKeys.all(db, { keys })
  return new Set(found.map(({ mail_key }) => mail_key))
}
