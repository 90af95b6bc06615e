import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { minuteMs } from '#values/instant.ts'

const address = (country: string, region?: string) => ({
  ...{ line1: '1 Main Street', city: 'Town', postal_code: '12345', country },
  ...(region === undefined ? {} : { region }),
})
const to = (country: string, region?: string) => ({
  ...{ method: 'standard', recipient: 'Ada', address: address(country, region) },
})

eachDatabase((kind) => {
  for (const pricesIncludeTax of [true, false]) {
    describe(`an order in a shop with prices ${pricesIncludeTax ? 'including' : 'before'} tax`, () => {
      let shop: PayingApp
      let admin: TestCaller
      let buyer: TestCaller
      let book: number
      let lamp: number
      before(async () => {
        shop = await startPayingApp(kind, 1000, { shop: { pricesIncludeTax, country: 'FR' } })
        admin = await shop.signInAs('admin')
        buyer = await shop.signInAs('customer', { name: 'Ada', email: 'ada@example.com' })
        book = (await shop.addProduct({ price: 10.7, category: 'books', sku: 'BOOK', stock: 50 }))
          .id
        lamp = (await shop.addProduct({ price: 11.9, stock: 50 })).id
        for (const [country, category, rate] of [
          ['DE', null, '19'],
          ['DE', 'books', '7'],
          ['FR', null, '20'],
        ]) {
          await add('/tax-rates', { country, category, rate, name: 'VAT' })
        }
      })
      after(() => shop.dispose())

      const add = async (path: string, body: object) => {
        const response = await admin.request('POST', path, body)
        assert.equal(response.status, 201, response.text)
        return response.json
      }
      const attempt = (body: object, caller = buyer) =>
        caller.request('POST', `/users/${caller.id}/orders`, body)
      const place = async (body: object) => {
        const response = await attempt(body)
        assert.equal(response.status, 201, response.text)
        return response.json
      }
      const both = () => [book, lamp].map((product_id) => ({ product_id, quantity: 1 }))

      test('is taxed by line, at the rate of its destination', async () => {
        const { id, ...order } = await place({ items: both(), shipping: to('DE') })
        const { json: items } = await buyer.request('GET', `/orders/${id}/items`)
        const { json: shipping } = await buyer.request('GET', `/orders/${id}/shipping`)
        const taxes = items.data.map(({ sku, tax_rate, tax }: Record<string, unknown>) => [
          ...[sku, tax_rate, tax],
        ])
        assert.deepEqual(order.contact, { name: 'Ada', email: 'ada@example.com' })
        assert.equal(order.tax_included, pricesIncludeTax)
        if (pricesIncludeTax) {
          assert.deepEqual(taxes[0], ['BOOK', '7', 0.7])
          assert.deepEqual(taxes[1]?.slice(1), ['19', 1.9])
          assert.deepEqual([shipping.tax_rate, shipping.tax], ['19', 0.8])
          assert.deepEqual([order.tax, order.total], [3.4, 27.6])
        } else {
          assert.deepEqual(taxes[0], ['BOOK', '7', 0.75])
          assert.deepEqual(taxes[1]?.slice(1), ['19', 2.26])
          assert.deepEqual([shipping.tax_rate, shipping.tax], ['19', 0.95])
          assert.deepEqual([order.tax, order.total], [3.96, 31.56])
        }
      })

      test('is taxed by the tax class of a product or its parent before its category', async () => {
        const rate = { country: 'AT', name: 'VAT' }
        await add('/tax-rates', { ...rate, rate: '20' })
        await add('/tax-rates', { ...rate, rate: '13', category: 'books' })
        const { id } = await add('/tax-rates', { ...rate, rate: '10', tax_class: 'Reduced' })
        const twice = { ...rate, rate: '5', tax_class: 'reduced ' }
        assert.equal((await admin.request('POST', '/tax-rates', twice)).json.error_code, '4092')
        const { data } = (await admin.request('GET', '/tax-rates?tax_class=REDUCED')).json
        assert.deepEqual(
          data.map((each: { id: number }) => each.id),
          [id],
        )
        const fields = { name: 'Atlas', price: 10, category: 'books' }
        const plain = await add('/products', fields)
        const parent = await add('/products', { ...fields, tax_class: 'reduced' })
        const size = { variant_of: parent.id, options: { size: 'M' } }
        const variant = await add('/products', { name: 'Atlas M', price: 10, ...size })
        const ids = [plain.id, variant.id]
        const items = ids.map((product_id) => ({ product_id, quantity: 1 }))
        const order = await place({ items, shipping: to('FR') })
        const ratesOf = async () => {
          const found = await buyer.request('GET', `/orders/${order.id}/items`)
          return found.json.data.map((item: { tax_rate: string }) => item.tax_rate)
        }
        assert.deepEqual(await ratesOf(), ['20', '20'])
        const moved = { address: address('AT') }
        await buyer.request('PATCH', `/orders/${order.id}/shipping`, moved)
        assert.deepEqual(await ratesOf(), ['13', '10'])
      })

      test('that is picked up is taxed in the country of the shop', async () => {
        const order = await place({ items: both(), shipping: { method: 'pickup' } })
        assert.equal(order.tax, pricesIncludeTax ? 3.76 : 4.52)
        const elsewhere = await place({ items: both(), shipping: to('CH') })
        assert.equal(elsewhere.tax, 0)
      })

      test('is priced anew for another destination while it is pending', async () => {
        const order = await place({ items: both(), shipping: to('CH') })
        const path = `/orders/${order.id}/shipping`
        const moved = await buyer.request('PATCH', path, { address: address('DE') })
        assert.equal(moved.status, 200, moved.text)
        const { json } = await buyer.request('GET', `/orders/${order.id}?include=items`)
        assert.equal(json.tax, pricesIncludeTax ? 3.4 : 3.96)
        assert.equal(json.total, pricesIncludeTax ? 27.6 : 31.56)
        assert.equal(json.items[0].tax_rate, '7')
      })

      test('that is paid goes to another destination only at the same total', async () => {
        const order = await place({ items: both(), shipping: to('DE') })
        const payment = { method: 'card', token: 'tok_visa' }
        const payments = `/users/${buyer.id}/orders/${order.id}/payment`
        assert.equal((await buyer.request('POST', payments, payment)).status, 201)
        const path = `/orders/${order.id}/shipping`
        const moved = await buyer.request('PATCH', path, { address: address('CH') })
        assert.equal(moved.status, pricesIncludeTax ? 200 : 409, moved.text)
        const other = await buyer.request('PATCH', path, { method: 'express' })
        assert.deepEqual([other.status, other.json.error_code], [409, '4091'])
      })

      test('keeps its rates and its method when they change later', async () => {
        const method = await add('/shipping-methods', { code: 'owl', name: 'Owl', price: 2 })
        const order = await place({ items: both(), shipping: { ...to('DE'), method: 'owl' } })
        await admin.request('PATCH', `/shipping-methods/${method.id}`, { price: 3, active: false })
        const { json } = await buyer.request('GET', `/orders/${order.id}`)
        assert.deepEqual([json.shipping_cost, json.total], [2, order.total])
        const noted = await buyer.request('PUT', `/users/${buyer.id}/orders/${order.id}`, {
          note: 'Ring.',
        })
        assert.deepEqual([noted.status, noted.json.total], [200, order.total])
        const shipping = `/orders/${order.id}/shipping`
        const renamed = await buyer.request('PATCH', shipping, { recipient: 'Bob' })
        assert.deepEqual([renamed.status, renamed.json.cost], [200, 2])
        const again = await attempt({ items: both(), shipping: { ...to('DE'), method: 'owl' } })
        assert.deepEqual([again.status, again.json.error_code], [422, '4221'])
        assert.equal(again.json.errors[0].field, 'shipping.method')
        const other = await place({ items: both(), shipping: to('DE') })
        const path = `/orders/${other.id}/shipping`
        const changed = await buyer.request('PATCH', path, { method: 'owl' })
        assert.deepEqual([changed.status, changed.json.errors[0].field], [422, 'method'])
      })

      test('is sent by a method that serves its country, for nothing from an amount on', async () => {
        const method = { code: 'sled', name: 'Sled', price: 4, countries: ['FI'], free_from: 22.6 }
        await add('/shipping-methods', method)
        const by = (country: string) => ({ ...to(country), method: 'sled' })
        assert.equal((await attempt({ items: both(), shipping: by('SE') })).status, 422)
        assert.equal((await place({ items: both(), shipping: by('FI') })).shipping_cost, 0)
        const one = [{ product_id: book, quantity: 1 }]
        assert.equal((await place({ items: one, shipping: by('FI') })).shipping_cost, 4)
      })
    })
  }

  describe('an order with a discount', () => {
    let shop: PayingApp
    let admin: TestCaller
    let buyer: TestCaller
    let product: number
    before(async () => {
      shop = await startPayingApp(kind)
      admin = await shop.signInAs('admin')
      buyer = await shop.signInAs('customer')
      product = (await shop.addProduct({ price: 10, stock: 500 })).id
    })
    after(() => shop.dispose())

    let codes = 0
    const discount = async (terms: object = {}) => {
      codes += 1
      const body = { code: `CODE-${codes}`, kind: 'percent', value: '25', ...terms }
      const response = await admin.request('POST', '/discounts', body)
      assert.equal(response.status, 201, response.text)
      return response.json
    }
    const usedCount = async ({ id }: { id: number }) =>
      (await admin.request('GET', `/discounts/${id}`)).json.used_count
    const order = (quantity: number, rest: object, caller = buyer) =>
      caller.request('POST', `/users/${caller.id}/orders`, {
        items: [{ product_id: product, quantity }],
        shipping: { method: 'pickup' },
        ...rest,
      })

    test('shows it, counts its use, and gives the use back once when it is cancelled', async () => {
      const used = await discount()
      const { json, status } = await order(2, { discount_code: used.code.toLowerCase() })
      assert.equal(status, 201)
      assert.deepEqual(json.discount, { code: used.code, amount: 5 })
      assert.deepEqual([json.subtotal, json.discount_total, json.total], [20, 5, 15])
      assert.equal(await usedCount(used), 1)
      const path = `/orders/${json.id}`
      assert.equal((await buyer.request('PATCH', path, { status: 'cancelled' })).status, 200)
      assert.equal(await usedCount(used), 0)
      await buyer.request('DELETE', `/users/${buyer.id}${path}`)
      assert.equal(await usedCount(used), 0)
    })

    test('gives the use back when it is removed or expires', async () => {
      const used = await discount()
      const { json } = await order(1, { discount_code: used.code })
      await order(1, { discount_code: used.code })
      assert.equal(await usedCount(used), 2)
      await buyer.request('DELETE', `/users/${buyer.id}/orders/${json.id}`)
      assert.equal(await usedCount(used), 1)
      const { now } = shop
      shop.now += 31 * minuteMs
      await runJobs(shop.parts, shop.db)
      shop.now = now
      assert.equal(await usedCount(used), 0)
    })

    test('is never used more often than its limit, whoever orders at once', async () => {
      const used = await discount({ usage_limit: 4 })
      const others = await Promise.all([1, 2, 3].map(() => shop.signInAs('customer')))
      const callers = [buyer, ...others].flatMap((caller) => [caller, caller, caller])
      const responses = await Promise.all(
        callers.map((caller) => order(1, { discount_code: used.code }, caller)),
      )
      const results = responses.map(({ status, json }) => `${status} ${json.error_code ?? ''}`)
      assert.equal(results.filter((result) => result === '201 ').length, 4)
      assert.equal(results.filter((result) => result === '409 4091').length, 8)
      assert.equal(await usedCount(used), 4)
    })

    test('is never used more often by one user than its limit for users', async () => {
      const used = await discount({ usage_limit_per_user: 2 })
      const other = await shop.signInAs('customer')
      const responses = await Promise.all(
        [buyer, buyer, buyer, buyer, other].map((caller) =>
          order(1, { discount_code: used.code }, caller),
        ),
      )
      assert.equal(responses.filter(({ status }) => status === 201).length, 3)
      assert.equal(await usedCount(used), 3)
    })

    test('takes the code of the cart, unless the body names another or none', async () => {
      const used = await discount()
      const path = `/users/${buyer.id}`
      const fill = async () => {
        await buyer.request('POST', '/cart', { product_id: product, quantity: 1 })
        const set = await buyer.request('PUT', `${path}/cart/discount`, { code: used.code })
        assert.equal(set.status, 200, set.text)
      }
      const shipping = { method: 'pickup' }
      await fill()
      const { json } = await buyer.request('POST', `${path}/orders`, { shipping })
      assert.equal(json.discount_total, 2.5)
      assert.equal((await buyer.request('GET', `${path}/cart`)).json.discount, null)
      await fill()
      const none = { shipping, discount_code: null }
      assert.equal((await buyer.request('POST', `${path}/orders`, none)).json.discount, null)
      await fill()
      await admin.request('PATCH', `/discounts/${used.id}`, { active: false })
      const failed = await buyer.request('POST', `${path}/orders`, { shipping })
      assert.deepEqual([failed.status, failed.json.error_code], [409, '4091'])
      assert.equal((await buyer.request('GET', `${path}/cart`)).json.item_count, 1)
      await buyer.request('DELETE', `${path}/cart`)
    })

    test('keeps the code with other items, computed anew, without a second use', async () => {
      const used = await discount({ minimum_subtotal: 20, usage_limit: 1 })
      const { json } = await order(2, { discount_code: used.code })
      const put = (quantity: number) =>
        buyer.request('PUT', `/users/${buyer.id}/orders/${json.id}`, {
          items: [{ product_id: product, quantity }],
        })
      const replaced = await put(4)
      assert.deepEqual([replaced.status, replaced.json.discount_total], [200, 10])
      assert.equal(await usedCount(used), 1)
      const below = await put(1)
      assert.deepEqual([below.status, below.json.error_code], [409, '4091'])
    })

    test('keeps its amount with the same items when the terms change', async () => {
      const used = await discount()
      const { json } = await order(2, { discount_code: used.code })
      await admin.request('PATCH', `/discounts/${used.id}`, { value: '50' })
      const same = { items: [{ product_id: product, quantity: 2 }], note: 'Ring.' }
      const path = `/users/${buyer.id}/orders/${json.id}`
      const replaced = await buyer.request('PUT', path, same)
      assert.deepEqual([replaced.status, replaced.json.discount_total], [200, json.discount_total])
    })

    test('that makes it cost nothing is paid at once, without a payment', async () => {
      const used = await discount({ value: '100' })
      const { status, json } = await order(1, { discount_code: used.code, expected_total: 0 })
      assert.equal(status, 201)
      assert.deepEqual([json.total, json.status, json.expires_at], [0, 'paid', null])
      assert.equal(json._links.pay, undefined)
      const purchases = await buyer.request('GET', `/purchases?order_id=${json.id}`)
      assert.equal(purchases.json.data.length, 1)
    })

    for (const [change, path, body] of [
      ['another method', (id: number) => `/orders/${id}/shipping`, { method: 'pickup' }],
      [
        'other items',
        (id: number) => `/users/${buyer.id}/orders/${id}`,
        { items: () => [{ product_id: product, quantity: 2 }], shipping: { method: 'pickup' } },
      ],
    ] as const) {
      test(`that costs nothing after ${change} is paid then, without a payment`, async () => {
        const used = await discount({ value: '100' })
        const shipping = to('DE')
        const { json: pending } = await order(1, { discount_code: used.code, shipping })
        assert.deepEqual([pending.total, pending.status], [5, 'pending'])
        const items = 'items' in body ? { items: body.items() } : {}
        const changed = await buyer.request('PUT', path(pending.id), { ...body, ...items })
        assert.equal(changed.status, 200, changed.text)
        const { json } = await buyer.request('GET', `/orders/${pending.id}`)
        assert.deepEqual([json.total, json.status, json.expires_at], [0, 'paid', null])
        const purchases = await buyer.request('GET', `/purchases?order_id=${pending.id}`)
        assert.equal(purchases.json.data.length, 1)
        const events = await admin.request('GET', `/events?subject=/orders/${pending.id}`)
        const types = events.json.data.map(({ type }: { type: string }) => type)
        assert.deepEqual(types, ['order.created', 'order.paid'])
      })
    }

    test('of free shipping takes off the shipping only', async () => {
      const used = await discount({ kind: 'free_shipping', value: null })
      const { json } = await order(1, { discount_code: used.code, shipping: to('DE') })
      assert.deepEqual(json.discount, { code: used.code, amount: 0 })
      assert.deepEqual([json.shipping_cost, json.discount_total, json.total], [0, 0, 10])
    })
  })
})
