import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { startGuest, type TestGuest } from '#test/support/callers/guest.ts'
import { behindProxy, requestFrom } from '#test/support/callers/networks.ts'
import {
  addProduct,
  type PayingApp,
  startPayingApp,
  testShipping,
} from '#test/support/callers/paying.ts'
import { decide } from '#test/support/payments/decide.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  const stocks = new Map<number, number>()
  before(async () => {
    const unpaidOrders = { perUser: 20, stockShare: 0.25 }
    const composition = { httpsPolicy: behindProxy, unpaidOrders }
    shop = await startPayingApp(kind, 1000, { composition })
  })
  after(async () => {
    try {
      await runJobsNow()
      await reconcile(shop.db, stocks)
    } finally {
      await shop.dispose()
    }
  })

  const runJobsNow = () => runJobs(shop.parts, shop.db)
  let networks = 0
  const guestAt = (address = `198.51.100.${++networks}`): Promise<TestGuest> =>
    startGuest({ request: requestFrom(shop.request, address) })
  // Tokens do not last as long as these tests.
  const signIn = (): Promise<TestCaller> => shop.signInAs('admin')
  const addStock = async (stock: number): Promise<number> => {
    const { id } = await addProduct(await signIn(), { stock })
    stocks.set(id, stock)
    return id
  }
  const order = ({ request }: TestGuest, product_id: number, quantity: number, more = {}) =>
    request('POST', '/orders', {
      items: [{ product_id, quantity }],
      shipping: testShipping,
      ...more,
    })
  const place = async (...wanted: Parameters<typeof order>): Promise<number> => {
    const placed = await order(...wanted)
    assert.equal(placed.status, 201, placed.text)
    return placed.json.id
  }
  const pay = ({ id, request }: TestGuest, orderId: number, token: string) =>
    request('POST', `/users/${id}/orders/${orderId}/payment`, { method: 'card', token })
  /** An order of a new network, and its payment that waits for the buyer. */
  const challenge = async (product: number, quantity: number, more = {}) => {
    const guest = await guestAt()
    const id = await place(guest, product, quantity, more)
    const { json } = await pay(guest, id, 'tok_3ds')
    assert.equal(json.status, 'action_required')
    return { guest, id, payment: json.id as number, url: json.next_action.url as string }
  }
  const stateOf = async (id: number) => {
    const [row] = await shop.db.selectFrom('orders').selectAll().where('id', '=', id).execute()
    return `${row?.status} ${row?.cancel_reason}`
  }
  const paymentOf = async (id: number) => {
    const [row] = await shop.db.selectFrom('payments').selectAll().where('id', '=', id).execute()
    return `${row?.status} ${row?.failure}`
  }
  const chargeOf = (id: number) => new RegExp(`^/charges/order-${id}-`)
  const needed = 'cancelled stock_needed'

  describe('an order whose payment waits for the buyer', () => {
    test('yields after ten minutes, and its payment is cancelled at the provider first', async () => {
      const product = await addStock(20)
      const held = await challenge(product, 20)
      const buyer = await guestAt()
      shop.now += 10 * minuteMs - 1
      assert.equal((await order(buyer, product, 1)).json.error_code, '4093')
      const line = { product_id: product, quantity: 1 }
      assert.equal((await buyer.request('POST', '/cart', line)).json.error_code, '4093')
      assert.equal(await paymentOf(held.payment), 'action_required null')
      shop.now += 1
      assert.equal((await buyer.request('POST', '/cart', line)).status, 201)
      assert.equal(await paymentOf(held.payment), 'action_required null')
      await place(buyer, product, 1)
      assert.equal(await stateOf(held.id), needed)
      assert.equal(await paymentOf(held.payment), 'failed cancelled')
      assert.match(await (await fetch(held.url)).text(), /Payment cancelled/)
      assert.equal(await shop.countCharges(held.id), 0)
    })

    test('yields within the share of its network to nobody, nor where that would not do', async () => {
      const few = await addStock(5)
      const small = await challenge(few, 5)
      const product = await addStock(20)
      const large = await challenge(product, 20)
      shop.now += 10 * minuteMs
      assert.equal((await order(await guestAt(), few, 1)).json.error_code, '4093')
      assert.equal((await order(await guestAt(), product, 21)).json.error_code, '4093')
      for (const { payment } of [small, large]) {
        assert.equal(await paymentOf(payment), 'action_required null')
      }
    })

    test('yields to no order that is refused for another reason', async () => {
      const product = await addStock(20)
      const buyer = await guestAt()
      const own = await place(buyer, product, 1)
      const held = await challenge(product, 19)
      const body = { code: 'DEAR', kind: 'amount', value: 1, minimum_subtotal: 100_000_00 }
      assert.equal((await (await signIn()).request('POST', '/discounts', body)).status, 201)
      shop.now += 10 * minuteMs
      const abroad = { ...testShipping, method: 'balloon' }
      const refused = [
        { expected_total: 1 },
        { shipping: abroad },
        { discount_code: 'DEAR' },
        { discount_code: 'NO SUCH CODE' },
      ]
      for (const more of refused) {
        const { status, text } = await order(buyer, product, 3, more)
        assert.match(`${status}`, /^4(09|22)$/, text)
      }
      const items = [{ product_id: product, quantity: 3 }]
      const path = `/users/${buyer.id}/orders/${own}`
      const replace = (shipping: object) => buyer.request('PUT', path, { items, shipping })
      assert.equal((await replace(abroad)).status, 422)
      assert.equal(await paymentOf(held.payment), 'action_required null')
      assert.equal(await stateOf(held.id), 'pending null')
      const replaced = await replace(testShipping)
      assert.equal(replaced.status, 200, replaced.text)
      assert.equal(await stateOf(held.id), needed)
      assert.equal(await paymentOf(held.payment), 'failed cancelled')
    })

    test('gains no time by another attempt to pay', async () => {
      const product = await addStock(20)
      const hoarder = await guestAt()
      const held = await place(hoarder, product, 20)
      assert.equal((await pay(hoarder, held, 'tok_declined')).status, 422)
      shop.now += 10 * minuteMs
      assert.equal((await pay(hoarder, held, 'tok_3ds')).status, 202)
      await place(await guestAt(), product, 1)
      assert.equal(await stateOf(held), needed)
    })

    test('is paid, and stays, where the provider has the money already', async () => {
      const product = await addStock(20)
      const held = await challenge(product, 20)
      shop.now += 10 * minuteMs
      // The callback asks the provider, which does not answer.
      shop.exchange.lose('GET', chargeOf(held.id), 'before', 1)
      await decide(held.url, 'approve')
      assert.equal((await order(await guestAt(), product, 1)).json.error_code, '4093')
      assert.equal(await stateOf(held.id), 'paid null')
      assert.equal(await paymentOf(held.payment), 'succeeded null')
      assert.equal(await shop.countCharges(held.id), 1)
    })

    test('stays until the provider has confirmed; the job goes on', async () => {
      const product = await addStock(20)
      const held = await challenge(product, 20)
      shop.now += 10 * minuteMs
      shop.exchange.lose('DELETE', chargeOf(held.id), 'before')
      const buyer = await guestAt()
      assert.equal((await order(buyer, product, 1)).json.error_code, '4093')
      assert.equal(await paymentOf(held.payment), 'action_required null')
      // No other request asks the provider again.
      assert.equal((await order(buyer, product, 1)).json.error_code, '4093')
      assert.equal(await stateOf(held.id), 'pending null')
      shop.now += minuteMs
      await runJobsNow()
      assert.equal(await paymentOf(held.payment), 'failed cancelled')
      assert.equal(await stateOf(held.id), 'pending null')
      await place(buyer, product, 1)
      assert.equal(await stateOf(held.id), needed)
    })

    test('yields where the confirmation was lost', async () => {
      const product = await addStock(20)
      const held = await challenge(product, 20)
      shop.now += 10 * minuteMs
      shop.exchange.lose('DELETE', chargeOf(held.id), 'after')
      assert.equal((await order(await guestAt(), product, 1)).json.error_code, '4093')
      shop.now += minuteMs
      await runJobsNow()
      await place(await guestAt(), product, 1)
      assert.equal(await stateOf(held.id), needed)
      assert.equal(await shop.countCharges(held.id), 0)
    })

    test('yields its use of a discount, too', async () => {
      const code = 'WAITING'
      const body = { code, kind: 'amount', value: 1, usage_limit: 1 }
      assert.equal((await (await signIn()).request('POST', '/discounts', body)).status, 201)
      const product = await addStock(20)
      const held = await challenge(product, 1, { discount_code: code })
      const buyer = await guestAt()
      shop.now += 10 * minuteMs - 1
      assert.equal((await order(buyer, product, 1, { discount_code: code })).status, 409)
      shop.now += 1
      await place(buyer, product, 1, { discount_code: code })
      assert.equal(await stateOf(held.id), 'cancelled discount_needed')
      assert.equal(await paymentOf(held.payment), 'failed cancelled')
    })

    test('is sold or paid once, whatever happens at the same moment', async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        const product = await addStock(20)
        const held = await challenge(product, 20)
        shop.now += 10 * minuteMs
        const buyers = [await guestAt(), await guestAt()] as const
        const [, ...answers] = await Promise.all([
          decide(held.url, 'approve'),
          order(buyers[0], product, 12),
          order(buyers[1], product, 12),
          runJobsNow(),
        ])
        const sold = answers.filter(
          (answer) => answer && 'status' in answer && answer.status === 201,
        )
        const state = await pollUntil(
          () => stateOf(held.id),
          // A callback of the approval may still be on its way.
          (now) => now !== 'pending null' || sold.length > 0,
        )
        assert.equal(await shop.countCharges(held.id), state === 'paid null' ? 1 : 0)
        assert.equal(sold.length, state === needed ? 1 : 0, state)
      }
    })
  })

  test('an order whose payment waits for the provider never yields, and counts as unpaid', async () => {
    const product = await addStock(1000)
    const hoarder = await guestAt()
    const held = await place(hoarder, product, 900)
    // What it decides is not known.
    shop.exchange.lose('GET', chargeOf(held), 'before', 1000)
    assert.equal((await pay(hoarder, held, 'tok_later')).json.status, 'pending')
    shop.now += 10 * minuteMs
    assert.equal((await order(await guestAt(), product, 101)).json.error_code, '4093')
    assert.equal(await stateOf(held), 'pending null')
    for (let more = 1; more < 20; more += 1) await place(hoarder, product, 1)
    assert.equal((await order(hoarder, product, 1)).json.error_code, '4291')
    // The provider decides after a moment.
    await pollUntil(
      () => shop.countCharges(held),
      (charges) => charges === 1,
    )
    shop.now += 20 * minuteMs
    await runJobsNow()
    assert.equal(await shop.countCharges(held), 1)
    assert.equal(await stateOf(held), 'paid null')
  })
})
