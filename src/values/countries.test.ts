import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCountryCode } from './countries.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const pairs = letters.flatMap((first) => letters.map((second) => first + second))
const known = pairs.filter(isCountryCode)

test('there are as many countries as ISO 3166-1 has assigned codes to', () => {
  assert.equal(known.length, 249)
})

test('every code has a name in CLDR', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  assert.deepEqual(
    known.filter((code) => names.of(code) === undefined),
    [],
  )
})

test('codes for private use, withdrawn or reserved ones, and lower case are none', () => {
  for (const code of ['ZZ', 'XX', 'AA', 'QQ', 'UK', 'EU', 'SU', 'YU', 'gb', 'GBR', '']) {
    assert.equal(isCountryCode(code), false, code)
  }
})
