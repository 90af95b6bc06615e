import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bulkOrder, bulkProduct, bulkSku, bulkUser } from './bulk.ts'
import { BULK_WORDS, DEMO_PRODUCTS } from './data.ts'

const SAMPLE = Array.from({ length: 100_000 }, (_, index) => bulkProduct(index))

test('the same number always gives the same product, user and order', () => {
  const extent = { products: 1000, users: 100 }
  for (const n of [0, 1, 999_999, 1_500_000]) {
    assert.deepEqual(bulkProduct(n), bulkProduct(n))
    assert.deepEqual(bulkUser(n), bulkUser(n))
    assert.deepEqual(bulkOrder(n, extent), bulkOrder(n, extent))
  }
})

test('generated SKUs and names are unique and never those of the written catalogue', () => {
  const skus = new Set([...SAMPLE, ...DEMO_PRODUCTS].map(({ sku }) => sku))
  const names = new Set([...SAMPLE, ...DEMO_PRODUCTS].map(({ name }) => name))
  assert.equal(skus.size, SAMPLE.length + DEMO_PRODUCTS.length)
  assert.equal(names.size, SAMPLE.length + DEMO_PRODUCTS.length)
})

test('names stay apart beyond the first million products', () => {
  const far = Array.from({ length: 20_000 }, (_, index) => bulkProduct(1_152_000 + index).name)
  assert.equal(new Set([...far, ...SAMPLE.map(({ name }) => name)]).size, 120_000)
})

test('every category can name a hundred thousand products with words used once', () => {
  const { categories, series } = BULK_WORDS
  for (const { adjectives, materials, things } of categories) {
    const names = adjectives.length * materials.length * things.length * series.length
    assert.ok(names >= 100_000)
    for (const list of [adjectives, materials, things]) {
      assert.equal(new Set(list).size, list.length)
    }
  }
})

test('every ten neighbours hold all ten categories', () => {
  for (let start = 0; start < 1000; start += 10) {
    const found = new Set(SAMPLE.slice(start, start + 10).map(({ category }) => category))
    assert.equal(found.size, BULK_WORDS.categories.length)
  }
})

test('a generated product has a valid price and a stock that agrees with its availability', () => {
  for (const { name, description, sku, price, stock, availability } of SAMPLE) {
    assert.doesNotMatch(`${name} ${description}`, /\s{2}|[\n\t]|undefined/)
    assert.ok(name.length <= 200 && /^[A-Z]{3}-\d{7}$/.test(`${sku}`))
    assert.ok(Number.isInteger(price) && price > 0)
    if (stock === null) assert.notEqual(availability, 'out_of_stock')
    else assert.equal(availability, stock === 0 ? 'out_of_stock' : 'in_stock')
  }
})

test('most generated products are in stock and a few are not', () => {
  const share = (wanted: string) =>
    SAMPLE.filter(({ availability }) => availability === wanted).length / SAMPLE.length
  assert.ok(share('in_stock') > 0.9)
  for (const state of ['out_of_stock', 'preorder', 'discontinued']) assert.ok(share(state) > 0.01)
})

test('generated users have distinct emails and an age of 18 to 84 or none', () => {
  const users = Array.from({ length: 10_000 }, (_, n) => bulkUser(n))
  assert.equal(new Set(users.map(({ email }) => email)).size, users.length)
  for (const { email, age } of users) {
    assert.match(email, /^[a-z]+\.[a-z]+\.\d+@example\.com$/)
    assert.ok(age === null || (age >= 18 && age <= 84))
  }
})

test('a generated order points only inside its extent and names its user', () => {
  const extents = [
    { products: 1, users: 1 },
    { products: 3, users: 2 },
    { products: 1_000_000, users: 5000 },
  ]
  for (const extent of extents) {
    for (let n = 0; n < 2000; n += 1) {
      const { email, recipient, items } = bulkOrder(n, extent)
      const user = Number(/\d+/.exec(email)?.[0])
      assert.ok(user < extent.users)
      const { age: _, ...buyer } = bulkUser(user)
      assert.deepEqual({ name: recipient, email }, buyer)
      assert.ok(items.length >= 1 && items.length <= 5)
      for (const { sku, quantity } of items) {
        const product = Number(sku.slice(4))
        assert.ok(product < extent.products && quantity > 0)
        assert.equal(sku, bulkSku(product))
      }
      assert.equal(new Set(items.map(({ sku }) => sku)).size, items.length)
    }
  }
})

test('a generated order ships after it is placed and arrives after it ships', () => {
  for (let n = 0; n < 5000; n += 1) {
    const order = bulkOrder(n, { products: 100, users: 100 })
    const ages = [order.age_hours, order.shipped_age_hours, order.delivered_age_hours, 0]
    const times = ages.filter((age) => age !== null)
    assert.deepEqual(
      times.toSorted((a, b) => b - a),
      times,
    )
    assert.equal(order.delivered_age_hours !== null, order.status === 'delivered')
  }
})
