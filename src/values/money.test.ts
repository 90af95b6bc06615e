import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  currencyDigits,
  fromDecimalText,
  fromMajor,
  maximumMinor,
  moneyFormat,
  sumAmounts,
  timesQuantity,
  toDecimalText,
  toMajor,
} from './money.ts'

for (const currency of ['JPY', 'HUF', 'EUR', 'KWD']) {
  const digits = currencyDigits(currency)
  const amount = fc.integer({ min: 0, max: maximumMinor(digits) })

  test(`an amount in ${currency} is the same after JSON and decimal text`, () => {
    fc.assert(
      fc.property(amount, (minor) => {
        const number = JSON.parse(JSON.stringify(toMajor(minor, digits))) as number
        assert.equal(fromMajor(number, digits), minor)
        const text = toDecimalText(minor, digits)
        assert.equal(fromDecimalText(text, digits), minor)
        assert.equal(Number(text), number)
      }),
    )
  })

  test(`pieces in ${currency} are exact or refused`, () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 999 }), (minor, quantity) => {
        const exact = BigInt(minor) * BigInt(quantity)
        const product = timesQuantity(minor, quantity)
        const sum = sumAmounts(Array<number>(quantity).fill(minor))
        assert.equal(sum, product)
        assert.ok(BigInt(product) === exact || product > maximumMinor(digits))
      }),
    )
  })
}

test('an amount with more decimals than the currency is undefined', () => {
  assert.equal(fromMajor(0.001, 2), undefined)
  assert.equal(fromMajor(1.5, 0), undefined)
  assert.equal(fromMajor(1e-9, 2), undefined)
  assert.equal(fromMajor(19.999, 2), undefined)
  assert.equal(fromMajor(99_999_999.991, 2), undefined)
  assert.equal(fromMajor(999_999_999_999.9995, 3), undefined)
  assert.equal(fromMajor(Number.NaN, 2), undefined)
})

test('an amount with the rounding error of binary fractions is the amount meant', () => {
  assert.equal(fromMajor(35 * 0.01, 2), 35)
  assert.equal(fromMajor(0.1 + 0.2, 2), 30)
  assert.equal(fromMajor(3 * 1.1, 2), 330)
})

test('decimal text has exactly the decimals of the currency', () => {
  assert.equal(toDecimalText(1990, 2), '19.90')
  assert.equal(toDecimalText(5, 2), '0.05')
  assert.equal(toDecimalText(5, 0), '5')
})

test('currencies have the decimals of ISO 4217, whatever the runtime has', () => {
  const digits = (codes: string) => codes.split(' ').map(currencyDigits)
  for (const each of digits('JPY ISK KRW CLP UGX VND XOF')) assert.equal(each, 0)
  // Runtimes give some of these 0, in some versions.
  for (const each of digits('USD EUR HUF IDR COP PKR RSD LBP ALL IRR MMK LAK SYP YER SOS MGA')) {
    assert.equal(each, 2)
  }
  for (const each of digits('BHD IQD JOD KWD LYD OMR TND')) assert.equal(each, 3)
})

for (const code of ['XYZ', 'usd', '', 'XAU', 'XXX', 'XTS', 'XDR', 'CLF', 'UYW', 'DEM']) {
  test(`${JSON.stringify(code)} is no currency of a shop`, () => {
    assert.throws(() => currencyDigits(code), RangeError)
  })
}

for (const [language, currency, amount, text] of [
  ['en', 'HUF', 12.5, 'HUF 12.50'],
  ['de', 'EUR', 19_990, '19.990,00 €'],
  ['en', 'JPY', 500, '¥500'],
  ['en', 'IQD', 1, 'IQD 1.000'],
] as const) {
  test(`${amount} ${currency} is written as ${text}`, () => {
    assert.equal(moneyFormat(language, currency).format(amount).replaceAll('\u00a0', ' '), text)
  })
}
