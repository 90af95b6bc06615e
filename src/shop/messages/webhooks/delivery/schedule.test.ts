import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hourMs, minuteMs, secondMs, toHttpDate } from '#values/instant.ts'
import { nextAttemptAt, parseRetryAfter } from './schedule.ts'

const now = Date.UTC(2026, 5, 1, 12)
const pauses = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
]
const pauseAfter = (attempts: number, random: number) => {
  const at = nextAttemptAt({ attempts, endedAt: now }, () => random)
  return at === undefined ? undefined : at - now
}

describe('the next attempt', () => {
  for (const [index, pause] of pauses.entries()) {
    test(`after attempt ${index + 1} is ${pause / secondMs} seconds later, ±10 %`, () => {
      assert.equal(pauseAfter(index + 1, 0), Math.round(pause * 0.9))
      assert.equal(pauseAfter(index + 1, 0.5), pause)
      assert.equal(pauseAfter(index + 1, 1), Math.round(pause * 1.1))
    })
  }
  test('after attempt 10 does not take place', () => {
    assert.equal(pauseAfter(10, 0.5), undefined)
    const asked = { attempts: 10, endedAt: now, retryAt: now + secondMs }
    assert.equal(nextAttemptAt(asked, Math.random), undefined)
  })
  for (const [name, pause, expected] of [
    ['later than the schedule', 120 * secondMs, 120 * secondMs],
    ['earlier than the schedule', 2 * secondMs, 2 * secondMs],
    ['in the past: in a second', -hourMs, secondMs],
    ['in a year: in a day', 365 * 24 * hourMs, 24 * hourMs],
  ] as const) {
    test(`takes place when the endpoint asks for it: ${name}`, () => {
      for (const attempts of [1, 2, 3]) {
        const asked = { attempts, endedAt: now, retryAt: now + pause }
        assert.equal(nextAttemptAt(asked, Math.random), now + expected)
      }
    })
  }
  test('is not earlier than the schedule after the first three attempts', () => {
    for (const attempts of [4, 9]) {
      const asked = { attempts, endedAt: now, retryAt: now + secondMs }
      assert.equal(
        nextAttemptAt(asked, () => 0.5),
        now + (pauseAfter(attempts, 0.5) ?? 0),
      )
    }
  })
})

describe('Retry-After', () => {
  for (const [text, expected] of [
    ['120', now + 120 * secondMs],
    ['0', now],
    [toHttpDate(now + hourMs), now + hourMs],
    ['Monday, 01-Jun-26 13:00:00 GMT', now + hourMs],
    [undefined, undefined],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-06-01', undefined],
    ['99999999999', undefined],
  ] as const) {
    test(`${JSON.stringify(text)} is ${expected === undefined ? 'ignored' : 'understood'}`, () => {
      assert.equal(parseRetryAfter(text, now), expected)
    })
  }
})
