import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { eventsOf } from '#test/support/events/event-feed.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { minuteMs } from '#values/instant.ts'

const stock = 10
let keys = 0
const newKey = () => ({ 'idempotency-key': `refund-${keys++}` })

eachDatabase((kind) => {
  let shop: PayingApp
  let buyer: TestCaller
  let admin: TestCaller
  const stocks = new Map<number, number>()
  before(async () => {
    shop = await startPayingApp(kind)
    buyer = await shop.signInAs('customer')
    admin = await shop.signInAs('admin')
  })
  after(async () => {
    try {
      await reconcile(shop.db, stocks)
    } finally {
      await shop.dispose()
    }
  })

  const addProduct = async (price = 19.99) => {
    const { id } = await shop.addProduct({ stock, price })
    stocks.set(id, stock)
    return id
  }
  /** An order of three pieces of one product and one of another, sent for 5.00, and paid. */
  const buy = async (more: object = {}) => {
    const products = [await addProduct(), await addProduct(1)] as const
    const items = products.map((product_id, at) => ({ product_id, quantity: at === 0 ? 3 : 1 }))
    const placed = await buyer.request('POST', `/users/${buyer.id}/orders`, {
      items,
      shipping: testShipping,
      ...more,
    })
    assert.equal(placed.status, 201, placed.text)
    const { id, total } = placed.json
    const { json: list } = await admin.request('GET', `/orders/${id}/items?sort=id`)
    const [first, second] = list.data.map((item: { id: number }) => item.id)
    const at = `/users/${buyer.id}/orders/${id}/payment`
    const paid = await buyer.request('POST', at, { method: 'card', token: 'tok_visa' })
    assert.equal(paid.status, 201, paid.text)
    const payment = paid.json.id as number
    const row = await shop.db
      .selectFrom('payments')
      .select('idempotency_key')
      .where('id', '=', payment)
      .executeTakeFirstOrThrow()
    const items_ = { first: first as number, second: second as number }
    return { id: id as number, total, payment, key: row.idempotency_key, products, ...items_ }
  }
  type Bought = Awaited<ReturnType<typeof buy>>
  const at = ({ id }: Bought) => `/orders/${id}/refunds`
  const refund = (order: Bought, body: object = {}, headers: Record<string, string> = {}) =>
    admin.request('POST', at(order), body, headers)
  const one = ({ first }: Bought) => ({ order_item_id: first, quantity: 1 })
  const move = (order: Bought, status: string) =>
    admin.request('PATCH', `/orders/${order.id}`, { status })
  const read = async ({ id }: Bought) => (await buyer.request('GET', `/orders/${id}`)).json
  const readPayment = async ({ payment }: Bought) =>
    (await buyer.request('GET', `/payments/${payment}`)).json
  const listOf = async (order: Bought) => (await admin.request('GET', at(order))).json.data
  const stockOf = async (id: number) => (await shop.request('GET', `/products/${id}`)).json.stock
  const purchasesOf = async ({ id }: Bought) =>
    (await buyer.request('GET', `/purchases?order_id=${id}`)).json.data.map(
      ({ quantity }: { quantity: number }) => quantity,
    )
  /** What the provider has returned, in minor units. */
  const returned = async ({ key }: Bought): Promise<number[]> => {
    const reply = await shop.exchange.send('GET', `/charges/${key}`)
    assert.equal(reply.kind, 'reply')
    const { refunds = [] } = JSON.parse(reply.kind === 'reply' ? reply.text : '{}')
    return refunds.map(({ amount_minor }: { amount_minor: number }) => amount_minor)
  }
  const later = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
    const then = shop.now
    shop.now = then + ms
    try {
      return await work()
    } finally {
      shop.now = then
    }
  }
  const settle = () => later(minuteMs, () => runJobs(shop.parts, shop.db))
  const eventTypes = async (order: Bought) =>
    [
      ...(await eventsOf(shop.db, `/orders/${order.id}`)),
      ...(await eventsOf(shop.db, `/payments/${order.payment}`)),
    ].map(({ type }) => type)

  describe('a partial refund', () => {
    test('of pieces returns their money, stock and purchases, and changes no status', async () => {
      const order = await buy()
      const body = { items: [{ order_item_id: order.first, quantity: 2 }], reason: 'Dented' }
      const made = await refund(order, body)
      assert.equal(made.status, 201, made.text)
      const { id, created_at, updated_at, _links, ...shown } = made.json
      assert.deepEqual(shown, {
        ...{ order_id: order.id, payment_id: order.payment, amount: 39.98, currency: 'USD' },
        ...{ items: body.items, shipping: false, restock: true, status: 'succeeded' },
        ...{ reason: 'Dented', failure: null },
      })
      assert.deepEqual(Object.keys(_links).sort(), ['order', 'payment', 'self'])
      assert.equal(made.headers['location'], `${at(order)}/${id}`)
      assert.equal(made.headers['cache-control'], 'no-store')
      assert.deepEqual((await admin.request('GET', `${at(order)}/${id}`)).json, made.json)
      assert.deepEqual(await listOf(order), [made.json])
      const { status, refunded_total } = await read(order)
      assert.deepEqual([status, refunded_total], ['paid', 39.98])
      const payment = await readPayment(order)
      assert.deepEqual([payment.status, payment.refunded_total], ['succeeded', 39.98])
      assert.deepEqual(await returned(order), [3998])
      assert.deepEqual(await purchasesOf(order), [1, 1])
      assert.equal(await stockOf(order.products[0]), stock - 1)
      assert.deepEqual(await eventTypes(order), [
        ...['order.created', 'order.paid', 'order.updated'],
        ...['payment.succeeded', 'payment.refunded'],
      ])
    })
    test('of every piece of an item ends its purchase', async () => {
      const order = await buy()
      const { headers } = await buyer.request('GET', `/purchases?order_id=${order.id}`)
      for (const _ of [1, 2, 3]) {
        assert.equal((await refund(order, { items: [one(order)], restock: false })).status, 201)
      }
      assert.deepEqual(await purchasesOf(order), [1])
      const now = await buyer.request('GET', `/purchases?order_id=${order.id}`)
      assert.notEqual(now.headers['etag'], headers['etag'])
      assert.equal(await stockOf(order.products[0]), stock - 3)
      assert.equal((await refund(order, { items: [one(order)] })).json.error_code, '4091')
      assert.equal((await read(order)).refunded_total, 59.97)
    })
    test('of an amount or of shipping leaves stock and purchases', async () => {
      const order = await buy()
      assert.equal((await refund(order, { amount: 0.5 })).json.amount, 0.5)
      assert.equal((await refund(order, { shipping: true })).json.amount, 5)
      assert.equal((await refund(order, { shipping: true })).json.error_code, '4091')
      assert.deepEqual(await purchasesOf(order), [3, 1])
      assert.equal(await stockOf(order.products[0]), stock - 3)
      assert.equal((await read(order)).refunded_total, 5.5)
    })
    test('of what cost nothing returns the pieces at once', async () => {
      const free = await addProduct(0)
      const order = await buy()
      const items = [
        { product_id: free, quantity: 2 },
        { product_id: order.products[0], quantity: 1 },
      ]
      const placed = await buyer.request('POST', `/users/${buyer.id}/orders`, {
        items,
        shipping: { method: 'pickup' },
      })
      const { id } = placed.json
      const list = await admin.request('GET', `/orders/${id}/items?sort=id`)
      const payAt = `/users/${buyer.id}/orders/${id}/payment`
      await buyer.request('POST', payAt, { method: 'card', token: 'tok_visa' })
      const body = { items: [{ order_item_id: list.json.data[0].id, quantity: 1 }] }
      const made = await admin.request('POST', `/orders/${id}/refunds`, body)
      assert.deepEqual([made.status, made.json.amount, made.json.status], [201, 0, 'succeeded'])
      assert.equal(await stockOf(free), stock - 1)
      const only = { shipping: true }
      const nothing = await admin.request('POST', `/orders/${id}/refunds`, only)
      assert.equal(nothing.json.error_code, '4091')
    })
    test('is rejected when more is left, and for an order that is not paid', async () => {
      const order = await buy()
      const more = await refund(order, { amount: 66 })
      assert.equal(more.json.error_code, '4091')
      assert.equal((await refund(order, { amount: 1, items: [one(order)] })).status, 422)
      assert.equal((await refund(order, { items: [] })).status, 422)
      assert.equal((await refund(order, { amount: 1, restock: false })).status, 422)
      assert.equal((await refund(order, { amount: 0 })).status, 422)
      const strange = { items: [{ order_item_id: order.first + 1000, quantity: 1 }] }
      const unknown = await refund(order, strange)
      assert.deepEqual(
        [unknown.status, unknown.json.errors[0].field],
        [422, 'items[0].order_item_id'],
      )
      assert.deepEqual(await listOf(order), [])
      assert.deepEqual(await returned(order), [])
      const pending = await buyer.request('POST', `/users/${buyer.id}/orders`, {
        items: [{ product_id: order.products[1], quantity: 1 }],
      })
      const path = `/orders/${pending.json.id}/refunds`
      assert.equal((await admin.request('POST', path, {})).json.error_code, '4091')
      assert.equal((await admin.request('POST', '/orders/999999/refunds', {})).status, 404)
      assert.equal((await admin.request('GET', '/orders/999999/refunds')).status, 404)
    })
  })

  describe('a full refund', () => {
    test('of a paid order cancels it, and returns all but what was kept out of the stock', async () => {
      const order = await buy()
      await refund(order, { items: [one(order)], restock: false })
      await refund(order, { items: [one(order)] })
      const rest = await refund(order)
      assert.equal(rest.status, 201, rest.text)
      assert.equal(rest.json.shipping, true)
      const { status, refunded_total, total } = await read(order)
      assert.deepEqual([status, refunded_total], ['cancelled', total])
      assert.equal((await readPayment(order)).status, 'refunded')
      assert.equal(await stockOf(order.products[0]), stock - 1)
      assert.equal(await stockOf(order.products[1]), stock)
      assert.deepEqual(await purchasesOf(order), [])
      assert.equal((await refund(order)).json.error_code, '4091')
      assert.equal((await eventTypes(order)).filter((type) => type === 'order.cancelled').length, 1)
    })
    test('by the amount of a paid order does the same', async () => {
      const order = await buy()
      assert.equal((await refund(order, { amount: order.total })).status, 201)
      assert.equal((await read(order)).status, 'cancelled')
      assert.equal(await stockOf(order.products[0]), stock)
    })
    for (const states of [['shipped'], ['shipped', 'delivered']]) {
      const last = states.at(-1) ?? ''
      test(`of an order that is ${last} makes it refunded, with the stock that came back`, async () => {
        const order = await buy()
        for (const state of states) assert.equal((await move(order, state)).status, 200)
        await refund(order, { items: [one(order)] })
        assert.equal((await read(order)).status, last)
        assert.equal((await refund(order)).json.restock, false)
        assert.equal((await read(order)).status, 'refunded')
        assert.equal(await stockOf(order.products[0]), stock - 2)
        assert.equal((await eventTypes(order)).includes('order.refunded'), true)
      })
    }
    test('by PATCH makes a refund of the rest; a shipped order takes none', async () => {
      const paid = await buy()
      await refund(paid, { amount: 1 })
      assert.equal((await move(paid, 'cancelled')).json.status, 'cancelled')
      const amounts = (await listOf(paid)).map(({ amount }: { amount: number }) => amount)
      assert.deepEqual(amounts, [1, paid.total - 1])
      const sent = await buy()
      await move(sent, 'shipped')
      assert.equal((await move(sent, 'refunded')).json.error_code, '4091')
      await move(sent, 'delivered')
      assert.equal((await move(sent, 'refunded')).json.status, 'refunded')
      assert.equal((await listOf(sent)).length, 1)
    })
    test('gives the use of a discount back only when the order is cancelled', async () => {
      const code = `REFUND-${kind}`
      await admin.request('POST', '/discounts', { code, kind: 'percent', value: '10' })
      const used = async () =>
        (await admin.request('GET', `/discounts?code=${code}`)).json.data[0].used_count
      const paid = await buy({ discount_code: code })
      const sent = await buy({ discount_code: code })
      await refund(paid, { items: [one(paid)] })
      assert.equal(await used(), 2)
      await refund(paid)
      assert.equal(await used(), 1)
      await move(sent, 'shipped')
      await refund(sent)
      assert.equal(await used(), 1)
    })
    test('of an order that cost nothing is a change of its status', async () => {
      const code = `FREE-${kind}`
      await admin.request('POST', '/discounts', { code, kind: 'percent', value: '100' })
      const product = await addProduct()
      const placed = await buyer.request('POST', `/users/${buyer.id}/orders`, {
        items: [{ product_id: product, quantity: 2 }],
        shipping: { method: 'pickup' },
        discount_code: code,
      })
      assert.equal(placed.json.status, 'paid', placed.text)
      const path = `/orders/${placed.json.id}`
      assert.equal((await admin.request('POST', `${path}/refunds`, {})).json.error_code, '4091')
      const moved = await admin.request('PATCH', path, { status: 'cancelled' })
      assert.equal(moved.json.status, 'cancelled', moved.text)
      assert.equal(await stockOf(product), stock)
    })
  })

  describe('who may refund', () => {
    test('administrators; owners see the totals only', async () => {
      const order = await buy()
      const { json } = await refund(order, { amount: 2 })
      for (const [method, path, body] of [
        ['GET', at(order), undefined],
        ['GET', `${at(order)}/${json.id}`, undefined],
        ['POST', at(order), { amount: 1 }],
      ] as const) {
        assert.equal((await buyer.request(method, path, body)).json.error_code, '4031')
        assert.equal((await shop.request(method, path, body)).json.error_code, '4011')
      }
      assert.equal((await read(order)).refunded_total, 2)
      assert.equal((await read(order))._links.refunds, undefined)
      const shown = await admin.request('GET', `/orders/${order.id}`)
      assert.equal(shown.json._links.refunds.href, at(order))
    })
    test('a refund is found below its own order only', async () => {
      const [order, other] = [await buy(), await buy()]
      const { json } = await refund(order, { amount: 2 })
      assert.equal((await admin.request('GET', `${at(other)}/${json.id}`)).status, 404)
    })
    test('an API key needs refunds:write to refund, and orders:read to look', async () => {
      const order = await buy()
      const keyWith = async (scopes: readonly string[]) => {
        const { json } = await admin.request('POST', '/api-keys', { name: 'Key', scopes })
        const headers = { authorization: `Api-Key ${json.key}` }
        return (method: string, body?: object) => shop.request(method, at(order), body, headers)
      }
      const reader = await keyWith(['orders:read', 'orders:write'])
      const writer = await keyWith(['refunds:write'])
      assert.equal((await reader('POST', { amount: 1 })).json.error_code, '4033')
      assert.equal((await reader('GET')).status, 200)
      assert.equal((await writer('GET')).json.error_code, '4033')
      assert.equal((await writer('POST', { amount: 1 })).status, 201)
    })
    test('a change of status that returns money needs refunds:write, too', async () => {
      const free = await addProduct(0)
      const keyWith = async (scopes: readonly string[]) => {
        const { json } = await admin.request('POST', '/api-keys', { name: 'Key', scopes })
        const headers = { authorization: `Api-Key ${json.key}` }
        return (method: string, path: string, body?: object) =>
          shop.request(method, path, body, headers)
      }
      const writer = await keyWith(['orders:read', 'orders:write'])
      const both = await keyWith(['orders:read', 'orders:write', 'refunds:write'])
      const linksOf = async (caller: typeof writer, path: string) =>
        Object.keys((await caller('GET', path)).json._links)
      for (const [steps, to, link] of [
        [[], 'cancelled', 'cancel'],
        [['shipped', 'delivered'], 'refunded', 'refund'],
      ] as const) {
        const order = await buy()
        for (const status of steps) await move(order, status)
        for (const path of [`/orders/${order.id}`, `/users/${buyer.id}/orders/${order.id}`]) {
          const rejected = await writer('PATCH', path, { status: to })
          assert.deepEqual([rejected.status, rejected.json.error_code], [403, '4033'])
          assert.ok(!(await linksOf(writer, path)).includes(link))
        }
        assert.deepEqual(await returned(order), [])
        const path = `/orders/${order.id}`
        assert.ok((await linksOf(both, path)).includes(link))
        assert.equal((await both('PATCH', path, { status: to })).json.status, to)
      }
      const items = [{ product_id: free, quantity: 1 }]
      const { json } = await buyer.request('POST', '/orders', {
        items,
        shipping: { method: 'pickup' },
      })
      assert.equal(json.status, 'paid')
      const cancelled = await writer('PATCH', `/orders/${json.id}`, { status: 'cancelled' })
      assert.equal(cancelled.json.status, 'cancelled', cancelled.text)
    })
  })

  describe('a refund without an answer of the provider', () => {
    for (const loss of ['before', 'after'] as const) {
      test(`lost ${loss} it took effect answers 202 and is settled once`, async () => {
        const order = await buy()
        const key = newKey()
        const body = { items: [one(order)] }
        shop.exchange.lose('PUT', /\/refunds\//, loss)
        const made = await refund(order, body, key)
        assert.deepEqual([made.status, made.json.status], [202, 'pending'], made.text)
        assert.equal(made.headers['location'], `${at(order)}/${made.json.id}`)
        assert.equal((await refund(order, body, key)).text, made.text)
        assert.equal(await stockOf(order.products[0]), stock - 3)
        assert.equal((await read(order)).refunded_total, 0)
        const more = await refund(order, { amount: 46 })
        assert.equal(more.json.error_code, '4091')
        const twice = { items: [{ ...one(order), quantity: 3 }] }
        assert.equal((await refund(order, twice)).json.error_code, '4091')
        await Promise.all([settle(), settle()])
        const done = await admin.request('GET', `${at(order)}/${made.json.id}`)
        assert.equal(done.json.status, 'succeeded')
        assert.deepEqual(await returned(order), [1999])
        assert.equal(await stockOf(order.products[0]), stock - 2)
        assert.equal((await read(order)).refunded_total, 19.99)
        assert.equal((await refund(order, body, key)).text, made.text)
      })
    }
    test('holds up the shipping of an order only when all is refunded', async () => {
      const [partly, fully] = [await buy(), await buy()]
      shop.exchange.lose('PUT', /\/refunds\//, 'before', 2)
      await refund(partly, { amount: 1 })
      await refund(fully)
      assert.equal((await move(partly, 'shipped')).json.status, 'shipped')
      assert.equal((await move(fully, 'shipped')).json.error_code, '4091')
      const links = (await admin.request('GET', `/orders/${fully.id}`)).json._links
      assert.equal(links.ship, undefined)
      await settle()
      assert.deepEqual(
        [(await read(partly)).status, (await read(fully)).status],
        ['shipped', 'cancelled'],
      )
    })
    test('by PATCH answers 504, and again finishes it', async () => {
      const order = await buy()
      shop.exchange.lose('PUT', /\/refunds\//, 'after')
      assert.equal((await move(order, 'cancelled')).json.error_code, '5041')
      assert.equal((await read(order)).status, 'paid')
      assert.equal((await move(order, 'cancelled')).json.status, 'cancelled')
      assert.equal((await listOf(order)).length, 1)
      assert.equal((await returned(order)).length, 1)
    })
    test('whose process ended is answered under its key', async () => {
      const order = await buy()
      const key = newKey()
      const made = await refund(order, { amount: 3 }, key)
      await shop.db
        .updateTable('idempotency_keys')
        .set({ answer: null })
        .where('subject', '>', 0)
        .execute()
      const again = await later(minuteMs, () => refund(order, { amount: 3 }, key))
      assert.deepEqual([again.status, again.json], [201, made.json])
      assert.deepEqual(await returned(order), [300])
    })
  })

  describe('refunds that were made at the provider', () => {
    test('appear without a reason once the provider calls, and once only', async () => {
      const order = await buy()
      await refund(order, { amount: 1, reason: 'Ours' })
      await shop.exchange.send('PUT', `/charges/${order.key}/refund`)
      await pollUntil(
        () => read(order),
        ({ status }) => status === 'cancelled',
      )
      await settle()
      const shown = (await listOf(order)).map(
        ({ amount, reason, status }: Record<string, unknown>) => [amount, reason, status],
      )
      assert.deepEqual(shown, [
        [1, 'Ours', 'succeeded'],
        [order.total - 1, null, 'succeeded'],
      ])
      assert.equal(await stockOf(order.products[0]), stock)
    })
    test('make a refund of ours fail when they left too little', async () => {
      const order = await buy()
      const part = JSON.stringify({ amount_minor: 6000 })
      await shop.exchange.send('PUT', `/charges/${order.key}/refunds/dashboard`, part)
      const made = await refund(order, { amount: 10 })
      assert.deepEqual([made.status, made.json.status], [201, 'failed'], made.text)
      assert.equal(made.json.failure, 'more_than_is_left')
      const { status, refunded_total } = await read(order)
      assert.deepEqual([status, refunded_total], ['paid', 60])
      assert.deepEqual(
        (await listOf(order)).map(({ amount, reason }: Record<string, unknown>) => [
          amount,
          reason,
        ]),
        [
          [10, null],
          [60, null],
        ],
      )
      assert.equal((await refund(order, { amount: 5 })).json.status, 'succeeded')
      const again = await refund(order, { amount: 10 })
      assert.equal(again.json.error_code, '4091')
    })
  })

  test('the return of a late payment that the provider rejects is tried again', async () => {
    const order = await buy()
    const late = { status: 'failed', failure: 'cancelled' } as const
    const ofOrder = shop.db.updateTable('payments').where('order_id', '=', order.id)
    await ofOrder.set({ ...late, due_at: shop.now }).execute()
    await shop.db
      .updateTable('orders')
      .set({ status: 'cancelled', cancel_reason: 'expired' })
      .where('id', '=', order.id)
      .execute()
    await shop.db.deleteFrom('purchases').where('order_id', '=', order.id).execute()
    const { send } = shop.exchange
    let rejections = 0
    Object.assign(shop.exchange, {
      send: async (method: string, path: string, body?: string) => {
        if (!/\/refunds\//.test(path) || rejections === 2) return send(method, path, body)
        rejections += 1
        const text = JSON.stringify({ error: 'no_funds' })
        return { kind: 'reply', status: 422, contentType: 'application/json', text }
      },
    })
    await runJobs(shop.parts, shop.db)
    Object.assign(shop.exchange, { send })
    const read = async () => (await listOf(order))[0]
    assert.deepEqual([(await read()).status, (await read()).failure], ['pending', 'no_funds'])
    assert.deepEqual(await returned(order), [])
    await settle()
    assert.deepEqual([(await read()).status, (await read()).reason], ['succeeded', null])
    assert.deepEqual(await returned(order), [Math.round(order.total * 100)])
    assert.equal((await readPayment(order)).refunded_total, order.total)
    await shop.db
      .updateTable('products')
      .set({ stock })
      .where('id', 'in', [...order.products])
      .execute()
  })

  describe('at the same time', () => {
    test('partial refunds never return more than was paid, nor a piece twice', async () => {
      for (const body of [
        (order: Bought) => ({ items: [{ ...one(order), quantity: 2 }] }),
        (order: Bought) => ({ amount: order.total - 10 }),
        () => ({}),
      ]) {
        const order = await buy()
        const answers = await Promise.all([1, 2, 3, 4].map(() => refund(order, body(order))))
        const statuses = answers.map(({ status }) => status).sort()
        assert.deepEqual(statuses, [201, 409, 409, 409], answers.map(({ text }) => text).join())
        assert.equal((await returned(order)).length, 1)
      }
    })
    test('a partial refund and a cancellation leave a cancelled order and all money returned', async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const order = await buy()
        const [part, cancelled] = await Promise.all([
          refund(order, { items: [one(order)] }),
          move(order, 'cancelled'),
        ])
        assert.ok([201, 409].includes(part.status), part.text)
        assert.equal(cancelled.json.status, 'cancelled', cancelled.text)
        const sum = (await returned(order)).reduce((one, other) => one + other, 0)
        assert.equal(sum, Math.round(order.total * 100))
        assert.equal(await stockOf(order.products[0]), stock)
      }
    })
    test('cancellations of a paid order all succeed, and return the money once', async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const order = await buy()
        const answers = await Promise.all([1, 2, 3].map(() => move(order, 'cancelled')))
        const statuses = answers.map(({ status }) => status)
        assert.deepEqual(statuses, [200, 200, 200], answers.map(({ text }) => text).join())
        assert.deepEqual(await returned(order), [Math.round(order.total * 100)])
      }
    })
    test('a refund and the shipping of an order leave one or the other', async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const order = await buy()
        const [refunded, shipped] = await Promise.all([refund(order), move(order, 'shipped')])
        assert.equal(refunded.status, 201, refunded.text)
        const { status } = await read(order)
        assert.equal(status, shipped.status === 200 ? 'refunded' : 'cancelled')
      }
    })
    test('a key refunds once', async () => {
      const order = await buy()
      const key = newKey()
      const sent = Array.from({ length: 10 }, () => refund(order, { amount: 4 }, key))
      for (const { status, json } of await Promise.all(sent)) {
        if (status !== 201) assert.equal(json.error_code, '4094')
      }
      assert.deepEqual(await returned(order), [400])
    })
  })

  test('the erasure of the buyer removes the reasons, and refunds go on', async () => {
    const person = await shop.signInAs('customer')
    const product = await addProduct()
    const { json } = await person.request('POST', `/users/${person.id}/orders`, {
      items: [{ product_id: product, quantity: 2 }],
      shipping: testShipping,
    })
    const payAt = `/users/${person.id}/orders/${json.id}/payment`
    await person.request('POST', payAt, { method: 'card', token: 'tok_visa' })
    const path = `/orders/${json.id}/refunds`
    await admin.request('POST', path, { amount: 1, reason: 'Ada called' })
    const exported = await person.request('GET', `/users/${person.id}?include=data`)
    assert.match(exported.text, /Ada called/)
    assert.equal((await admin.request('DELETE', `/users/${person.id}`)).status, 204)
    const list = await admin.request('GET', path)
    assert.equal(list.json.data[0].reason, null)
    assert.equal((await admin.request('POST', path, {})).json.status, 'succeeded')
    assert.equal(await stockOf(product), stock)
  })
})
