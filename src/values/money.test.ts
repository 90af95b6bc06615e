import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currencyDigits, fromMajor, toDecimalText, toMajor } from './money.ts'

test('an amount converted to major units and back is unchanged', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9_999_999_999 }),
      fc.constantFrom(0, 2, 3),
      (minor, digits) => {
        assert.equal(fromMajor(toMajor(minor, digits), digits), minor)
      },
    ),
  )
})

test('an amount with more decimals than the currency is undefined', () => {
  assert.equal(fromMajor(0.001, 2), undefined)
  assert.equal(fromMajor(1.5, 0), undefined)
  assert.equal(fromMajor(1e-9, 2), undefined)
  assert.equal(fromMajor(19.999, 2), undefined)
  assert.equal(fromMajor(99_999_999.991, 2), undefined)
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

test('currencies have 0, 2 or 3 decimals, and an unknown one is a RangeError', () => {
  assert.equal(currencyDigits('USD'), 2)
  assert.equal(currencyDigits('JPY'), 0)
  assert.equal(currencyDigits('KWD'), 3)
  assert.throws(() => currencyDigits('XYZ'), RangeError)
})
