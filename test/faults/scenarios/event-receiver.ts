import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventId } from '#shop/events/event-id.ts'
import type { Random } from '#src/demo/random.ts'
import type { Db } from '#store/database.ts'
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '#test/support/services/doubles/webhook-receiver.ts'
import type { Caller } from '#test/support/services/server.ts'

/** A receiver of all events that fails a third of the time. */
export async function startFaultyReceiver(random: Random): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver()
  receiver.respond = (response) => {
    if (random() > 1 / 3) response.writeHead(204).end()
    else response.writeHead(503, { 'retry-after': '1' }).end()
  }
  return receiver
}

/** Creates a webhook for all events. */
export async function subscribe(
  { url }: WebhookReceiver,
  request: Caller['request'],
): Promise<void> {
  const { status, text } = await request('POST', '/webhooks', { url, types: ['*'] })
  assert.equal(status, 201, text)
}

/** Makes what killed processes have claimed due again; no server may run. */
export const endClaims = (db: Db) =>
  db
    .updateTable('webhook_deliveries')
    .set({ due_at: 1, leased_until: 0 })
    .where('due_at', 'is not', null)
    .execute()

/** How long no further event may arrive; the kills may leave thousands. */
const silenceTimeoutMs = 60_000

/** Asserts that every event of the feed arrived, under its ID, while a server runs. */
export async function waitForEvents(db: Db, { received }: WebhookReceiver): Promise<number> {
  let lastArrival = performance.now()
  let fewest = Number.POSITIVE_INFINITY
  for (;;) {
    const events = await db.selectFrom('events').selectAll().orderBy('sequence').execute()
    const arrived = new Set(received.map(({ headers }) => headers['webhook-id']))
    const missing = events.filter((event) => !arrived.has(eventId(event)))
    const waiting = await db.selectFrom('outbox').select('id').execute()
    if (missing.length === 0 && waiting.length === 0) {
      assertSameIds(received)
      return events.length
    }
    if (missing.length < fewest) {
      fewest = missing.length
      lastArrival = performance.now()
    }
    const isSilent = performance.now() > lastArrival + silenceTimeoutMs
    assert.ok(!isSilent, `${missing.length} events have not arrived`)
    await sleep(100)
  }
}

/** Asserts that what arrived more than once had the same ID each time. */
function assertSameIds(received: WebhookReceiver['received']): void {
  const ids = new Map<string, unknown>()
  for (const { body, headers } of received) {
    const { id, sequence } = JSON.parse(body)
    assert.equal(headers['webhook-id'], id)
    assert.equal(ids.get(sequence) ?? id, id)
    ids.set(sequence, id)
  }
}

/** Asserts that the events of orders are those of their rows: none is missing, none has no effect. */
export async function compareEvents(db: Db): Promise<void> {
  const orders = await db.selectFrom('orders').select(['id', 'status', 'deleted_at']).execute()
  const events = await db
    .selectFrom('events')
    .select(['type', 'subject'])
    .where('type', 'in', ['order.created', 'order.paid'])
    .execute()
  const counts = Map.groupBy(events, ({ type, subject }) => `${type} ${subject}`)
  for (const { id, status } of orders) {
    const created = counts.get(`order.created /orders/${id}`)?.length
    const paid = counts.get(`order.paid /orders/${id}`)?.length ?? 0
    assert.equal(created, 1, `order ${id} was created ${created} times`)
    if (status === 'paid') assert.equal(paid, 1, `order ${id} was paid ${paid} times`)
    if (status === 'pending') assert.equal(paid, 0, `order ${id} is pending and was paid`)
  }
  const known = new Set(orders.map(({ id }) => `/orders/${id}`))
  const unknown = events.filter(({ subject }) => !known.has(subject))
  assert.deepEqual(unknown, [], 'events without an order')
}
