import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { addProduct, testShipping } from '#test/support/callers/paying.ts'
import { type StripeApp, startStripeApp } from '#test/support/callers/paying-stripe.ts'
import type { FaultKind } from '#test/support/payments/stripe/double.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { minuteMs } from '#values/instant.ts'

const confirmPath = /\/confirm$/

eachDatabase(
  (kind) => {
    let shop: StripeApp
    let buyer: TestCaller
    let admin: TestCaller
    before(async () => {
      shop = await startStripeApp(kind)
      buyer = await shop.signInAs('customer')
      admin = await shop.signInAs('admin')
    })
    afterEach(async () => {
      shop.double.events.delivery = 'once'
      shop.double.watch = () => undefined
      await shop.double.events.idle()
    })
    after(async () => {
      try {
        await reconcile(shop.db)
      } finally {
        await shop.dispose()
      }
    })

    const place = async (price = 19.99): Promise<number> => {
      const { id: product_id } = await addProduct(admin, { stock: 5, price })
      const body = { items: [{ product_id, quantity: 1 }], shipping: testShipping }
      const { json } = await buyer.request('POST', `/users/${buyer.id}/orders`, body)
      return json.id
    }
    const at = (order: number) => `/users/${buyer.id}/orders/${order}/payment`
    const pay = (order: number, token = 'pm_card_visa', more: object = {}) =>
      buyer.request('POST', at(order), { method: 'card', token, ...more })
    const readOrder = async (order: number) => (await buyer.request('GET', `/orders/${order}`)).json
    const paymentsOf = async (order: number) => (await buyer.request('GET', at(order))).json.data
    const untilOrder = (order: number, status: string) =>
      pollUntil(
        () => readOrder(order),
        (found) => found.status === status,
      )
    const intentsOf = (order: number) =>
      shop.double.intents.all().filter(({ metadata }) => metadata['order_id'] === String(order))
    /** What was taken for an order and not returned, in Stripe's units. */
    const takenFor = (order: number) => {
      const ids = new Set(intentsOf(order).map(({ id }) => id))
      const charged = shop.double.intents.charges().filter(({ intentId }) => ids.has(intentId))
      const returned = shop.double.refunds.all().filter((each) => ids.has(each.payment_intent))
      const sum = (amounts: readonly { readonly amount: number }[]) =>
        amounts.reduce((total, { amount }) => total + amount, 0)
      return { count: charged.length, left: sum(charged) - sum(returned) }
    }
    const intentIdOf = (order: number): string => intentsOf(order).at(-1)?.id ?? assert.fail()
    const later = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
      const then = shop.now
      shop.now = then + ms
      try {
        return await work()
      } finally {
        shop.now = then
      }
    }
    const runJobsLater = (ms = minuteMs) => later(ms, () => runJobs(shop.parts, shop.db))
    const totalOf = async (order: number) => Math.round((await readOrder(order)).total * 100)

    test('a card pays an order, and Stripe knows the order by its ID', async () => {
      const order = await place()
      const { status, json } = await pay(order)
      assert.equal(status, 201, JSON.stringify(json))
      assert.deepEqual([json.status, json.provider], ['succeeded', 'stripe'])
      assert.equal(json.provider_reference, intentIdOf(order))
      assert.equal((await readOrder(order)).status, 'paid')
      assert.deepEqual(takenFor(order), { count: 1, left: await totalOf(order) })
    })

    test('the intent is stored before it is confirmed', async () => {
      const order = await place()
      let stored: string | null | undefined
      shop.double.watch = async (moment, { path }) => {
        if (moment !== 'before' || !confirmPath.test(path)) return
        const payment = shop.db.selectFrom('payments').select('provider_reference')
        const row = await payment.where('order_id', '=', order).executeTakeFirst()
        stored = row?.provider_reference
      }
      assert.equal((await pay(order)).status, 201)
      assert.equal(stored, intentIdOf(order))
    })

    test('a declined card answers 422, and another one may be tried', async () => {
      const order = await place()
      const declined = await pay(order, 'pm_card_chargeDeclinedInsufficientFunds')
      assert.equal(declined.json.error_code, '4223', declined.text)
      assert.match(declined.text, /insufficient_funds/)
      assert.equal((await pay(order, 'pm_nobody')).json.error_code, '4223')
      assert.equal((await pay(order, 'tok_visa')).json.error_code, '4223')
      assert.equal((await pay(order)).status, 201)
      assert.equal(takenFor(order).count, 1)
    })

    test('an amount below the minimum of Stripe answers 422, naming the amount', async () => {
      const { id: product_id } = await addProduct(admin, { price: 0.4 })
      const body = { items: [{ product_id, quantity: 1 }], shipping: { method: 'pickup' } }
      const { json } = await buyer.request('POST', `/users/${buyer.id}/orders`, body)
      const answer = await pay(json.id)
      assert.equal(answer.json.error_code, '4221', answer.text)
      assert.equal(answer.json.errors[0].field, 'amount')
      assert.deepEqual(
        (await paymentsOf(json.id)).map(({ status }: { status: string }) => status),
        ['failed'],
      )
    })

    for (const [how, more, type] of [
      ['on a page', { return_url: 'http://localhost:3000/thanks?cart=7' }, 'redirect'],
      ['in the script of Stripe', {}, 'provider'],
    ] as const) {
      test(`3-D Secure ${how} pays the order, also when the browser never returns`, async () => {
        const order = await place()
        const answer = await pay(order, 'pm_card_authenticationRequired', more)
        assert.equal(answer.status, 202, answer.text)
        const { next_action, status, _links } = answer.json
        assert.deepEqual([status, next_action.type], ['action_required', type])
        assert.equal(_links.continue === undefined, false)
        if (type === 'provider') assert.match(next_action.client_secret, /^pi_\w+_secret_\w+$/)
        else {
          const confirm = shop.double.requests.findLast(({ path }) => confirmPath.test(path))
          const expected = `http://localhost:3000/thanks?cart=7&payment_id=${answer.json.id}`
          assert.equal(confirm?.parameters['return_url'], expected)
        }
        shop.double.intents.decide(intentIdOf(order), 'succeed')
        await untilOrder(order, 'paid')
        assert.equal(takenFor(order).count, 1)
      })
    }

    test('3-D Secure that fails ends the payment, and another card may be tried', async () => {
      const order = await place()
      await pay(order, 'pm_card_authenticationRequired')
      shop.double.intents.decide(intentIdOf(order), 'fail')
      await pollUntil(
        () => paymentsOf(order),
        ([payment]) => payment.status === 'failed',
      )
      assert.equal((await pay(order)).status, 201)
      assert.equal(takenFor(order).count, 1)
    })

    test('an order is cancelled at Stripe first, and one not acted on expires', async () => {
      const cancelled = await place()
      await pay(cancelled, 'pm_card_authenticationRequired')
      const path = `/users/${buyer.id}/orders/${cancelled}`
      const answer = await buyer.request('PATCH', path, { status: 'cancelled' })
      assert.equal(answer.json.status, 'cancelled', answer.text)
      assert.equal(intentsOf(cancelled)[0]?.status, 'canceled')
      const expired = await place()
      await pay(expired, 'pm_card_authenticationRequired')
      await runJobsLater(31 * minuteMs)
      await runJobsLater(32 * minuteMs)
      assert.equal((await readOrder(expired)).status, 'cancelled')
      assert.equal(intentsOf(expired)[0]?.status, 'canceled')
    })

    // What the response says, and whether the money was taken.
    const confirmFaults: [fault: FaultKind, status: number, isPaid: boolean][] = [
      ['silence-before', 504, false],
      ['silence-after', 201, true],
      ['error-before', 502, false],
      ['error-after', 201, true],
      ['rate-limit', 503, false],
      ['locked', 503, false],
    ]
    for (const [fault, status, isPaid] of confirmFaults) {
      test(`a confirmation with ${fault} takes money at most once`, async () => {
        const order = await place()
        shop.double.fail('POST', confirmPath, fault)
        const answer = await pay(order)
        assert.equal(answer.status, status, answer.text)
        assert.equal((await readOrder(order)).status, isPaid ? 'paid' : 'pending')
        if (!isPaid) assert.equal((await pay(order)).status, 201)
        assert.deepEqual(takenFor(order), { count: 1, left: await totalOf(order) })
      })
    }

    for (const fault of [
      'silence-before',
      'silence-after',
      'error-before',
      'error-after',
    ] as const) {
      test(`a creation with ${fault} takes no money, and the buyer may try again`, async () => {
        const order = await place()
        shop.double.fail('POST', /\/payment_intents$/, fault)
        assert.equal((await pay(order)).status, fault.startsWith('silence') ? 504 : 502)
        assert.deepEqual(takenFor(order), { count: 0, left: 0 })
        assert.equal((await pay(order)).status, 201)
        assert.deepEqual(takenFor(order), { count: 1, left: await totalOf(order) })
      })
    }

    test('a confirmation in doubt is settled by the job when Stripe answers again', async () => {
      const order = await place()
      shop.double.fail('POST', confirmPath, 'silence-after')
      shop.double.fail('GET', /payment_intents/, 'rate-limit', 1)
      shop.double.events.delivery = 'none'
      assert.equal((await pay(order)).status, 504)
      assert.equal((await readOrder(order)).status, 'pending')
      assert.equal((await pay(order)).json.error_code, '4091')
      await runJobsLater()
      assert.equal((await readOrder(order)).status, 'paid')
      assert.equal(takenFor(order).count, 1)
    })

    for (const delivery of ['twice', 'early', 'reversed'] as const) {
      test(`events that arrive ${delivery} lead to the same end`, async () => {
        shop.double.events.delivery = delivery
        const order = await place()
        assert.equal((await pay(order)).status, 201)
        const acted = await place()
        await pay(acted, 'pm_card_authenticationRequired')
        shop.double.intents.decide(intentIdOf(acted), 'succeed')
        const failed = await place()
        await pay(failed, 'pm_card_authenticationRequired')
        shop.double.intents.decide(intentIdOf(failed), 'fail')
        if (delivery === 'reversed') await shop.double.events.flush()
        if (delivery === 'early') await shop.double.events.beforeAnswer()
        await shop.double.events.idle()
        assert.equal((await readOrder(order)).status, 'paid')
        await untilOrder(acted, 'paid')
        assert.equal((await paymentsOf(failed))[0].status, 'failed')
        for (const each of [order, acted]) assert.equal(takenFor(each).count, 1)
        assert.equal(takenFor(failed).count, 0)
      })
    }

    test('an event with a wrong or an old signature answers 400 and changes nothing', async () => {
      const order = await place()
      shop.double.events.delivery = 'none'
      await pay(order, 'pm_card_authenticationRequired')
      shop.double.intents.decide(intentIdOf(order), 'succeed')
      const event = shop.double.events.all().at(-1)
      const payload = JSON.stringify(event)
      const { sign } = shop.double.events
      const send = (signature: string) =>
        fetch(shop.callbackUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'stripe-signature': signature },
          body: payload,
        })
      for (const signature of [
        't=1,v1=0',
        sign(payload, 'whsec_of_another'),
        sign(payload, undefined, shop.now - 301_000),
      ]) {
        const answer = await send(signature)
        const { error_code } = (await answer.json()) as { error_code: string }
        assert.deepEqual([answer.status, error_code], [400, '4001'])
        assert.equal((await readOrder(order)).status, 'pending')
      }
      assert.equal((await send(sign(payload))).status, 200)
      assert.equal((await readOrder(order)).status, 'paid')
    })

    test('a signed event about nothing of the shop is accepted and ignored', async () => {
      for (const object of [
        { object: 'payment_intent', id: 'pi_1', metadata: {} },
        { object: 'payment_intent', id: 'pi_1', metadata: { cartwright_payment: 'order-1-x' } },
        { object: 'payment_intent', id: 'pi_1', metadata: { cartwright_payment: 'order-1-\0' } },
        { object: 'charge', payment_intent: 'pi_unknown' },
        { object: 'payout' },
      ]) {
        const payload = JSON.stringify({ object: 'event', type: 'x', data: { object } })
        const signature = shop.double.events.sign(payload)
        const answer = await fetch(shop.callbackUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'stripe-signature': signature },
          body: payload,
        })
        assert.equal(answer.status, 200, payload)
      }
    })

    test('a refund in the dashboard of Stripe arrives, and a whole one cancels the order', async () => {
      const order = await place()
      await pay(order)
      const total = await totalOf(order)
      shop.double.refundInDashboard(intentIdOf(order), 500)
      const refundedOf = async () => {
        const payment = shop.db.selectFrom('payments').select('refunded')
        return (await payment.where('order_id', '=', order).executeTakeFirstOrThrow()).refunded
      }
      await pollUntil(refundedOf, (refunded) => refunded === 500)
      assert.equal((await readOrder(order)).status, 'paid')
      shop.double.refundInDashboard(intentIdOf(order), total - 500)
      await untilOrder(order, 'cancelled')
      assert.equal((await paymentsOf(order))[0].status, 'refunded')
      assert.deepEqual(takenFor(order), { count: 1, left: 0 })
    })

    for (const fault of [undefined, 'silence-after', 'error-before', 'error-after'] as const) {
      test(`a paid order is cancelled and its money returned once, with ${fault ?? 'no fault'}`, async () => {
        const order = await place()
        await pay(order)
        if (fault) shop.double.fail('POST', /\/refunds$/, fault)
        await admin.request('PATCH', `/orders/${order}`, { status: 'cancelled' })
        await runJobsLater()
        await runJobsLater(2 * minuteMs)
        assert.equal((await readOrder(order)).status, 'cancelled')
        assert.deepEqual(takenFor(order), { count: 1, left: 0 })
      })
    }
  },
  ['sqlite', 'postgres'],
)
