import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOptions } from './options.ts'

test('a run is of the whole only at the size and for the time that are aimed at', () => {
  const usual = readOptions([])
  assert.deepEqual([usual.large, usual.minutes, usual.isWhole], [50_000, 1, false])
  const whole = readOptions(['--whole'])
  assert.deepEqual([whole.large, whole.minutes, whole.isWhole], [1_000_000, 10, true])
  const smaller = readOptions(['--whole', '--large', '2000'])
  assert.deepEqual([smaller.large, smaller.minutes, smaller.isWhole], [2_000, 10, false])
})

test('only what is named is measured, and all of it where nothing is', () => {
  const { wanted } = readOptions(['--only', 'postgres,workers', '--only', 'soak'])
  assert.deepEqual([...wanted], ['postgres', 'workers', 'soak'])
  const all = readOptions([]).wanted
  for (const name of ['product', 'growth', 'growth-postgres', ...wanted] as const) {
    assert.ok(all.has(name), name)
  }
})

test('a measurement that is not known and a number that is none are refused', () => {
  assert.throws(() => readOptions(['--only', 'order,orders']), /--only takes .*not "orders"/)
  for (const text of ['0', '-1', 'soon']) {
    assert.throws(() => readOptions([`--minutes=${text}`]), /--minutes takes a positive number/)
  }
})
