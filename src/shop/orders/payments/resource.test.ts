import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { storedPayment } from '#test/support/payments/stored-payment.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let buyer: TestCaller
  before(async () => {
    shop = await startPayingApp(kind)
    buyer = await shop.signInAs('customer')
  })
  after(() => shop.dispose())

  const place = async () => {
    const { id: product_id } = await shop.addProduct({ stock: 5 })
    const items = [{ product_id, quantity: 1 }]
    const body = { items, shipping: testShipping }
    const { json } = await buyer.request('POST', `/users/${buyer.id}/orders`, body)
    return json.id as number
  }
  const at = (orderId: number) => `/users/${buyer.id}/orders/${orderId}/payment`
  const pay = (orderId: number, token: string, more: object = {}) =>
    buyer.request('POST', at(orderId), { method: 'card', token, ...more })
  const statusOf = async (orderId: number) =>
    (await buyer.request('GET', `/orders/${orderId}`)).json.status
  const paymentsOf = async (orderId: number): Promise<string[]> =>
    (await buyer.request('GET', at(orderId))).json.data.map(
      ({ status }: { status: string }) => status,
    )

  test('a success pays the order and answers 201 with the Location of the payment', async () => {
    const order = await place()
    const paid = await pay(order, 'tok_visa', { amount: 24.99 })
    assert.equal(paid.status, 201, paid.text)
    assert.equal(paid.json.status, 'succeeded')
    assert.equal(paid.json.amount, 24.99)
    assert.equal(paid.headers['cache-control'], 'no-store')
    const read = await buyer.request('GET', String(paid.headers['location']))
    assert.deepEqual(read.json, paid.json)
    assert.equal(await statusOf(order), 'paid')
    const purchases = await buyer.request('GET', `/purchases?order_id=${order}`)
    assert.equal(purchases.json.pagination.total_items, 1)
  })
  test('a payment takes a constant number of statements', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const order = await place()
      shop.takeCount()
      assert.equal((await pay(order, 'tok_visa')).status, 201)
      // The credential; the order, its next revision and the payment; the outcome, the items that are
      // unpaid no longer, and two events.
      // On PostgreSQL, a batch of writes is one statement.
      assert.equal(shop.takeCount(), kind === 'postgres' ? 4 : 10)
    }
  })
  test('a decline answers 422, and another card may be tried', async () => {
    const order = await place()
    const declined = await pay(order, 'tok_declined')
    assert.equal(declined.json.error_code, '4223')
    assert.equal(await statusOf(order), 'pending')
    assert.equal((await pay(order, 'tok_visa')).status, 201)
    assert.deepEqual(await paymentsOf(order), ['failed', 'succeeded'])
    const { json } = await buyer.request('GET', at(order))
    const failures = json.data.map(({ failure }: { failure: string | null }) => failure)
    assert.deepEqual(failures, ['card declined', null])
  })
  test('the payment of a removed order has no link to it', async () => {
    const order = await place()
    await pay(order, 'tok_declined')
    const [{ _links }] = (await buyer.request('GET', at(order))).json.data
    const before = await buyer.request('GET', _links.self.href)
    assert.equal(before.json._links.order.href, `/orders/${order}`)
    const removed = await buyer.request('DELETE', `/users/${buyer.id}/orders/${order}`)
    assert.equal(removed.status, 204)
    const etag = String(before.headers['etag'])
    const after = await buyer.request('GET', _links.self.href, undefined, { 'if-none-match': etag })
    assert.deepEqual([after.status, after.json._links.order], [200, undefined])
  })
  test('a paid order cannot be paid again', async () => {
    const order = await place()
    await pay(order, 'tok_visa')
    assert.equal((await pay(order, 'tok_visa')).json.error_code, '4091')
    assert.equal(await shop.countCharges(order), 1)
  })
  test('an amount other than the total is rejected', async () => {
    assert.equal((await pay(await place(), 'tok_visa', { amount: 1 })).json.error_code, '4221')
  })

  describe('a provider that answers later', () => {
    test('answers 202, and its notification pays the order', async () => {
      const order = await place()
      const later = await pay(order, 'tok_later')
      assert.equal(later.status, 202)
      assert.equal(later.json.status, 'pending')
      assert.equal((await pay(order, 'tok_visa')).json.error_code, '4091')
      await pollUntil(
        () => statusOf(order),
        (status) => status === 'paid',
      )
      assert.deepEqual(await paymentsOf(order), ['succeeded'])
    })
    test('and declines leaves the order unpaid', async () => {
      const order = await place()
      assert.equal((await pay(order, 'tok_later_declined')).status, 202)
      await pollUntil(
        () => paymentsOf(order),
        ([status]) => status === 'failed',
      )
      assert.equal((await pay(order, 'tok_visa')).status, 201)
    })
    test('and repeats and reorders notifications pays once', async () => {
      const order = await place()
      assert.equal((await pay(order, 'tok_twice')).status, 202)
      await pollUntil(
        () => statusOf(order),
        (status) => status === 'paid',
      )
      await new Promise((resolve) => setTimeout(resolve, 300))
      assert.equal(await statusOf(order), 'paid')
      const purchases = await buyer.request('GET', `/purchases?order_id=${order}`)
      assert.equal(purchases.json.pagination.total_items, 1)
    })
  })

  describe('a provider that fails', () => {
    for (const [token, status] of [
      ['tok_garbage', 502],
      ['tok_down', 503],
      ['tok_timeout', 504],
    ] as const) {
      test(`by ${token} answers ${status}, charges nothing, and the order can be paid`, async () => {
        const order = await place()
        const answer = await pay(order, token)
        assert.equal(answer.status, status, answer.text)
        assert.equal(answer.headers['retry-after'], status === 503 ? '1' : undefined)
        assert.equal(await statusOf(order), 'pending')
        assert.equal(await shop.countCharges(order), 0)
        assert.equal((await pay(order, 'tok_visa')).status, 201)
        assert.equal(await shop.countCharges(order), 1)
      })
    }
    for (const token of [
      'tok_charged_then_timeout',
      'tok_charged_then_garbage',
      'tok_charged_then_down',
    ]) {
      test(`after it has charged, by ${token}, leaves the order paid once`, async () => {
        const order = await place()
        const answer = await pay(order, token)
        assert.equal(answer.status, 201, answer.text)
        assert.equal(await statusOf(order), 'paid')
        assert.equal(await shop.countCharges(order), 1)
      })
    }
  })

  describe('a payment that its process left open', () => {
    const abandon = async (token: string | undefined) => {
      const order = await place()
      const row = await shop.db
        .insertInto('payments')
        .values({
          order_id: order,
          idempotency_key: `order-${order}-left`,
          method: 'card',
          amount: 2499,
          currency: 'USD',
          status: 'pending',
          provider: 'sandbox',
          provider_reference: null,
          failure: null,
          due_at: shop.now,
          created_at: shop.now,
          updated_at: shop.now,
        })
        .returning('idempotency_key')
        .executeTakeFirstOrThrow()
      const { provider, callbackUrl } = shop.parts
      if (token !== undefined) {
        const payment = storedPayment({
          key: row.idempotency_key,
          amountMinor: 2499,
          orderId: order,
        })
        await provider.start({ ...payment, token, callbackUrl })
      }
      return order
    }
    test('before the provider was called ends without a charge', async () => {
      const order = await abandon(undefined)
      await runJobs(shop.parts, shop.db)
      assert.deepEqual(await paymentsOf(order), ['failed'])
      assert.equal((await pay(order, 'tok_visa')).status, 201)
      assert.equal(await shop.countCharges(order), 1)
    })
    test('after the provider had charged ends with a paid order', async () => {
      const order = await abandon('tok_visa')
      await Promise.all([runJobs(shop.parts, shop.db), runJobs(shop.parts, shop.db)])
      assert.equal(await statusOf(order), 'paid')
      assert.equal(await shop.countCharges(order), 1)
    })
    test('is settled before its order can expire', async () => {
      const order = await abandon('tok_visa')
      const then = shop.now
      shop.now = then + 31 * minuteMs
      await runJobs(shop.parts, shop.db)
      shop.now = then
      assert.equal(await statusOf(order), 'paid')
    })
  })

  test('a notification without a valid signature is rejected', async () => {
    const forged = await shop.request('POST', '/payment-notifications', { key: 'x' })
    assert.equal(forged.json.error_code, '4001')
  })
  test('the payments of another user cannot be read', async () => {
    const order = await place()
    const { json } = await pay(order, 'tok_visa')
    const other = await shop.signInAs('customer')
    assert.equal((await other.request('GET', at(order))).status, 403)
    assert.equal((await other.request('GET', `/payments/${json.id}`)).status, 403)
    assert.equal((await shop.request('GET', `/payments/${json.id}`)).status, 401)
    const own = `/users/${other.id}/orders/${order}/payment`
    const body = { method: 'card', token: 'tok_visa' }
    assert.equal((await other.request('POST', own, body)).status, 404)
  })
})
