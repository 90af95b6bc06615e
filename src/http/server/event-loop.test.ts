import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { averageDelay, isOverloadedAt, limitShare } from './event-loop.ts'

const delayAfter = (samples: readonly number[]): number => samples.reduce(averageDelay, 0)

describe('the load of the process', () => {
  const shares = [
    [0, 1],
    [100, 1],
    [300, 0.55],
    [500, 0.1],
    [5000, 0.1],
  ] as const
  for (const [delayMs, share] of shares) {
    test(`leaves ${share} of the limits at an event loop delay of ${delayMs} ms`, () => {
      assert.ok(Math.abs(limitShare(delayMs) - share) < 1e-9)
    })
  }

  test('is not changed by a single pause', () => {
    assert.equal(isOverloadedAt(delayAfter([0, 0, 1000, 0, 0])), false)
    assert.equal(isOverloadedAt(delayAfter([0, 30_000])), false)
    assert.equal(limitShare(delayAfter([0, 0, 300, 0, 0])), 1)
  })

  test('is an overload while the delay lasts, and ends soon after it', () => {
    const late = [800, 800, 800, 800]
    assert.equal(isOverloadedAt(delayAfter(late)), true)
    assert.equal(isOverloadedAt(delayAfter([...late, 0, 0])), false)
    assert.equal(limitShare(delayAfter([...late, ...Array.from({ length: 10 }, () => 0)])), 1)
  })

  test('is never negative when the timer is early', () => {
    assert.equal(delayAfter([-5, -5]), 0)
  })
})
