import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isTooLate, shareAt, smoothed } from './event-loop.ts'

const delayAfter = (samples: readonly number[]): number => samples.reduce(smoothed, 0)

describe('the load of the process', () => {
  const shares = [
    [0, 1],
    [100, 1],
    [300, 0.55],
    [500, 0.1],
    [5000, 0.1],
  ] as const
  for (const [delayMs, share] of shares) {
    test(`leaves ${share} of the limits when the event loop is ${delayMs} ms late`, () => {
      assert.ok(Math.abs(shareAt(delayMs) - share) < 1e-9)
    })
  }

  test('is not judged by a single pause', () => {
    assert.equal(isTooLate(delayAfter([0, 0, 1000, 0, 0])), false)
    assert.equal(shareAt(delayAfter([0, 0, 300, 0, 0])), 1)
  })

  test('is too much when the loop stays late, and at ease soon after it is in time', () => {
    const late = [800, 800, 800, 800]
    assert.equal(isTooLate(delayAfter(late)), true)
    assert.equal(isTooLate(delayAfter([...late, 0, 0])), false)
    assert.equal(shareAt(delayAfter([...late, ...Array.from({ length: 10 }, () => 0)])), 1)
  })

  test('is never negative, when the timer was early', () => {
    assert.equal(delayAfter([-5, -5]), 0)
  })
})
