import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastModifiedOf, lastModifiedWithEmbedded, ttlOf } from './last-modified.ts'

// In milliseconds: the creation and changes, the time of the read, and the expected result.
const cases: readonly (readonly [
  name: string,
  changedAt: readonly number[],
  now: number,
  date: number,
  freshSince: number,
])[] = [
  ['created in this second', [5200], 5300, 5000, 5000],
  ['created long ago', [5200, 5200], 99_000, 5000, 5000],
  ['changed in the second of its creation', [5200, 5700], 5800, 5000, 6000],
  ['changed in the second of its creation, long ago', [5200, 5700], 99_000, 6000, 6000],
  ['changed in this second, which may bring another change', [1200, 5700], 5800, 4000, 5000],
  ['changed in a second that is over', [1200, 5700], 6000, 5000, 5000],
  ['changed in two parts in one second', [1200, 5300, 5700], 99_000, 6000, 6000],
  ['changed in two parts at the same time', [1200, 5700, 5700], 99_000, 5000, 5000],
  ['created before the clock went back', [5200], 3100, 3000, 5000],
]

describe('the date of an entity', () => {
  for (const [name, changedAt, now, date, freshSince] of cases) {
    test(name, () => assert.deepEqual(lastModifiedOf(changedAt, now), { date, freshSince }))
  }

  test('is final once no other change can have the same date', () => {
    assert.equal(ttlOf(lastModifiedOf([1200, 5700], 5800), 5800), 200)
    assert.equal(ttlOf(lastModifiedOf([1200, 5700], 6000), 6000), Number.POSITIVE_INFINITY)
    assert.equal(ttlOf(undefined, 6000), Number.POSITIVE_INFINITY)
  })

  test('proves no copy fresh if others are embedded', () => {
    assert.deepEqual(lastModifiedWithEmbedded([1200, 5700], 99_000), { date: 5000 })
  })
})
