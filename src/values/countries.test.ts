import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCountryCode } from './countries.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const pairs = letters.flatMap((first) => letters.map((second) => first + second))
const known = pairs.filter(isCountryCode)

test('there are the 249 codes of ISO 3166-1, and XK', () => {
  assert.equal(known.length, 250)
})

test('every code has a name in CLDR', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  assert.deepEqual(
    known.filter((code) => names.of(code) === undefined),
    [],
  )
})

test('private-use, withdrawn, reserved and lower-case codes are not country codes', () => {
  for (const code of ['ZZ', 'XX', 'AA', 'QQ', 'UK', 'EU', 'SU', 'YU', 'gb', 'GBR', '']) {
    assert.equal(isCountryCode(code), false, code)
  }
})
