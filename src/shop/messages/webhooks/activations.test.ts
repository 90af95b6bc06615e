import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Context } from '#http/declare/context.ts'
import type { Db } from '#store/database.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { waitForLockWaiter } from '#test/support/services/databases.ts'
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '#test/support/services/doubles/webhook-receiver.ts'
import { dayMs, minuteMs } from '#values/instant.ts'
import { retryDelivery, testWebhook } from './actions.ts'
import { createDeliveries } from './delivery/fan-out.ts'
import { insertDeliveries } from './delivery/fan-out-store.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  let receiver: WebhookReceiver
  let webhookId = 0
  let receivedBefore = 0
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
    receiver = await startWebhookReceiver()
  })
  after(async () => {
    await receiver.close()
    await shop.dispose()
  })
  beforeEach(async () => {
    if (webhookId > 0) await setActive(false)
    await round()
    const body = { url: receiver.url, types: ['product.*'] }
    const { status, json, text } = await admin.request('POST', '/webhooks', body)
    assert.equal(status, 201, text)
    webhookId = json.id
    respondWith(204)
    receivedBefore = receiver.received.length
  })

  const respondWith = (status: number) => {
    receiver.respond = (response) => response.writeHead(status).end()
  }
  /** The IDs of the events that have been received since the beginning of the test. */
  const received = () =>
    receiver.received.slice(receivedBefore).map(({ headers }) => headers['webhook-id'])
  async function round(): Promise<void> {
    await shop.webhookDispatcher.round()
    await shop.webhookDispatcher.settled()
  }
  async function setActive(active: boolean): Promise<void> {
    const { status, text } = await admin.request('PATCH', `/webhooks/${webhookId}`, { active })
    assert.equal(status, 200, text)
  }
  async function post(path: string) {
    const { status, json, text } = await admin.request('POST', `/webhooks/${webhookId}/${path}`)
    assert.equal(status, 202, text)
    return json
  }
  async function deliveries() {
    const { json } = await admin.request('GET', `/webhooks/${webhookId}/deliveries`)
    return json.data as { id: number; event_id: string; status: string; attempts: object[] }[]
  }
  const statuses = async () => (await deliveries()).map(({ status }) => status)
  /** Adds a delivery whose first attempt fails. */
  async function failOnce() {
    respondWith(500)
    await addProduct(admin)
    await round()
    respondWith(204)
    receivedBefore = receiver.received.length
    const [delivery] = await deliveries()
    assert.ok(delivery)
    return delivery
  }
  /** Inserts deliveries that have long been due, of events that are deleted, so that nothing is sent. */
  const insertBacklog = (count: number) =>
    insertDeliveries(
      shop.db,
      Array.from({ length: count }, (_, at) => ({
        webhook_id: webhookId,
        event_sequence: webhookId * 1_000_000 + at,
        event_time: shop.now,
        activation: 0,
      })),
      shop.now - dayMs,
    )

  /** Begins `work` while the changes of `hold` are not committed, and commits once it is done or waits. */
  async function during(hold: (db: Db) => Promise<unknown>, work: () => Promise<unknown>) {
    const isHeld = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holding = shop.store.transaction(async (db) => {
      await hold(db)
      isHeld.resolve()
      await release.promise
    })
    await isHeld.promise
    const working = work()
    // On SQLite it always waits.
    await Promise.race([working, waitForLockWaiter(shop.store)])
    release.resolve()
    await Promise.all([holding, working])
  }

  const contextOf = (db: Db) => ({ db, now: shop.now }) as Context
  const fanOut = (db: Db) =>
    createDeliveries(
      (work) => work(db),
      db,
      () => shop.now,
    )
  const stop = async () => {
    await setActive(false)
    await round()
  }
  const assertEnded = async (count: number) => {
    await round()
    assert.deepEqual(await statuses(), Array(count).fill('failed'))
    await setActive(true)
    await round()
    assert.deepEqual(received(), [])
  }

  describe('a webhook that is deactivated', () => {
    test('ends the deliveries of events that are being created', async () => {
      await addProduct(admin)
      await during(fanOut, stop)
      await assertEnded(1)
    })

    test('ends a test that is being created', async () => {
      await during((db) => testWebhook(contextOf(db), webhookId), stop)
      await assertEnded(1)
    })

    test('ends a delivery that is being retried', async () => {
      const { id: deliveryId } = await failOnce()
      await stop()
      await setActive(true)
      await during((db) => retryDelivery(contextOf(db), { webhookId, deliveryId }), stop)
      await assertEnded(1)
    })

    test('ends deliveries that a process with a later clock has created', async () => {
      shop.now += minuteMs
      await failOnce()
      shop.now -= minuteMs
      await stop()
      shop.now += minuteMs
      await assertEnded(1)
    })
  })

  test('a webhook that is disabled ends the deliveries of events that are being created', async () => {
    const arrived = Promise.withResolvers<() => void>()
    receiver.respond = (response) => arrived.resolve(() => void response.writeHead(410).end())
    await post('tests')
    await shop.webhookDispatcher.round()
    const answer = await arrived.promise
    await addProduct(admin)
    await during(fanOut, async () => {
      answer()
      await shop.webhookDispatcher.settled()
      await round()
    })
    receivedBefore = receiver.received.length
    await assertEnded(2)
  })

  test('a webhook is not disabled by 410 from its former URL', async () => {
    const arrived = Promise.withResolvers<() => void>()
    receiver.respond = (response) => arrived.resolve(() => void response.writeHead(410).end())
    await post('tests')
    await shop.webhookDispatcher.round()
    const answer = await arrived.promise
    const body = { url: `${receiver.url}/moved` }
    const { json } = await admin.request('PATCH', `/webhooks/${webhookId}`, body)
    answer()
    await shop.webhookDispatcher.settled()
    assert.deepEqual(await statuses(), ['failed'])
    const read = await admin.request('GET', `/webhooks/${webhookId}`)
    assert.deepEqual([read.json.url, read.json.active], [json.url, true])
  })

  describe('a webhook that is activated again', () => {
    test('sends no former delivery, however many there are', async () => {
      await insertBacklog(250)
      await setActive(false)
      await setActive(true)
      for (let rounds = 0; rounds < 4; rounds += 1) await round()
      const rows = await shop.db
        .selectFrom('webhook_deliveries')
        .select(['status', 'attempts'])
        .distinct()
        .where('webhook_id', '=', webhookId)
        .execute()
      assert.deepEqual(rows, [{ status: 'failed', attempts: '[]' }])
    })

    test('sends tests and retries at once', async () => {
      const { id, event_id } = await failOnce()
      await setActive(false)
      await setActive(true)
      await post(`deliveries/${id}/retries`)
      const sent = await post('tests')
      await round()
      assert.deepEqual(received().sort(), [event_id, sent.event_id].sort())
      assert.deepEqual(await statuses(), ['delivered', 'delivered'])
    })

    test('sends a delivery that is retried while its earlier activation ends', async () => {
      const { id: deliveryId, event_id } = await failOnce()
      await setActive(false)
      await setActive(true)
      await during((db) => retryDelivery(contextOf(db), { webhookId, deliveryId }), round)
      await round()
      assert.deepEqual(received(), [event_id])
      assert.deepEqual(await statuses(), ['delivered'])
    })
  })

  test('tests and retries are sent before a backlog', async () => {
    const { id, event_id } = await failOnce()
    await insertBacklog(30)
    await post(`deliveries/${id}/retries`)
    const sent = await post('tests')
    await round()
    assert.deepEqual(received().sort(), [event_id, sent.event_id].sort())
  })
})
