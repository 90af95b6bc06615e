import { randomUUID } from 'node:crypto'
import { eventId } from '#shop/events/event-id.ts'
import { type PublishedEvent, readEvents, subjectId } from '#shop/events/events-store.ts'
import { publishEvents } from '#shop/events/feed-store.ts'
import type { EventType } from '#shop/events/types.ts'
import type { AccountTokenPurpose } from '#shop/messages/mails/table.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import { accountKey } from '#values/account-key.ts'
import { dayMs, hourMs, type Instant } from '#values/instant.ts'
import { currencyDigits, fromMajor } from '#values/money.ts'
import type { AccountLinkParts } from './account-link.ts'
import * as store from './planning-store.ts'
import { accountTokens as tokens } from './table.ts'

/** What the tokens of mails that somebody asks for are for. */
type MailedPurpose = Exclude<AccountTokenPurpose, 'address_change'>

/** How long the token of each kind of mail works, in milliseconds. */
const tokenLifetimesMs: Readonly<Record<MailedPurpose, number>> = {
  password_reset: hourMs,
  email_confirmation: 3 * dayMs,
}

/** The events whose mails one transaction plans. */
const eventBatchSize = 500
const requestBatchSize = 100
/** No mail is sent about an older event, in milliseconds. */
const maxAgeMs = 3 * dayMs

const orderMails = {
  'order.paid': 'order_confirmation',
  'parcel.created': 'order_shipped',
  // Of an order without parcels.
  'order.shipped': 'order_shipped',
  'payment.refunded': 'order_refunded',
  'order.cancelled': 'order_cancelled',
  'return.requested': 'return_requested',
  'return.approved': 'return_approved',
  'return.rejected': 'return_rejected',
  'return.received': 'return_received',
} as const
const userTypes: readonly EventType[] = ['user.created', 'user.updated']
const types: readonly string[] = [...Object.keys(orderMails), ...userTypes]

interface PlannerParts extends AccountLinkParts {
  readonly transaction: RunTransaction
  readonly clock: () => Instant
}

/** Plans the mails that events and requests cause. */
export interface MailPlanner {
  /** Queues the mails; returns true while more may be to plan. Any process may call it at any time. */
  readonly plan: (db: Db) => Promise<boolean>
}

/** Creates the planner of a process. */
export function createMailPlanner({
  transaction,
  accountTokens,
  clock,
}: PlannerParts): MailPlanner {
  const queue = async (db: Db, mail: AccountMail, now: Instant): Promise<void> => {
    const { purpose, recipient, key, network } = mail
    const { salt, hash: token_hash } = accountTokens.create()
    const user_id = recipient.id
    await tokens.insert(db, {
      token_hash,
      salt,
      purpose,
      user_id,
      email_key: recipient.email_key ?? '',
      expires_at: now + tokenLifetimesMs[purpose],
      created_at: now,
    })
    const sent = { mail_key: key, kind: purpose, user_id, token_hash, network }
    await store.insertAccountMail(db, { ...sent, recipient: null, created_at: now })
  }
  return {
    plan: async (db) => {
      const events = await planEvents({ transaction, queue, clock }, db)
      const requests = await planRequests({ transaction, queue, clock }, db)
      return events >= eventBatchSize || requests >= requestBatchSize
    },
  }
}

/** A mail with a token that is to be queued. */
interface AccountMail {
  readonly key: string
  readonly purpose: MailedPurpose
  readonly recipient: { readonly id: number; readonly email_key: string | null }
  /** The network for which it counts; null for none. */
  readonly network: string | null
}

interface Planning {
  readonly transaction: RunTransaction
  readonly queue: (db: Db, mail: AccountMail, now: Instant) => Promise<void>
  readonly clock: () => Instant
}

/** Plans the mails of the next events, each once in all processes; returns how many events. */
async function planEvents({ transaction, queue, clock }: Planning, db: Db): Promise<number> {
  const upTo = await publishEvents(db)
  if ((await store.position.find(db)) >= upTo) return 0
  return transaction(async (transactionDb) => {
    const after = await store.position.lock(transactionDb)
    const events = await readEvents(transactionDb, { after, upTo, limit: eventBatchSize, types })
    const now = clock()
    const recent = events.filter(({ time }) => time > now - maxAgeMs)
    await store.insertOrderMails(transactionDb, recent.flatMap(orderMailOf), now)
    for (const event of recent) {
      const userId = userOf(event)
      const recipient =
        userId === undefined ? undefined : await store.takeNewAddress(transactionDb, userId, now)
      if (!recipient) continue
      const key = eventId(event)
      const network = recipient.email_network
      const mail = { key, purpose: 'email_confirmation', recipient, network } as const
      await queue(transactionDb, mail, now)
    }
    const last = events.length < eventBatchSize ? undefined : events.at(-1)?.sequence
    await store.position.save(transactionDb, Math.max(after, last ?? upTo))
    return events.length
  })
}

const isOrderMail = (type: string): type is keyof typeof orderMails =>
  Object.hasOwn(orderMails, type)

/** The fields that mails need of the representation of an order, a parcel, a return or a payment. */
interface MailedData {
  readonly order_id?: number
  readonly id: number
  readonly amount?: number | null
  readonly refunded_total?: number | null
  readonly currency?: string | null
  readonly cancel_reason?: string | null
  readonly kind?: string
}

/** The reasons for which an order is cancelled that its buyer has not expected. */
const mailedReasons: readonly unknown[] = ['stock_needed', 'discount_needed']

function orderMailOf(event: PublishedEvent): readonly store.PlannedOrderMail[] {
  const { type } = event
  if (!isOrderMail(type)) return []
  const data = JSON.parse(event.data) as MailedData
  if (type === 'order.cancelled' && !mailedReasons.includes(data.cancel_reason)) return []
  const { id, order_id = id, currency } = data
  const returned = type === 'payment.refunded' ? (data.refunded_total ?? data.amount) : undefined
  const digits = currency ? currencyDigits(currency) : 0
  const amount = returned == null ? null : (fromMajor(returned, digits) ?? null)
  const isWithdrawal = type === 'return.requested' && data.kind === 'withdrawal'
  const kind = isWithdrawal ? 'withdrawal_confirmed' : orderMails[type]
  const parcel_id = type === 'parcel.created' ? id : null
  const return_id = type.startsWith('return.') ? id : null
  return [{ mail_key: eventId(event), kind, order_id, parcel_id, return_id, amount }]
}

/** Returns the ID of the user that an event is about. */
const userOf = (event: PublishedEvent): number | undefined =>
  userTypes.some((type) => type === event.type) ? subjectId(event) : undefined

/** Answers the oldest requests for mails; returns how many. */
async function planRequests({ transaction, queue, clock }: Planning, db: Db): Promise<number> {
  if (!(await store.hasRequests(db))) return 0
  return transaction(async (transactionDb) => {
    const requests = await store.takeRequests(transactionDb, requestBatchSize)
    const now = clock()
    for (const { kind: purpose, email, user_id, network } of requests) {
      const recipient =
        purpose === 'password_reset'
          ? await store.findByEmail(transactionDb, accountKey(email ?? ''), now)
          : await store.findUnconfirmed(transactionDb, user_id ?? 0)
      if (recipient) {
        const mail = { key: `req_${randomUUID()}`, purpose, recipient, network }
        await queue(transactionDb, mail, now)
      }
    }
    return requests.length
  })
}
