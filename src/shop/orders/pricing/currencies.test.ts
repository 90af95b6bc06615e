import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { currencyDigits } from '#values/money.ts'

const largest = 1_000_000_000_000

/** What pieces of a price cost with 8 % tax on top, and how a refund divides it. */
const examples = [
  {
    currency: 'JPY',
    price: 99,
    total: 321,
    pieces: [107, 107, 107],
    tooFine: 100.5,
    high: largest,
  },
  {
    ...{ currency: 'HUF', price: 19_990.01, total: 64_767.63, tooFine: 12.505 },
    ...{ pieces: [21_589.21, 21_589.21, 21_589.21], high: 999_999_999_999.99 },
  },
  {
    ...{ currency: 'EUR', price: 0.35, total: 1.13, tooFine: 0.001 },
    ...{ pieces: [0.37, 0.38, 0.38], high: 999_999_999_999.99 },
  },
  {
    ...{ currency: 'KWD', price: 0.333, total: 1.079, tooFine: 0.0005 },
    ...{ pieces: [0.359, 0.36, 0.36], high: 999_999_999_999.999 },
  },
] as const

eachDatabase((kind) => {
  for (const { currency, price, total, pieces, tooFine, high } of examples) {
    describe(`a shop with amounts in ${currency}`, () => {
      const digits = currencyDigits(currency)
      let shop: PayingApp
      let admin: TestCaller
      let buyer: TestCaller
      before(async () => {
        const rules = { currency, currencyDigits: digits, pricesIncludeTax: false, country: 'DE' }
        shop = await startPayingApp(kind, 1000, { shop: rules })
        admin = await shop.signInAs('admin')
        buyer = await shop.signInAs('customer')
        const tax = { country: 'DE', rate: '8', name: 'Tax' }
        assert.equal((await admin.request('POST', '/tax-rates', tax)).status, 201)
      })
      after(() => shop.dispose())

      const order = (product_id: number, quantity: number) =>
        buyer.request('POST', `/users/${buyer.id}/orders`, {
          items: [{ product_id, quantity }],
          shipping: { method: 'pickup' },
        })

      test('takes the decimals of the currency and no more', async () => {
        const { status, json } = await admin.request('POST', '/products', {
          name: 'Too fine',
          price: tooFine,
        })
        assert.deepEqual([status, json.errors[0].field], [422, 'price'])
      })

      test('adds up an order, and refunds its pieces to the last unit', async () => {
        const { id } = await shop.addProduct({ price })
        const { json: placed } = await order(id, 3)
        assert.equal(placed.total, total)
        const at = `/users/${buyer.id}/orders/${placed.id}`
        const payment = { method: 'card', token: 'tok_visa' }
        assert.equal((await buyer.request('POST', `${at}/payment`, payment)).status, 201)
        const { json: items } = await buyer.request('GET', `/orders/${placed.id}/items`)
        const [{ id: order_item_id }] = items.data
        for (const amount of pieces) {
          const refund = await admin.request('POST', `/orders/${placed.id}/refunds`, {
            items: [{ order_item_id, quantity: 1 }],
          })
          assert.deepEqual([refund.status, refund.json.amount], [201, amount], refund.text)
        }
        const { json: refunded } = await buyer.request('GET', at)
        assert.deepEqual([refunded.refunded_total, refunded.status], [total, 'cancelled'])
      })

      test('holds the highest amounts exactly in JSON, both versions, XML and CSV', async () => {
        for (const amount of new Set([high, largest])) {
          const text = amount.toFixed(digits)
          const { id } = await shop.addProduct({ price: amount, sku: `SKU-${amount}` })
          const read = async (path: string, accept: string) =>
            await admin.request('GET', path, undefined, { accept })
          assert.equal((await admin.request('GET', `/products/${id}`)).json.price, amount)
          const { json } = await admin.request('GET', `/v2/products/${id}`)
          assert.deepEqual(json.price, { amount: text, currency })
          const xml = await read(`/products/${id}`, 'application/xml')
          assert.match(xml.text, new RegExp(`<price>${amount}</price>`))
          const csv = await read('/products', 'text/csv')
          assert.ok(csv.text.includes(`,${amount},`), csv.text)
          const sent = await admin.request('PATCH', `/v2/products/${id}`, { price: json.price })
          assert.deepEqual([sent.status, sent.json.price], [200, json.price])
        }
        const above = await admin.request('POST', '/products', { name: 'x', price: largest + 1 })
        assert.deepEqual([above.status, above.json.errors[0].field], [422, 'price'])
      })

      test('refuses an order above the highest amount, whose cart is still readable', async () => {
        const { id: product_id } = await shop.addProduct({ price: high })
        const placed = await order(product_id, 999)
        assert.deepEqual([placed.status, placed.json.error_code], [409, '4091'], placed.text)
        await buyer.request('POST', '/cart', { product_id, quantity: 999 })
        const { json } = await buyer.request('GET', `/v2/users/${buyer.id}/cart/status`)
        assert.equal(json.problems[0].code, 'total_too_large')
        assert.match(json.subtotal.amount, /^\d+(\.\d+)?$/)
      })
    })
  }
})
