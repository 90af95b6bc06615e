import { sql } from 'kysely'
import { integer } from '#store/columns.ts'
import type { Db } from '#store/database.ts'
import { withoutIndex } from '#store/query/dialect.ts'
import { prepareQuery, prepareSql } from '#store/query/prepared.ts'
import type { Instant } from '#values/instant.ts'

/** What waits to be published or sent; an instant is null where nothing waits. */
export interface Backlog {
  /** The time of the oldest event that is not published. */
  readonly oldestUnpublished: Instant | null
  /** When the oldest pending delivery to an active webhook was created. */
  readonly oldestDelivery: Instant | null
  /** Since when the attempt of an event that has waited longest is due, to an active webhook. */
  readonly oldestDueDelivery: Instant | null
  /** The number of active webhooks whose last attempt has failed. */
  readonly failingWebhooks: number
  /** The number of mails to be sent, at most `maxCountedMails`. */
  readonly waitingMails: number
  /** The number of orders that wait for payment, and the pieces that they took of counted stocks. */
  readonly unpaidOrders: number
  readonly unpaidPieces: number
}

/** Bounds the cost of counting mails. */
export const maxCountedMails = 1000

const oldestUnpublished = prepareQuery((db: Db, _: object) =>
  db.selectFrom('outbox').select('time').orderBy('id').limit(1),
)

const webhookBacklog = prepareQuery((db: Db, param: { now: Instant }) =>
  db
    .selectFrom('webhooks')
    .where('active', '=', sql.lit(1))
    .select((eb) => [
      eb.fn
        .min<number | null>(
          eb
            .selectFrom('webhook_deliveries as pending')
            .select('pending.created_at')
            .whereRef('pending.webhook_id', '=', 'webhooks.id')
            .where('pending.status', '=', sql.lit('pending'))
            .orderBy('pending.id')
            .limit(sql.lit(1)),
        )
        .as('oldestDelivery'),
      eb.fn
        .min<number | null>(
          eb
            .selectFrom('webhook_deliveries as due')
            .select('due.due_at')
            .whereRef('due.webhook_id', '=', 'webhooks.id')
            // Those that are sent by hand come first, with 0. By two bounds PostgreSQL without statistics
            // expects few rows, and would read and sort all deliveries of a webhook.
            .where(withoutIndex('due.due_at'), '>', sql.lit(0))
            .where('due.due_at', '<=', param.now)
            .where('due.leased_until', '<=', param.now)
            .orderBy('due.due_at')
            .limit(sql.lit(1)),
        )
        .as('oldestDueDelivery'),
      eb.fn.count<number>('failing_since').as('failingWebhooks'),
    ]),
)

const waitingMails = prepareQuery((db: Db, _: object) =>
  db
    .selectFrom(
      db
        .selectFrom('mails')
        .select('due_at')
        .where('due_at', 'is not', null)
        .limit(sql.lit(maxCountedMails))
        .as('waiting'),
    )
    .select((eb) => eb.fn.countAll<number>().as('number')),
)

const unpaid = prepareSql(
  (_: Db, _param: object) => sql`
    select coalesce((select sum(number) from order_counts
        where user_id = 0 and status = 'pending'), 0) as unpaid_orders,
      coalesce((select sum(unpaid) from order_items where unpaid is not null), 0) as unpaid_pieces`,
  { unpaid_orders: integer, unpaid_pieces: integer },
)

/** Reads the backlog of the shop, by the rows of an index that wait, however many others there are. */
export async function readBacklog(db: Db, now: Instant): Promise<Backlog> {
  const [event, webhooks, mails, orders] = await Promise.all([
    oldestUnpublished.first(db, {}),
    webhookBacklog.first(db, { now }),
    waitingMails.first(db, {}),
    unpaid.first(db, {}),
  ])
  return {
    oldestUnpublished: event?.time ?? null,
    oldestDelivery: webhooks?.oldestDelivery ?? null,
    oldestDueDelivery: webhooks?.oldestDueDelivery ?? null,
    failingWebhooks: Number(webhooks?.failingWebhooks ?? 0),
    waitingMails: Number(mails?.number ?? 0),
    unpaidOrders: Number(orders?.unpaid_orders ?? 0),
    unpaidPieces: Number(orders?.unpaid_pieces ?? 0),
  }
}
