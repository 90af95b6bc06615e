import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePercent } from './percent.ts'
import { priceOrder } from './price.ts'
import { findTaxRate, type TaxRule, taxOn } from './tax.ts'

const units = (percent: string) => parsePercent(percent) ?? Number.NaN

const hmrc = 'HM Revenue and Customs, Calculating VAT'
const ird = 'Inland Revenue New Zealand, Calculating GST'

/** Published examples: source, price in minor units, rate, whether the price includes it, tax. */
const published = [
  [hmrc, 100_00, '20', false, 20_00],
  [hmrc, 100_00, '5', false, 5_00],
  [hmrc, 120_00, '20', true, 20_00],
  ['Institute of Certified Bookkeepers, VAT fractions', 235_00, '17.5', true, 35_00],
  ['Institute of Certified Bookkeepers, VAT fractions', 240_00, '20', true, 40_00],
  ['Institute of Certified Bookkeepers, VAT fractions', 210_00, '5', true, 10_00],
  ['It’s Relative, VAT fraction', 60_00, '20', true, 10_00],
  ['It’s Relative, VAT fraction', 80_00, '5', true, 3_81],
  ['VATark, What’s the new VAT fraction', 24_00, '20', true, 4_00],
  ['VATark, What’s the new VAT fraction', 24_00, '17.5', true, 3_57],
  ['Accounting Services for Business, VAT rates and fractions', 115_00, '15', true, 15_00],
  ['Accounting Services for Business, VAT rates and fractions', 117_50, '17.5', true, 17_50],
  ['Web User forum, adding VAT', 74_59, '17.5', false, 13_05],
  [ird, 1_500_00, '15', false, 225_00],
  [ird, 1_725_00, '15', true, 225_00],
  ['DSANZ, Calculating GST in an amount', 100_00, '15', true, 13_04],
  ['Zuora, Rounding rule for inclusive tax mode', 2_99, '4', true, 12],
] as const

describe('tax as published', () => {
  for (const [source, amount, percent, isIncluded, tax] of published) {
    const kind = isIncluded ? 'contained in' : 'added to'
    test(`${source}: ${percent} % ${kind} ${amount} is ${tax}`, () => {
      assert.equal(taxOn(amount, units(percent), isIncluded), tax)
    })
  }

  const line = (product_id: number, category: string, line_total: number) => ({
    product_id,
    variant_of: null,
    category,
    quantity: 10,
    line_total,
  })
  const rule = (category: string | null, percent: string): TaxRule => ({
    country: 'SE',
    region: null,
    category,
    rate: units(percent),
  })
  const sweden = { taxPlace: { country: 'SE', region: null }, isTaxIncluded: false }

  test('Peppol BIS Billing 3.0, category S: two rates, a charge and a discount', () => {
    const price = priceOrder({
      ...sweden,
      lines: [line(1, 'full', 4_000_00), line(2, 'reduced', 2_000_00), line(3, 'full', 900_00)],
      discount: {
        value: { kind: 'amount', amountMinor: 100_00 },
        scope: { products: [], categories: ['full'] },
      },
      shippingMinor: 200_00,
      taxRules: [rule(null, '25'), rule('reduced', '15')],
    })
    assert.equal(price.tax, 1_550_00)
    assert.equal(price.total, 8_550_00)
  })

  test('Peppol BIS Billing 3.0, allowances: an exempt line, a charge and a discount', () => {
    const price = priceOrder({
      ...sweden,
      lines: [line(1, 'full', 4_000_00), line(2, 'exempt', 1_000_00), line(3, 'full', 900_00)],
      discount: {
        value: { kind: 'amount', amountMinor: 200_00 },
        scope: { products: [1, 3], categories: [] },
      },
      shippingMinor: 200_00,
      taxRules: [rule(null, '25'), rule('exempt', '0')],
    })
    assert.equal(price.tax, 1_225_00)
    assert.equal(price.total, 7_125_00)
  })

  test('Wisconsin Department of Revenue, delivery charges: shipping is taxed', () => {
    const price = priceOrder({
      lines: [line(1, 'goods', 100_00)],
      discount: null,
      shippingMinor: 10_00,
      taxRules: [{ country: 'US', region: 'WI', category: null, rate: units('5') }],
      taxPlace: { country: 'US', region: 'wi' },
      isTaxIncluded: false,
    })
    assert.equal(price.tax, 5_50)
    assert.equal(price.total, 115_50)
  })
})

describe('the tax rate', () => {
  const rules: readonly TaxRule[] = [
    { country: 'US', region: null, category: null, rate: 1 },
    { country: 'US', region: null, category: 'food', rate: 2 },
    { country: 'US', region: 'NY', category: null, rate: 3 },
    { country: 'US', region: 'NY', category: 'food', rate: 4 },
    { country: 'DE', region: null, category: 'food', rate: 5 },
  ]
  for (const [country, region, category, rate] of [
    ['US', 'CA', 'toys', 1],
    ['US', null, 'food', 2],
    ['US', 'NY', 'toys', 3],
    ['US', ' ny ', 'food', 4],
    ['US', 'NY', null, 3],
    ['DE', null, 'food', 5],
    ['DE', null, 'toys', 0],
    ['DE', null, null, 0],
    ['FR', null, 'food', 0],
    [null, null, 'food', 0],
  ] as const) {
    test(`of ${category ?? 'shipping'} to ${region ?? 'no region'}, ${country} is the most specific`, () => {
      assert.equal(findTaxRate(rules, { country, region }, { category }), rate)
    })
  }

  test('of a region is found whatever its outer spaces and Unicode form', () => {
    const zurich = [{ country: 'CH', region: ' Z\u00fcrich', category: null, rate: 6 }]
    for (const region of ['Z\u00fcrich', 'Zu\u0308rich', 'ZU\u0308RICH ']) {
      assert.equal(findTaxRate(zurich, { country: 'CH', region }, { category: null }), 6, region)
    }
  })

  test('of a region outweighs that of a category', () => {
    const withoutBoth = rules.filter(({ rate }) => rate !== 4)
    const newYork = { country: 'US', region: 'NY' }
    assert.equal(findTaxRate(withoutBoth, newYork, { category: 'food' }), 3)
  })

  test('of a tax class outweighs that of a category, and is outweighed by that of a region', () => {
    const base = { country: 'US', region: null, category: null }
    const reduced = { ...base, tax_class: 'Reduced', rate: 7 }
    const both = { ...base, category: 'food', tax_class: 'reduced', rate: 8 }
    const food = { category: 'food', tax_class: 'REDUCED' }
    const rateOf = (some: readonly TaxRule[], region: string | null) =>
      findTaxRate([...rules, ...some], { country: 'US', region }, food)
    assert.equal(rateOf([reduced], null), 7)
    assert.equal(rateOf([reduced, both], null), 8)
    assert.equal(rateOf([reduced], 'NY'), 4)
    const other = { category: 'toys', tax_class: null }
    assert.equal(findTaxRate([reduced], { country: 'US', region: null }, other), 0)
  })
})
