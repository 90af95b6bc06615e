import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_PRODUCTS } from './catalogue.ts'
import { DEMO_CATEGORIES } from './rows.ts'

test('the demo shop has at least 220 products in exactly ten categories', () => {
  assert.ok(DEMO_PRODUCTS.length >= 220)
  const used = new Set(DEMO_PRODUCTS.map(({ category }) => category))
  assert.deepEqual([...used], [...DEMO_CATEGORIES])
  assert.equal(used.size, 10)
})

test('no two products share an SKU, a name or a description', () => {
  for (const column of ['sku', 'name', 'description'] as const) {
    const values = new Set(DEMO_PRODUCTS.map((product) => product[column].toLowerCase()))
    assert.equal(values.size, DEMO_PRODUCTS.length, column)
  }
})

test('names have 1 to 200 characters and every product is described', () => {
  for (const { name, description } of DEMO_PRODUCTS) {
    assert.ok(name.length >= 1 && name.length <= 200, name)
    assert.match(description, /^.{20,300}[.!?]$/, name)
  }
})

test('prices are positive whole cents', () => {
  for (const { name, price_minor } of DEMO_PRODUCTS) {
    assert.ok(Number.isSafeInteger(price_minor) && price_minor > 0, name)
  }
})

test('a counted product is out of stock exactly when none is left', () => {
  for (const { name, stock, availability } of DEMO_PRODUCTS) {
    if (stock === null) assert.notEqual(availability, 'out_of_stock', name)
    else assert.equal(availability, stock === 0 ? 'out_of_stock' : 'in_stock', name)
  }
})

test('every availability is shown and most products are in stock', () => {
  const byAvailability = Map.groupBy(DEMO_PRODUCTS, ({ availability }) => availability)
  const states = ['discontinued', 'in_stock', 'out_of_stock', 'preorder']
  assert.deepEqual([...byAvailability.keys()].sort(), states)
  const inStock = byAvailability.get('in_stock')?.length ?? 0
  assert.ok(inStock > DEMO_PRODUCTS.length * 0.8)
})

test('images are https addresses under images.example.com or absent', () => {
  for (const { image_url } of DEMO_PRODUCTS) {
    if (image_url !== null)
      assert.match(image_url, /^https:\/\/images\.example\.com\/[a-z0-9/.-]+$/)
  }
})
