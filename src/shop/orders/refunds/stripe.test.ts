import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { type StripeApp, startStripeApp } from '#test/support/callers/paying-stripe.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { minuteMs } from '#values/instant.ts'

const refundsPath = /\/v1\/refunds$/

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
    afterEach(() => shop.double.events.idle())
    after(async () => {
      try {
        await reconcile(shop.db)
      } finally {
        await shop.dispose()
      }
    })

    /** A paid order of two pieces at 20, and its payment at Stripe. */
    const sell = async () => {
      const { id: product_id } = await addProduct(admin, { stock: 5, price: 20 })
      const body = { items: [{ product_id, quantity: 2 }], shipping: { method: 'pickup' } }
      const placed = await buyer.request('POST', `/users/${buyer.id}/orders`, body)
      const order = placed.json.id as number
      const card = { method: 'card', token: 'pm_card_visa' }
      const paid = await buyer.request('POST', `/users/${buyer.id}/orders/${order}/payment`, card)
      assert.equal(paid.status, 201, paid.text)
      return { order, intent: paid.json.provider_reference as string }
    }
    const refund = (order: number, body: object = {}) =>
      admin.request('POST', `/orders/${order}/refunds`, body)
    const readOrder = async (order: number) => (await admin.request('GET', `/orders/${order}`)).json
    const refundsOf = async (order: number) =>
      (await admin.request('GET', `/orders/${order}/refunds`)).json.data
    const returnedBy = (intent: string): number =>
      shop.double.refunds
        .all()
        .filter((each) => each.payment_intent === intent && each.status !== 'failed')
        .reduce((sum, { amount }) => sum + amount, 0)
    const runJobsLater = async () => {
      const then = shop.now
      for (const minutes of [1, 2, 3]) {
        shop.now = then + minutes * minuteMs
        await runJobs(shop.parts, shop.db)
      }
      shop.now = then
    }

    test('a part is returned by Stripe, and the rest cancels the order', async () => {
      const { order, intent } = await sell()
      const part = await refund(order, { amount: 15 })
      assert.deepEqual([part.status, part.json.status], [201, 'succeeded'], part.text)
      assert.equal(returnedBy(intent), 1500)
      assert.deepEqual([(await readOrder(order)).status, part.json.amount], ['paid', 15])
      assert.equal((await refund(order)).json.amount, 25)
      assert.equal((await readOrder(order)).status, 'cancelled')
      assert.equal(returnedBy(intent), 4000)
    })

    test('two partial refunds that race return no more than was paid', async () => {
      const { order, intent } = await sell()
      const answers = await Promise.all([1, 2, 3].map(() => refund(order, { amount: 30 })))
      const made = answers.filter(({ status }) => status === 201 || status === 202)
      assert.equal(made.length, 1, answers.map(({ text }) => text).join())
      await runJobsLater()
      assert.equal(returnedBy(intent), 3000)
      assert.equal((await readOrder(order)).refunded_total, 30)
    })

    test('a refund that races with a cancellation returns everything once', async () => {
      const { order, intent } = await sell()
      const cancel = () => admin.request('PATCH', `/orders/${order}`, { status: 'cancelled' })
      await Promise.all([refund(order, { amount: 10 }), cancel()])
      await runJobsLater()
      await cancel()
      await runJobsLater()
      assert.equal((await readOrder(order)).status, 'cancelled')
      assert.equal(returnedBy(intent), 4000)
    })

    for (const fault of [
      'silence-before',
      'silence-after',
      'error-before',
      'error-after',
    ] as const) {
      test(`a refund with ${fault} is made once in the end`, async () => {
        const { order, intent } = await sell()
        shop.double.fail('POST', refundsPath, fault)
        const { status, json, text } = await refund(order, { amount: 5 })
        assert.ok(status === 201 || status === 202, text)
        await runJobsLater()
        const { json: settled } = await admin.request('GET', `/orders/${order}/refunds/${json.id}`)
        assert.equal(settled.status, 'succeeded')
        assert.equal(returnedBy(intent), 500)
        assert.equal((await readOrder(order)).refunded_total, 5)
      })
    }

    test('a refund that Stripe has not decided is pending, and fails if Stripe says so', async () => {
      const { order, intent } = await sell()
      shop.double.refunds.nextStatus = 'pending'
      const { status, json } = await refund(order, { amount: 5 })
      shop.double.refunds.nextStatus = 'succeeded'
      assert.deepEqual([status, json.status], [202, 'pending'])
      const made = shop.double.refunds.all().findLast((each) => each.payment_intent === intent)
      shop.double.refunds.decide(made?.id ?? '', 'failed')
      await pollUntil(
        () => refundsOf(order),
        ([found]) => found.status === 'failed',
      )
      assert.equal((await refund(order)).json.amount, 40)
    })

    test('a refund in the dashboard of Stripe is listed without a reason', async () => {
      const { order, intent } = await sell()
      await refund(order, { amount: 5, reason: 'A scratch' })
      shop.double.refundInDashboard(intent, 700)
      const refunds = await pollUntil(
        () => refundsOf(order),
        (found) => found.length === 2,
      )
      const reasonOf = (amount: number) =>
        refunds.find((each: { readonly amount: number }) => each.amount === amount)?.reason
      assert.deepEqual([reasonOf(5), reasonOf(7)], ['A scratch', null])
      assert.equal((await readOrder(order)).refunded_total, 12)
      assert.equal((await refund(order)).json.amount, 28)
      assert.equal(returnedBy(intent), 4000)
    })
  },
  ['sqlite', 'postgres'],
)
