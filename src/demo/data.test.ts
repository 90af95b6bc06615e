import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ProductBody } from '#shop/catalogue/products/schema.ts'
import products from './data/products.json' with { type: 'json' }
import {
  BULK_WORDS,
  checkData,
  DEMO_ORDERS,
  DEMO_PEOPLE,
  DEMO_PRODUCTS,
  DEMO_REVIEWS,
  personOf,
} from './data.ts'

// Importing data.ts holds every row to the schemas of the API; these tests add what no schema says.
const availabilityOf = (sku: string) =>
  DEMO_PRODUCTS.find((product) => product.sku === sku)?.availability

describe('the check of the data', () => {
  const product = { name: 'Kettle', price: 19.99 }
  test('returns amounts in minor units', () => {
    assert.equal(checkData('products', ProductBody, product).price, 1999)
  })
  for (const [what, wrong, said] of [
    ['a missing field', { name: 'Kettle' }, /products\.price is required/],
    ['an unknown field', { ...product, colour: 'red' }, /products\.colour /],
    ['a fraction of a cent', { ...product, price: 1.999 }, /products\.price .*decimal places/],
    ['an unknown word', { ...product, availability: 'soon' }, /products\.availability .*in_stock/],
    ['a text for a number', { ...product, stock: '3' }, /products\.stock /],
  ] as const) {
    test(`names the place of ${what}`, () => {
      assert.throws(() => checkData('products', ProductBody, wrong), said)
    })
  }
  test('throws for an unknown person', () => {
    assert.throws(() => personOf('nobody@example.com'), /nobody@example\.com/)
  })
})

describe('the products', () => {
  test('are at least 220 in the ten categories that generated products have', () => {
    assert.ok(DEMO_PRODUCTS.length >= 220)
    const used = new Set(DEMO_PRODUCTS.map(({ category }) => category))
    assert.deepEqual(
      [...used],
      BULK_WORDS.categories.map(({ category }) => category),
    )
    assert.equal(used.size, 10)
  })

  test('have a unique SKU, name and description', () => {
    for (const column of ['sku', 'name', 'description'] as const) {
      const values = new Set(DEMO_PRODUCTS.map((product) => `${product[column]}`.toLowerCase()))
      assert.equal(values.size, DEMO_PRODUCTS.length, column)
    }
    for (const { sku, description } of DEMO_PRODUCTS) {
      assert.match(`${sku}`, /^[A-Z]{3}-[A-Z0-9-]+$/)
      assert.match(description, /^.{20,300}[.!?]$/)
    }
  })

  test('have a price above zero', () => {
    for (const { name, price } of DEMO_PRODUCTS) assert.ok(price > 0, name)
  })

  test('are written down with the availability that the rules make of their stock', () => {
    assert.deepEqual(
      products.map(({ availability }) => availability),
      DEMO_PRODUCTS.map(({ availability }) => availability),
    )
    for (const { name, stock, availability } of DEMO_PRODUCTS) {
      assert.equal(availability === 'out_of_stock', stock === 0, name)
    }
  })

  test('show every availability, and most are in stock', () => {
    const byAvailability = Map.groupBy(DEMO_PRODUCTS, ({ availability }) => availability)
    const states = ['discontinued', 'in_stock', 'out_of_stock', 'preorder']
    assert.deepEqual([...byAvailability.keys()].sort(), states)
    const inStock = byAvailability.get('in_stock')?.length ?? 0
    assert.ok(inStock > DEMO_PRODUCTS.length * 0.8)
  })

  test('have images under images.example.com or none', () => {
    for (const { image_url } of DEMO_PRODUCTS) {
      if (image_url !== null)
        assert.match(image_url, /^https:\/\/images\.example\.com\/[a-z0-9/.-]+$/)
    }
  })
})

