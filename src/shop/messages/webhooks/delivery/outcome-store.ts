import { type ExpressionBuilder, sql } from 'kysely'
import { type DisabledReason, webhooks } from '#shop/messages/webhooks/table.ts'
import type { Db } from '#store/database.ts'
import { idIn, rowsFromJson } from '#store/query/dialect.ts'
import { prepareQuery } from '#store/query/prepared.ts'
import { notNull } from '#store/query/statements.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'
import type { DeliveryStatus, WebhookRow } from './table.ts'

/** The state of a delivery after an attempt. */
export interface AttemptedDelivery {
  readonly id: number
  /** The end of the claim under which the attempt was made. */
  readonly leased_until: Instant
  readonly status: DeliveryStatus
  readonly attempts: string
  readonly responses: string
  readonly due_at: Instant | null
  readonly now: Instant
}

const fields = {
  id: 'integer',
  leased_until: 'integer',
  status: 'text',
  attempts: 'text',
  responses: 'text',
  due_at: 'integer',
  now: 'integer',
} as const

const saveAll = prepareQuery(
  (db: Db, param: { ids: readonly number[]; deliveries: readonly AttemptedDelivery[] }) =>
    db
      .updateTable('webhook_deliveries')
      .from(rowsFromJson(db, param.deliveries, fields).as('attempted'))
      .set((eb) => ({
        status: eb.ref('attempted.status'),
        attempts: eb.ref('attempted.attempts'),
        // Null if the personal data of the event was erased, which a response may repeat.
        responses: sql<string>`case when webhook_deliveries.responses is not null
          then attempted.responses end`,
        due_at: eb.ref('attempted.due_at'),
        leased_until: 0,
        revision: eb('webhook_deliveries.revision', '+', eb.lit(1)),
        updated_at: eb.ref('attempted.now'),
      }))
      .where(idIn(db, 'webhook_deliveries.id', param.ids))
      .whereRef('webhook_deliveries.id', '=', 'attempted.id')
      .whereRef('webhook_deliveries.leased_until', '=', 'attempted.leased_until')
      .returning('webhook_deliveries.id'),
)

/** Stores attempts, and returns the IDs of the deliveries whose claim has not been lost. */
export async function saveAttempts(
  db: Db,
  deliveries: readonly AttemptedDelivery[],
): Promise<ReadonlySet<number>> {
  const ids = deliveries.map(({ id }) => id)
  const saved = await saveAll.all(db, { ids, deliveries })
  return new Set(saved.map(({ id }) => id))
}

/** Stores that webhooks work. */
export async function markWorking(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await webhooks.update(db, { id: ids, failing_since: notNull }, { failing_since: null })
}

/** Stores that webhooks fail, if they were working. */
export async function markFailing(db: Db, ids: readonly number[], now: Instant): Promise<void> {
  if (ids.length === 0) return
  await webhooks.update(db, { id: ids, failing_since: null }, { failing_since: now })
}

/** The columns that change when the server disables a webhook. */
export const disabledColumns = (
  eb: ExpressionBuilder<Tables, 'webhooks'>,
  reason: DisabledReason,
  now: Instant,
) => ({
  active: 0,
  disabled_reason: reason,
  failing_since: null,
  stopped_at: now,
  activation: eb('activation', '+', eb.lit(1)),
  revision: eb('revision', '+', eb.lit(1)),
  updated_at: now,
})

/** A webhook as it was at the attempt: a later URL or activation is not disabled. */
interface DisableRequest extends Pick<WebhookRow, 'id' | 'url' | 'activation'> {
  readonly reason: DisabledReason
  /** It is disabled only if it has been failing since then or earlier. */
  readonly failingSince: Instant
  readonly now: Instant
}

const disable = prepareQuery((db: Db, param: DisableRequest) =>
  db
    .updateTable('webhooks')
    .set((eb) => disabledColumns(eb, param.reason, param.now))
    .where('id', '=', param.id)
    .where('url', '=', param.url)
    .where('activation', '=', param.activation)
    .where('active', '=', 1)
    .where('failing_since', '<=', param.failingSince)
    .returningAll(),
)

/** Disables an active webhook that fails; undefined if it does not, or not for long enough. */
export const disableFailing = (db: Db, request: DisableRequest): Promise<WebhookRow | undefined> =>
  disable.first(db, request)

/** A webhook whose deliveries of activations before this one are to be ended. */
export type StoppedWebhook = Pick<WebhookRow, 'id' | 'activation'>

/** Returns the webhooks whose pending deliveries of earlier activations are to be ended. */
export const listStopped = (db: Db): Promise<readonly StoppedWebhook[]> =>
  webhooks.findAll(db, { stopped_at: notNull }, { order: 'id' })

interface EndRequest extends StoppedWebhook {
  readonly now: Instant
  readonly limit: number
}

const pendingOf = (db: Db, param: StoppedWebhook) =>
  db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', param.id)
    .where('due_at', 'is not', null)
    .where('activation', '<', param.activation)

const endPending = prepareQuery((db: Db, param: EndRequest) =>
  db
    .updateTable('webhook_deliveries')
    .set((eb) => ({
      // One that has arrived, and is sent once more by hand, stays delivered.
      status: sql<DeliveryStatus>`case when status = 'delivered' then status else 'failed' end`,
      due_at: null,
      revision: eb('revision', '+', eb.lit(1)),
      updated_at: param.now,
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom(
          pendingOf(db, param)
            // One that is claimed is left to the process that makes the attempt.
            .where('leased_until', '<=', param.now)
            .limit(param.limit)
            .as('pending'),
        )
        .select('pending.id'),
    )
    // Again for the row itself: it may have been retried by hand while this statement waited for it.
    .where('activation', '<', param.activation),
)

/**
 * Ends at most `limit` pending deliveries of earlier activations of a webhook that nobody has claimed;
 * returns how many.
 */
export const endDeliveries = (db: Db, request: EndRequest): Promise<number> =>
  endPending.run(db, request)

const anyPending = prepareQuery((db: Db, param: StoppedWebhook) => pendingOf(db, param).limit(1))

/** Stores that the deliveries of earlier activations have ended, if none is pending. */
export async function finishStop(db: Db, { id, activation }: StoppedWebhook): Promise<void> {
  if (await anyPending.first(db, { id, activation })) return
  await webhooks.update(db, { id, activation }, { stopped_at: null })
}
