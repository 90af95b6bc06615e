import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digitsByCurrency } from '#values/currencies.ts'
import { currencyDigits } from '#values/money.ts'
import { fromStripeAmount, toStripeAmount } from './amounts.ts'

// [currency, major units, what Stripe is sent], from https://docs.stripe.com/currencies
const examples = [
  ['USD', 10, 1000],
  ['EUR', 19.99, 1999],
  ['JPY', 500, 500],
  ['KRW', 500, 500],
  ['MGA', 500, 500],
  ['ISK', 5, 500],
  ['UGX', 5, 500],
  ['HUF', 10, 1000],
  ['TWD', 10, 1000],
  ['KWD', 5.12, 5120],
  ['BHD', 5.12, 5120],
  ['TND', 0.01, 10],
] as const

for (const [currency, major, expected] of examples) {
  test(`${major} ${currency} are ${expected} at Stripe`, () => {
    const minor = Math.round(major * 10 ** currencyDigits(currency))
    assert.equal(toStripeAmount(minor, currency), expected)
    assert.equal(fromStripeAmount(expected, currency), minor)
  })
}

test('an amount between the steps of Stripe has no equivalent', () => {
  assert.equal(toStripeAmount(5124, 'KWD'), undefined)
  assert.equal(toStripeAmount(5125, 'OMR'), undefined)
  assert.equal(fromStripeAmount(550, 'ISK'), undefined)
})

test('every amount comes back as it was', () => {
  for (const currency of digitsByCurrency.keys()) {
    for (const minor of [1, 7, 10, 990, 1999, 123_456_789]) {
      const amount = toStripeAmount(minor, currency)
      if (amount !== undefined) assert.equal(fromStripeAmount(amount, currency), minor, currency)
    }
  }
})
