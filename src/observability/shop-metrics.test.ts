import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, startedAt, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { parseMetrics, type Samples } from '#test/support/metrics.ts'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { startWebhookReceiver } from '#test/support/services/doubles/webhook-receiver.ts'
import { minuteMs, secondMs } from '#values/instant.ts'
import { measureBacklog } from './shop-metrics.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let buyer: TestCaller
  before(async () => {
    shop = await startPayingApp(kind)
    admin = await shop.signInAs('admin')
    buyer = await shop.signInAs('customer', { email: 'ada@example.com' })
  })
  after(() => shop.dispose())

  const scrape = async () => parseMetrics((await shop.request('GET', '/metrics')).text)
  /** Returns by how much each series has grown during the work. */
  async function growth(work: () => Promise<unknown>): Promise<Samples> {
    const first = await scrape()
    await work()
    const grown = [...(await scrape())].map(
      ([series, value]) => [series, value - (first.get(series) ?? 0)] as const,
    )
    return new Map(grown.filter(([, by]) => by !== 0))
  }
  async function place(): Promise<number> {
    const { id: product_id } = await shop.addProduct({ price: 10, stock: 5 })
    const body = { items: [{ product_id, quantity: 2 }], shipping: testShipping }
    const { status, json, text } = await buyer.request('POST', '/orders', body)
    assert.equal(status, 201, text)
    return json.id
  }
  const pay = (id: number, token: string) =>
    buyer.request('POST', `/users/${buyer.id}/orders/${id}/payment`, { method: 'card', token })

  describe('the metrics of the shop', () => {
    test('count orders by change, payments by outcome, and the money taken and returned', async () => {
      const orderId = await place()
      const paid = await growth(async () => {
        assert.equal((await pay(orderId, 'tok_declined')).status, 422)
        assert.equal((await pay(orderId, 'tok_visa')).status, 201)
      })
      assert.equal(paid.get('shop_events_total{type="payment.failed"}'), 1)
      assert.equal(paid.get('shop_events_total{type="payment.succeeded"}'), 1)
      assert.equal(paid.get('shop_events_total{type="order.paid"}'), 1)
      // Two pieces for 10 and standard shipping for 5.
      assert.equal(paid.get('shop_revenue_minor_total{currency="USD"}'), 2500)
      const returned = await growth(async () => {
        const path = `/orders/${orderId}/refunds`
        assert.equal((await admin.request('POST', path, { amount: 7.5 })).status, 201)
        assert.equal((await admin.request('POST', path, {})).status, 201)
      })
      assert.equal(returned.get('shop_refunded_minor_total{currency="USD"}'), 2500)
      assert.equal(returned.get('shop_events_total{type="payment.refunded"}'), 2)
      assert.equal(returned.get('shop_events_total{type="order.cancelled"}'), 1)
      assert.equal(returned.get('shop_revenue_minor_total{currency="USD"}'), undefined)
    })

    test('do not count what is rolled back', async () => {
      const { id: product_id } = await shop.addProduct({ stock: 1 })
      const items = [{ product_id, quantity: 1 }]
      const grown = await growth(async () => {
        const answers = await Promise.all(
          [1, 2, 3].map(() => buyer.request('POST', '/orders', { items, shipping: testShipping })),
        )
        assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
      })
      assert.equal(grown.get('shop_events_total{type="order.created"}'), 1)
    })

    test('show how long an event, a delivery and a mail have waited', async () => {
      await runJobs(shop.parts, shop.db)
      const receiver = await startWebhookReceiver()
      receiver.respond = (response) => response.writeHead(500).end()
      const hook = { url: `${receiver.url}/hook`, types: ['order.*'] }
      const { status, json } = await admin.request('POST', '/webhooks', hook)
      assert.equal(status, 201)
      const idle = await scrape()
      assert.equal(idle.get('outbox_oldest_event_age_seconds'), 0)
      assert.equal(idle.get('webhook_oldest_delivery_age_seconds'), 0)
      await place()
      shop.now += minuteMs
      assert.equal((await scrape()).get('outbox_oldest_event_age_seconds'), 60)
      await shop.webhookDispatcher.round()
      await shop.webhookDispatcher.settled()
      shop.now += minuteMs
      await admin.request('POST', `/webhooks/${json.id}/tests`)
      const busy = await scrape()
      assert.equal(busy.get('outbox_oldest_event_age_seconds'), 0)
      assert.equal(busy.get('webhook_oldest_delivery_age_seconds'), 60)
      // The next attempt was due after 5 s, give or take a tenth.
      assert.ok(Math.abs((busy.get('webhook_overdue_seconds') ?? 0) - 55) <= 0.5)
      assert.equal(busy.get('webhooks_failing'), 1)
      await shop.db
        .insertInto('mails')
        .values([1, 2].map((at) => waitingMail(`key-${at}`, buyer.id)))
        .execute()
      assert.equal((await scrape()).get('mails_waiting'), (busy.get('mails_waiting') ?? 0) + 2)
      await receiver.close()
    })

    test('show the use of the connections on PostgreSQL only', async () => {
      const samples = await scrape()
      const isPostgres = kind === 'postgres'
      assert.equal(samples.get('store_pool_connections'), isPostgres ? 10 : undefined)
      assert.equal(samples.has('store_pool_busy_connections'), isPostgres)
    })

    test('show when each job last succeeded', async () => {
      shop.observeJob('payments')
      const samples = await scrape()
      const series = 'job_last_success_timestamp_seconds{name="payments"}'
      assert.equal(samples.get(series), shop.now / secondMs)
    })
  })

  test('a scrape succeeds without what the database would say while it is away', async () => {
    const { store, dispose } = await openTemporaryStore(kind)
    const registry = new Registry()
    measureBacklog(registry, { db: store.db, clock: () => startedAt })
    assert.equal(parseMetrics(await registry.metrics()).get('store_reachable'), 1)
    await store.close()
    const samples = parseMetrics(await registry.metrics())
    assert.deepEqual([...samples], [['store_reachable', 0]])
    await dispose()
  })
})

const waitingMail = (mail_key: string, user_id: number) => ({
  ...{ mail_key, user_id, kind: 'email_confirmation' as const },
  ...{ due_at: startedAt, created_at: startedAt },
})
