import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldIssue } from '#values/problem.ts'
import { amountCodec } from './money-codec.ts'

const dollars = amountCodec({ currency: 'USD', currencyDigits: 2 })
const yen = amountCodec({ currency: 'JPY', currencyDigits: 0 })

function read(input: unknown, codec = dollars) {
  const issues: FieldIssue[] = []
  const value = codec.decode(input, 'price', issues)
  return issues.length > 0 ? issues.map(({ field, message }) => `${field} ${message.key}`) : value
}

test('an amount is written with all decimals of its currency', () => {
  assert.deepEqual(dollars.encode(1990), { amount: '19.90', currency: 'USD' })
  assert.deepEqual(yen.encode(1990), { amount: '1990', currency: 'JPY' })
})

test('an encoded amount decodes to the same amount', () => {
  for (const minor of [
    0, 1, 10, 99, 100, 1999, 9_999_999_999, 99_999_999_999_999, 100_000_000_000_000,
  ]) {
    assert.equal(read(dollars.encode(minor)), minor)
    const yenMinor = Math.min(minor, 1_000_000_000_000)
    assert.equal(read(yen.encode(yenMinor), yen), yenMinor)
  }
})

const invalid: readonly (readonly [input: unknown, issue: string])[] = [
  [19.99, 'price field.object'],
  ['19.99', 'price field.object'],
  [null, 'price field.object'],
  [[], 'price field.object'],
  [{ currency: 'USD' }, 'price.amount field.required'],
  [{ amount: '1' }, 'price.currency field.required'],
  [{ amount: '1', currency: 'EUR' }, 'price.currency field.currency'],
  [{ amount: 1, currency: 'USD' }, 'price.amount field.amount'],
  [{ amount: '1,5', currency: 'USD' }, 'price.amount field.amount'],
  [{ amount: '1e3', currency: 'USD' }, 'price.amount field.amount'],
  [{ amount: '-1', currency: 'USD' }, 'price.amount field.minimum'],
  [{ amount: '1.005', currency: 'USD' }, 'price.amount field.decimals'],
  [{ amount: '1000000000000.01', currency: 'USD' }, 'price.amount field.maximum'],
  [{ amount: '1', currency: 'USD', tax: 1 }, 'price.tax field.unknown'],
]

for (const [input, issue] of invalid) {
  test(`${JSON.stringify(input)} is rejected with ${issue}`, () => {
    assert.deepEqual(read(input), [issue])
  })
}
