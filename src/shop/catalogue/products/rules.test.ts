import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { catchProblemCode } from '#test/support/problems.ts'
import { type Availability, productStatuses } from './fields.ts'
import { createProductState, patchProductState, replaceProductState } from './rules.ts'
import { isBuyable, requireBuyableProduct } from './sellable.ts'

const kettle = createProductState({
  name: 'Kettle',
  description: 'Boils water.',
  sku: 'K-1',
  price: 1999,
  category: 'kitchen',
  stock: 3,
})

const stored = { ...kettle, variant_count: 0, images: null }

const availabilities: readonly Availability[] = [
  'in_stock',
  'out_of_stock',
  'preorder',
  'discontinued',
]

describe('a product', () => {
  test('takes defaults for omitted fields', () => {
    assert.deepEqual(createProductState({ name: 'Kettle', price: 1999 }), {
      name: 'Kettle',
      description: '',
      sku: null,
      price: 1999,
      category: null,
      availability: 'in_stock',
      backorder: 0,
      status: 'active',
      stock: null,
      image_url: null,
      variant_of: null,
      options: null,
      handle: null,
      brand: null,
      gtin: null,
      external_id: null,
      tax_class: null,
      compare_at_price: null,
      cost_price: null,
      weight_grams: null,
      unit_measure: null,
      requires_shipping: 1,
      tags: '[]',
      attributes: null,
      seo_title: null,
      seo_description: null,
      description_html: null,
    })
  })

  test('keeps the fields that a patch omits', () => {
    assert.deepEqual(patchProductState(stored, { price: 5 }), { ...kettle, price: 5 })
    assert.deepEqual(patchProductState(stored, { sku: null }), { ...kettle, sku: null })
    assert.deepEqual(patchProductState(stored, {}), kettle)
  })

  test('keeps its image_url while it has images', () => {
    const image_url = 'https://example.com/other.jpg'
    const illustrated = { ...stored, images: '[{}]' }
    assert.deepEqual(patchProductState(illustrated, { image_url }), kettle)
    assert.deepEqual(
      replaceProductState(illustrated, { name: 'Pot', price: 1, image_url }).image_url,
      null,
    )
    assert.equal(patchProductState(stored, { image_url }).image_url, image_url)
  })

  test('drops the fields of a row that are not state', () => {
    const row = { ...stored, id: 1, revision: 7, rating_sum: 4 }
    assert.deepEqual(patchProductState(row, {}), kettle)
  })

  const availabilityCases: readonly (readonly [Availability, number | null, Availability])[] = [
    ['in_stock', 0, 'out_of_stock'],
    ['out_of_stock', 1, 'in_stock'],
    ['in_stock', 1, 'in_stock'],
    ['out_of_stock', null, 'out_of_stock'],
    ['in_stock', null, 'in_stock'],
    ['preorder', 0, 'preorder'],
    ['preorder', 5, 'preorder'],
    ['discontinued', 5, 'discontinued'],
    ['backorder', 5, 'in_stock'],
    ['backorder', 0, 'out_of_stock'],
    ['backorder', null, 'in_stock'],
  ]
  for (const [availability, stock, expected] of availabilityCases) {
    test(`${availability} with stock ${stock} becomes ${expected}`, () => {
      const body = { name: 'Kettle', price: 1, availability, stock }
      assert.equal(createProductState(body).availability, expected)
      assert.equal(patchProductState(stored, { availability, stock }).availability, expected)
    })
  }
})

const single = {
  name: 'Kettle',
  variant_count: 0,
  status: 'active',
  parent_status: null,
  backorder: 0,
} as const

describe('isBuyable', () => {
  const cases: readonly (readonly [Availability, number | null, boolean])[] = [
    ['in_stock', null, true],
    ['in_stock', 1, true],
    ['in_stock', 0, false],
    ['preorder', null, true],
    ['preorder', 1, true],
    ['preorder', 0, false],
    ['out_of_stock', null, false],
    ['discontinued', 5, false],
  ]
  for (const [availability, stock, expected] of cases) {
    test(`is ${expected} for ${availability} with stock ${stock}`, () => {
      assert.equal(isBuyable({ ...single, availability, stock, deleted_at: null }), expected)
    })
  }

  test('is false for a removed product', () => {
    for (const availability of availabilities) {
      assert.equal(isBuyable({ ...single, availability, stock: 5, deleted_at: 1 }), false)
    }
  })
})

describe('requireBuyable', () => {
  const cases: readonly (readonly [string, number | null, number, string | undefined])[] = [
    ['in_stock', 3, 3, undefined],
    ['in_stock', 3, 4, '4093'],
    ['in_stock', null, 999, undefined],
    ['out_of_stock', 0, 1, '4093'],
    ['out_of_stock', null, 1, '4091'],
    ['discontinued', 3, 1, '4091'],
    ['preorder', null, 1, undefined],
  ]
  for (const [availability, stock, quantity, code] of cases) {
    const outcome = code === undefined ? 'passes' : `throws ${code}`
    test(`${outcome} for ${quantity} of a product ${availability} with stock ${stock}`, () => {
      const product = { ...single, availability: availability as Availability, stock }
      const act = () => requireBuyableProduct({ ...product, deleted_at: null }, quantity)
      assert.equal(catchProblemCode(act), code)
    })
  }

  test('throws exactly when the product cannot be bought or its stock is too small', () => {
    const anyProduct = fc.record({
      name: fc.constant('Kettle'),
      status: fc.constantFrom(...productStatuses),
      parent_status: fc.option(fc.constantFrom(...productStatuses)),
      availability: fc.constantFrom(...availabilities),
      stock: fc.option(fc.integer({ min: -2, max: 5 })),
      backorder: fc.constantFrom(0, 1),
      deleted_at: fc.option(fc.nat()),
      variant_count: fc.nat(1),
    })
    fc.assert(
      fc.property(anyProduct, fc.integer({ min: 1, max: 9 }), (product, quantity) => {
        const isEnough =
          product.stock === null || product.backorder === 1 || product.stock >= quantity
        const passes =
          catchProblemCode(() => requireBuyableProduct(product, quantity)) === undefined
        return passes === (isBuyable(product) && isEnough)
      }),
    )
  })
})
