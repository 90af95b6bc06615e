import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastModifiedOf, lastModifiedWith, ttlOf } from './last-modified.ts'

// Moments in milliseconds: when it was made and changed, when it is read; then what is told, and
// the earliest date of a copy that is good.
const cases: readonly (readonly [
  name: string,
  changedAt: readonly number[],
  now: number,
  told: number,
  goodSince: number,
])[] = [
  ['made in this second', [5200], 5300, 5000, 5000],
  ['made long ago', [5200, 5200], 99_000, 5000, 5000],
  ['changed in the second of its making', [5200, 5700], 5800, 5000, 6000],
  ['changed in the second of its making, long ago', [5200, 5700], 99_000, 6000, 6000],
  ['changed in this second, perhaps once more', [1200, 5700], 5800, 4000, 5000],
  ['changed in a second that is over', [1200, 5700], 6000, 5000, 5000],
  ['changed in two of its parts in one second', [1200, 5300, 5700], 99_000, 6000, 6000],
  ['changed in all of its parts at once', [1200, 5700, 5700], 99_000, 5000, 5000],
  ['made by a clock that was put back', [5200], 3100, 3000, 5000],
]

describe('the date of a thing', () => {
  for (const [name, changedAt, now, told, goodSince] of cases) {
    test(name, () => assert.deepEqual(lastModifiedOf(changedAt, now), { told, goodSince }))
  }

  test('lasts for good once no other change can have the same', () => {
    assert.equal(ttlOf(lastModifiedOf([1200, 5700], 5800), 5800), 200)
    assert.equal(ttlOf(lastModifiedOf([1200, 5700], 6000), 6000), Number.POSITIVE_INFINITY)
    assert.equal(ttlOf(undefined, 6000), Number.POSITIVE_INFINITY)
  })

  test('makes no copy good where others are embedded', () => {
    assert.deepEqual(lastModifiedWith([1200, 5700], 99_000), { told: 5000 })
  })
})
