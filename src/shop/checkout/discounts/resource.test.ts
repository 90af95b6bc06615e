import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { algorithms } from '#http/rate-limit/algorithms/algorithms.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { behindProxy, requestFrom } from '#test/support/callers/networks.ts'
import { minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  describe('discounts', () => {
    let shop: TestApp
    let admin: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(() => shop.dispose())

    const add = async (body: object) => {
      const response = await admin.request('POST', '/discounts', body)
      assert.equal(response.status, 201, response.text)
      return response.json
    }
    const attempt = async (...[method, path, body]: [string, string, object?]) => {
      const { status, json } = await admin.request(method, path, body)
      return `${status} ${json?.error_code ?? ''}`
    }

    test('have a value by their kind, in both versions and in XML', async () => {
      const percent = await add({ code: 'Ten', kind: 'percent', value: '10.50' })
      assert.equal(percent.value, '10.5')
      const amount = await add({ code: 'Five', kind: 'amount', value: 5 })
      assert.equal(amount.value, 5)
      const shipping = await add({ code: 'Ship', kind: 'free_shipping' })
      assert.equal(shipping.value, null)
      const { json } = await admin.request('GET', `/v2/discounts/${amount.id}`)
      assert.deepEqual(json.value, { amount: '5.00', currency: 'USD' })
      const sent = { code: 'V2', kind: 'amount', value: { amount: '2.50', currency: 'USD' } }
      const { status } = await admin.request('POST', '/v2/discounts', sent)
      assert.equal(status, 201)
      assert.equal(await attempt('POST', '/v2/discounts', { ...sent, value: 2.5 }), '422 4221')
      const xml = await admin.request('GET', `/discounts/${amount.id}`, undefined, {
        accept: 'application/xml',
      })
      const back = await admin.request('GET', `/discounts/${percent.id}`, undefined, {
        accept: 'application/xml',
      })
      assert.match(xml.text, /<value type="number">5<\/value>/)
      assert.match(back.text, /<value>10.5<\/value>/)
    })

    test('have codes that are unique regardless of case, and fixed', async () => {
      const { id } = await add({ code: 'Unique', kind: 'free_shipping' })
      const same = { code: 'UNIQUE', kind: 'free_shipping' }
      assert.equal(await attempt('POST', '/discounts', same), '409 4092')
      assert.equal(await attempt('PUT', `/discounts/${id}`, same), '200 ')
      assert.equal(await attempt('PATCH', `/discounts/${id}`, { code: 'Other' }), '422 4221')
      const { json } = await admin.request('GET', `/discounts/${id}`)
      assert.equal(json.code, 'Unique')
      assert.equal(await attempt('DELETE', `/discounts/${id}`), '204 ')
      assert.equal(await attempt('GET', `/discounts/${id}`), '410 4101')
      assert.equal((await add(same)).code, 'UNIQUE')
    })

    test('keep what a PATCH does not name', async () => {
      const { id } = await add({ code: 'Keep', kind: 'amount', value: 3, usage_limit: 5 })
      const { json } = await admin.request('PATCH', `/discounts/${id}`, { active: false })
      assert.deepEqual([json.value, json.usage_limit, json.active], [3, 5, false])
      assert.equal(await attempt('PATCH', `/discounts/${id}`, { kind: 'percent' }), '422 4221')
      const { json: listed } = await admin.request('GET', '/discounts?code=keep')
      assert.deepEqual(
        listed.data.map((row: { id: number }) => row.id),
        [id],
      )
    })
  })

  describe('a discount on a cart', () => {
    let shop: TestApp
    let admin: TestCaller
    let buyer: TestCaller
    before(async () => {
      shop = await startTestApp(kind)
      admin = await shop.signInAs('admin')
      buyer = await shop.signInAs('customer')
      for (const [name, price, category] of [
        ['Kettle', 10, 'kitchen'],
        ['Novel', 5.01, 'books'],
      ] as const) {
        const { json } = await admin.request('POST', '/products', { name, price, category })
        await buyer.request('POST', '/cart', { product_id: json.id, quantity: 1 })
      }
      for (const body of [
        { code: 'HALF', kind: 'percent', value: '50' },
        { code: 'BOOKS', kind: 'amount', value: 2, categories: ['books'] },
        { code: 'MUCH', kind: 'amount', value: 2, minimum_subtotal: 100 },
      ]) {
        assert.equal((await admin.request('POST', '/discounts', body)).status, 201)
      }
    })
    after(() => shop.dispose())

    const apply = (code: string) =>
      buyer.request('PUT', `/users/${buyer.id}/cart/discount`, { code })
    const read = async (path = '') =>
      (await buyer.request('GET', `/users/${buyer.id}/cart${path}`)).json

    test('is shared between its items, and shown with the cart', async () => {
      const { status, json, headers } = await apply('half')
      assert.equal(status, 200)
      assert.deepEqual(json.discount, { code: 'HALF', amount: 7.51 })
      assert.equal(json.discount_total, 7.51)
      assert.equal(json.subtotal, 15.01)
      const shares = (items: { discount: number }[]) => items.map(({ discount }) => discount)
      assert.deepEqual(shares(json.items), [5, 2.51])
      assert.equal(json._links.self.href, `/users/${buyer.id}/cart`)
      const cart = await buyer.request('GET', `/users/${buyer.id}/cart`)
      assert.deepEqual(cart.json, json)
      assert.equal(cart.headers['etag'], headers['etag'])
      assert.deepEqual(shares((await read('/items')).data), [5, 2.51])
      const one = await read(`/items/${json.items[1].id}`)
      assert.equal(one.discount, 2.51)
    })

    test('is found by its code with blanks around it', async () => {
      assert.equal((await apply(' half ')).json.discount.code, 'HALF')
    })

    test('that cannot be used answers 409 and why', async () => {
      for (const [code, reason] of [
        ['NONE', 'There is no discount with the code NONE.'],
        ['10 % off', 'There is no discount with the code 10 % off.'],
        ['MUCH', 'The subtotal is below the minimum of the discount MUCH.'],
      ] as const) {
        const { status, json } = await apply(code)
        assert.deepEqual([status, json.error_code, json.details], [409, '4091', reason])
        assert.match(json.suggestion, /^Correct the code/)
      }
    })

    test('that can no longer be used is a problem of the cart, without an effect', async () => {
      await apply('BOOKS')
      const before = await buyer.request('GET', `/users/${buyer.id}/cart`)
      assert.equal(before.json.discount_total, 2)
      const { json: found } = await admin.request('GET', '/discounts?code=BOOKS')
      await admin.request('PATCH', `/discounts/${found.data[0].id}`, { active: false })
      const after = await buyer.request('GET', `/users/${buyer.id}/cart`)
      assert.deepEqual(after.json.discount, { code: 'BOOKS', amount: 0 })
      assert.notEqual(after.headers['etag'], before.headers['etag'])
      assert.equal(after.json._links.checkout, undefined)
      const { checkout_ready, problems } = await read('/status')
      assert.equal(checkout_ready, false)
      assert.deepEqual(problems, [
        {
          item_id: null,
          code: 'discount_unusable',
          message: 'There is no discount with the code BOOKS.',
        },
      ])
      const { status } = await buyer.request('DELETE', `/users/${buyer.id}/cart/discount`)
      assert.equal(status, 204)
      assert.equal((await read('/status')).checkout_ready, true)
      assert.equal((await read()).discount, null)
    })

    test('ends when the cart is emptied, even if it holds nothing any more', async () => {
      const other = await shop.signInAs('customer')
      const [{ product_id }] = (await read('/items')).data
      const cart = `/users/${other.id}/cart`
      const added = await other.request('POST', '/cart', { product_id, quantity: 1 })
      await other.request('PUT', `${cart}/discount`, { code: 'HALF' })
      await other.request('DELETE', `${cart}/items/${added.json.id}`)
      assert.equal((await other.request('GET', '/cart')).json.discount.code, 'HALF')
      assert.equal((await other.request('DELETE', cart)).status, 204)
      assert.equal((await other.request('GET', '/cart')).json.discount, null)
    })

    test('that the user has used up with another order is a problem of the cart', async () => {
      const once = { code: 'ONCE', kind: 'amount', value: 1, usage_limit_per_user: 1 }
      assert.equal((await admin.request('POST', '/discounts', once)).status, 201)
      await apply('ONCE')
      const [{ product_id }] = (await read('/items')).data
      const order = { items: [{ product_id, quantity: 1 }], discount_code: 'ONCE' }
      const placed = await buyer.request('POST', '/orders', order)
      assert.equal(placed.status, 201, placed.text)
      assert.equal((await read()).discount_total, 0)
      const { checkout_ready, problems } = await read('/status')
      assert.deepEqual([checkout_ready, problems[0].code], [false, 'discount_unusable'])
      assert.equal((await buyer.request('POST', '/orders', {})).status, 409)
      await buyer.request('PATCH', `/orders/${placed.json.id}`, { status: 'cancelled' })
      assert.equal((await read('/status')).checkout_ready, true)
    })
  })

  test('codes that are rejected are limited to ten a minute, in carts and orders together', async (t) => {
    const defaultAllowance = { limit: 100, windowMs: minuteMs }
    const limits = { defaultAllowance, counters: memoryCounters(algorithms['sliding-window']) }
    const shop = await startTestApp(kind, { composition: { limits } })
    t.after(() => shop.dispose())
    const admin = await shop.signInAs('admin')
    const buyer = await shop.signInAs('customer')
    const { json: product } = await admin.request('POST', '/products', { name: 'Mug', price: 5 })
    await admin.request('POST', '/discounts', { code: 'REAL', kind: 'percent', value: '10' })
    const items = [{ product_id: product.id, quantity: 1 }]
    await buyer.request('POST', '/cart', items[0])
    const put = (code: string) => buyer.request('PUT', `/users/${buyer.id}/cart/discount`, { code })
    const order = (discount_code?: string) =>
      buyer.request('POST', '/orders', { items, ...(discount_code ? { discount_code } : {}) })
    const orderByPath = (discount_code: string) =>
      buyer.request('POST', `/users/${buyer.id}/orders`, { items, discount_code })

    for (let used = 0; used < 12; used += 1) assert.equal((await order('REAL')).status, 201)
    const ways = [put, order, orderByPath]
    for (let guess = 0; guess < 10; guess += 1) {
      assert.equal((await ways[guess % ways.length]?.(`GUESS${guess}`))?.status, 409)
    }
    for (const way of ways) {
      const { status, headers } = await way('REAL')
      assert.equal(status, 429)
      assert.equal(headers['ratelimit-policy'], '"guesses";q=10;w=60')
    }
    assert.equal((await order()).status, 201)
    const other = await shop.signInAs('customer')
    const theirs = await other.request('POST', '/orders', { items, discount_code: 'REAL' })
    assert.equal(theirs.status, 201)
    shop.now += minuteMs
    assert.equal((await order('REAL')).status, 201)
  })

  test('guests and unconfirmed users of one network guess codes together', async (t) => {
    const defaultAllowance = { limit: 100, windowMs: minuteMs }
    const limits = { defaultAllowance, counters: memoryCounters(algorithms['sliding-window']) }
    const composition = { limits, httpsPolicy: behindProxy }
    const shop = await startTestApp(kind, { composition })
    t.after(() => shop.dispose())
    const guess = async (address: string) => {
      const from = requestFrom(shop.request, address)
      const { json } = await from('POST', '/guests', {})
      const headers = { authorization: `Bearer ${json.token}` }
      const path = `/users/${json.user.id}/cart/discount`
      return (await from('PUT', path, { code: 'GUESSED' }, headers)).status
    }
    for (let count = 0; count < 10; count += 1) assert.equal(await guess('198.51.100.1'), 409)
    assert.equal(await guess('198.51.100.1'), 429)
    assert.equal(await guess('198.51.100.2'), 409)
  })

  test('all users of one network guess ten times as many codes as one of them', async (t) => {
    const defaultAllowance = { limit: 100, windowMs: minuteMs }
    const limits = { defaultAllowance, counters: memoryCounters(algorithms['sliding-window']) }
    const composition = { limits, httpsPolicy: behindProxy }
    const shop = await startTestApp(kind, { composition })
    t.after(() => shop.dispose())
    const guess = async ({ id, request }: TestCaller, address: string) =>
      (await requestFrom(request, address)('PUT', `/users/${id}/cart/discount`, { code: 'X' }))
        .status
    for (let user = 0; user < 10; user += 1) {
      const caller = await shop.signInAs('customer')
      for (let count = 0; count < 10; count += 1) {
        assert.equal(await guess(caller, '198.51.100.1'), 409)
      }
    }
    const other = await shop.signInAs('customer')
    assert.equal(await guess(other, '198.51.100.1'), 429)
    assert.equal(await guess(other, '198.51.100.2'), 409)
  })
})
