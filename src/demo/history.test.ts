import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_PRODUCTS } from './catalogue.ts'
import { demoHistory } from './history.ts'
import { DEMO_PEOPLE } from './people.ts'
import { WRITTEN_REVIEWS } from './written-reviews.ts'

const { orders, reviews } = demoHistory(DEMO_PRODUCTS, DEMO_PEOPLE)

test('people have distinct names and example.com addresses', () => {
  assert.equal(new Set(DEMO_PEOPLE.map(({ name }) => name)).size, DEMO_PEOPLE.length)
  assert.equal(new Set(DEMO_PEOPLE.map(({ email }) => email)).size, DEMO_PEOPLE.length)
  for (const { email, home } of DEMO_PEOPLE) {
    assert.match(email, /^[a-z.]+@example\.com$/)
    assert.match(home.country, /^[A-Z]{2}$/)
  }
})

test('the history is the same every time', () => {
  assert.deepEqual(demoHistory(DEMO_PRODUCTS, DEMO_PEOPLE), { orders, reviews })
})

test('there are about sixty orders, in every state the demo shows', () => {
  assert.ok(orders.length >= 55 && orders.length <= 65)
  const states = new Set(orders.map(({ status }) => status))
  assert.deepEqual([...states].sort(), ['cancelled', 'delivered', 'paid', 'pending', 'shipped'])
})

test('every order belongs to someone and holds different, existing products', () => {
  for (const { user_index, recipient, items } of orders) {
    assert.equal(DEMO_PEOPLE[user_index]?.name, recipient)
    assert.ok(items.length > 0)
    assert.equal(new Set(items.map(({ product_index }) => product_index)).size, items.length)
    for (const { product_index, quantity } of items) {
      assert.ok(DEMO_PRODUCTS[product_index])
      assert.ok(Number.isInteger(quantity) && quantity > 0)
    }
  }
})

test('nothing that is still on preorder has left, and pending orders can be bought', () => {
  for (const { status, items } of orders) {
    for (const { product_index } of items) {
      const availability = DEMO_PRODUCTS[product_index]?.availability
      if (availability === 'preorder') assert.ok(status === 'paid' || status === 'pending')
      if (status === 'pending') assert.match(`${availability}`, /^(in_stock|preorder)$/)
    }
  }
})

test('an order ships after it is placed, arrives after it ships and is tracked on the way', () => {
  for (const order of orders) {
    const { status, age_hours, shipped_age_hours, delivered_age_hours } = order
    const hasLeft = status === 'shipped' || status === 'delivered'
    assert.equal(shipped_age_hours !== null, hasLeft)
    assert.equal(delivered_age_hours !== null, status === 'delivered')
    assert.equal(order.tracking_number !== null, hasLeft && order.shipping_method !== 'pickup')
    assert.equal(order.address === null, order.shipping_method === 'pickup')
    const times = [age_hours, shipped_age_hours, delivered_age_hours, 0].filter(
      (age) => age !== null,
    )
    assert.deepEqual(
      times.toSorted((a, b) => b - a),
      times,
    )
    assert.ok(Number.isInteger(age_hours * 3_600_000))
  }
})

test('only people who received a product review it, afterwards and once', () => {
  const seen = new Set<string>()
  for (const { user_index, product_index, age_hours } of reviews) {
    const order = orders.find(
      ({ status, user_index: buyer, items }) =>
        status === 'delivered' &&
        buyer === user_index &&
        items.some((item) => item.product_index === product_index),
    )
    assert.ok(order, `${user_index} never received ${product_index}`)
    assert.ok(age_hours >= 0)
    const pair = `${user_index} ${product_index}`
    assert.ok(!seen.has(pair))
    seen.add(pair)
    const received = orders.some(
      (one) =>
        one.user_index === user_index &&
        one.items.some((item) => item.product_index === product_index) &&
        (one.delivered_age_hours ?? -1) > age_hours,
    )
    assert.ok(received, `${pair} was reviewed before it arrived`)
  }
})

test('about 150 different reviews lean towards praise', () => {
  assert.ok(reviews.length >= 140 && reviews.length <= 160)
  assert.equal(new Set(reviews.map(({ body }) => body)).size, reviews.length)
  assert.equal(new Set(reviews.map(({ rating }) => rating)).size, 5)
  const mean = reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length
  assert.ok(mean > 3.8 && mean < 4.6, `${mean}`)
})

test('every written review names a product of the catalogue that could have been received', () => {
  for (const [sku, , title] of WRITTEN_REVIEWS) {
    const product = DEMO_PRODUCTS.find((candidate) => candidate.sku === sku)
    assert.ok(product && product.availability !== 'preorder', `${sku}: ${title}`)
    assert.ok(title.length <= 200)
  }
})

test('a shop without products or people has no history', () => {
  assert.deepEqual(demoHistory([], DEMO_PEOPLE), { orders: [], reviews: [] })
  assert.deepEqual(demoHistory(DEMO_PRODUCTS, []), { orders: [], reviews: [] })
})

test('a few products and one person still give consistent orders', () => {
  const small = demoHistory(DEMO_PRODUCTS.slice(0, 3), DEMO_PEOPLE.slice(0, 1))
  assert.ok(
    small.orders.every(({ items }) => items.every(({ product_index }) => product_index < 3)),
  )
  assert.ok(small.reviews.length <= 3)
})
