import { parseEventId, parseTestEventId } from '#shop/events/event-id.ts'
import type { Db } from '#store/database.ts'
import { hasSeveral, isOneOf } from '#store/query/dialect.ts'
import { maxRowsToSort, type PageRequest, type PageResult, paginate } from '#store/query/page.ts'
import { sumCounts, type Total } from '#store/query/total.ts'
import { requireWrittenRow } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { type DeliveryRow, type WebhookRow, webhookDeliveries } from './delivery/table.ts'
import { dueFirst } from './rules.ts'
import type { DeliveryFilters } from './schema.ts'

/** Returns a page of the webhooks. */
export function listWebhooks(db: Db, page: PageRequest): Promise<PageResult<WebhookRow>> {
  const query = db.selectFrom('webhooks').where('deleted_at', 'is', null)
  const columns = { id: 'id', created_at: 'created_at', updated_at: 'updated_at' } as const
  return paginate(db, query, columns, page, (rows) => rows.selectAll('webhooks'))
}

function countDeliveries(db: Db, webhookId: number, { status }: DeliveryFilters): Promise<Total> {
  const counters = db.selectFrom('webhook_delivery_counts').where('webhook_id', '=', webhookId)
  return sumCounts(status ? counters.where(isOneOf(db, 'status', status)) : counters)
}

/** Returns a page of the deliveries of a webhook that match every filter. */
export async function listDeliveries(
  db: Db,
  webhookId: number,
  filters: DeliveryFilters,
  page: PageRequest,
): Promise<PageResult<DeliveryRow>> {
  const { status, event_id } = filters
  let query = db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId)
  const length = event_id === undefined ? countDeliveries(db, webhookId, filters) : undefined
  const isFew =
    event_id !== undefined || (hasSeveral(status) && ((await length)?.items ?? 0) <= maxRowsToSort)
  if (status) query = query.where(isOneOf(db, 'status', status, hasSeveral(status) && !isFew))
  if (event_id !== undefined) {
    const event = parseEventId(event_id)
    const test = parseTestEventId(event_id)
    query = query
      .where('event_time', '=', event?.time ?? test?.time ?? -1)
      .where((eb) =>
        event
          ? eb('event_sequence', '=', event.sequence)
          : eb.and([eb('id', '=', test?.deliveryId ?? 0), eb('event_sequence', 'is', null)]),
      )
  }
  const columns = { id: 'id', created_at: 'created_at', updated_at: 'updated_at' } as const
  return paginate(db, query, columns, page, (rows) => rows.selectAll('webhook_deliveries'), {
    length,
    isFew,
  })
}

/** Inserts a test of a webhook, which is due before deliveries of events. */
export const insertTest = (
  db: Db,
  { id, activation }: Pick<WebhookRow, 'id' | 'activation'>,
  now: Instant,
): Promise<DeliveryRow> =>
  webhookDeliveries.insert(db, {
    webhook_id: id,
    activation,
    event_time: now,
    status: 'pending',
    due_at: dueFirst,
    created_at: now,
    updated_at: now,
  })

/**
 * Makes a delivery due before others, in this activation of its webhook. Throws StaleWriteError when it has
 * changed or was claimed since.
 */
export async function retryDelivery(
  db: Db,
  { id, revision, status, leased_until }: DeliveryRow,
  { activation, now }: { readonly activation: number; readonly now: Instant },
): Promise<DeliveryRow> {
  const next = status === 'delivered' ? status : 'pending'
  const change = { status: next, activation, due_at: dueFirst, leased_until: 0 } as const
  const unclaimed = { id, revision, leased_until }
  return requireWrittenRow(await webhookDeliveries.reviseRow(db, unclaimed, change, now))
}