test('people have distinct names and example.com addresses', () => {
  assert.equal(new Set(DEMO_PEOPLE.map(({ name }) => name)).size, DEMO_PEOPLE.length)
  assert.equal(new Set(DEMO_PEOPLE.map(({ email }) => email)).size, DEMO_PEOPLE.length)
  for (const { email, home } of DEMO_PEOPLE) {
    assert.match(email, /^[a-z.]+@example\.com$/)
    for (const field of ['line1', 'city', 'postal_code', 'country'] as const) assert.ok(home[field])
  }
})

describe('the orders', () => {
  test('are about sixty, in every state the demo shows, from the oldest to the newest', () => {
    assert.ok(DEMO_ORDERS.length >= 55 && DEMO_ORDERS.length <= 65)
    const states = new Set(DEMO_ORDERS.map(({ status }) => status))
    assert.deepEqual([...states].sort(), ['cancelled', 'delivered', 'paid', 'pending', 'shipped'])
    const ages = DEMO_ORDERS.map(({ age_hours }) => age_hours)
    assert.deepEqual(
      ages,
      ages.toSorted((a, b) => b - a),
    )
  })

  test('hold different products of the catalogue, which could be bought then', () => {
    for (const { status, items } of DEMO_ORDERS) {
      assert.equal(new Set(items.map(({ sku }) => sku)).size, items.length)
      for (const { sku } of items) {
        const availability = availabilityOf(sku)
        assert.ok(availability, sku)
        if (availability === 'preorder') assert.match(status, /^(paid|pending)$/)
        if (availability === 'discontinued') assert.equal(status, 'delivered')
        if (availability === 'out_of_stock') assert.notEqual(status, 'pending')
      }
    }
  })

  test('ship after they are placed, arrive after they ship and are tracked on the way', () => {
    for (const order of DEMO_ORDERS) {
      const { status, shipping_method, age_hours, shipped_age_hours, delivered_age_hours } = order
      const hasLeft = status === 'shipped' || status === 'delivered'
      assert.equal(shipped_age_hours !== null, hasLeft)
      assert.equal(delivered_age_hours !== null, status === 'delivered')
      assert.equal(order.tracking_number !== null, hasLeft && shipping_method !== 'pickup')
      assert.equal(order.address === null, shipping_method === 'pickup')
      if (status === 'pending') assert.ok(age_hours < 0.5, 'it can still be paid')
      const times = [age_hours, shipped_age_hours, delivered_age_hours, 0].filter(
        (age) => age !== null,
      )
      assert.deepEqual(
        times,
        times.toSorted((a, b) => b - a),
      )
      assert.ok(Number.isInteger(age_hours * 3_600_000))
    }
  })
})

describe('the reviews', () => {
  test('are of people who received the product, afterwards and once', () => {
    const pairs = new Set(DEMO_REVIEWS.map(({ email, sku }) => `${email} ${sku}`))
    assert.equal(pairs.size, DEMO_REVIEWS.length)
    for (const { email, sku, age_hours } of DEMO_REVIEWS) {
      const received = DEMO_ORDERS.some(
        (order) =>
          order.email === email &&
          order.items.some((item) => item.sku === sku) &&
          (order.delivered_age_hours ?? -1) > age_hours,
      )
      assert.ok(received, `${email} reviewed ${sku} before it arrived`)
    }
  })

  test('are about 150, all different, and lean towards praise', () => {
    assert.ok(DEMO_REVIEWS.length >= 140 && DEMO_REVIEWS.length <= 160)
    assert.equal(new Set(DEMO_REVIEWS.map(({ body }) => body)).size, DEMO_REVIEWS.length)
    assert.equal(new Set(DEMO_REVIEWS.map(({ rating }) => rating)).size, 5)
    const mean = DEMO_REVIEWS.reduce((sum, { rating }) => sum + rating, 0) / DEMO_REVIEWS.length
    assert.ok(mean > 3.8 && mean < 4.6, `${mean}`)
  })
})
