import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPercent, parsePercent } from './percent.ts'

for (const [text, units] of [
  ['0', 0],
  ['19', 190_000],
  ['8.875', 88_750],
  ['100', 1_000_000],
  ['0.0001', 1],
] as const) {
  test(`${text} % is ${units} units, and back`, () => {
    assert.equal(parsePercent(text), units)
    assert.equal(formatPercent(units), text)
  })
}

for (const text of ['', '-1', '100.0001', '1.00001', '1.', '.5', '1e1', ' 19', '19%', '1,5']) {
  test(`${JSON.stringify(text)} is no percentage`, () => {
    assert.equal(parsePercent(text), undefined)
  })
}
