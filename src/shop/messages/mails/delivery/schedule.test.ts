import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryTime } from '#store/due.ts'
import { hourMs } from '#values/instant.ts'
import { retryPausesMs as pausesMs } from './schedule.ts'

test('attempts go on for two days with growing delays, then end', () => {
  let now = 0
  let attempts = 1
  let lastDelay = 0
  for (; ; attempts += 1) {
    const next = retryTime({ pausesMs, attempts, now }, 0.5)
    if (next === undefined) break
    assert.ok(next - now >= lastDelay)
    lastDelay = next - now
    now = next
  }
  assert.equal(attempts, 13)
  assert.ok(now > 40 * hourMs && now < 72 * hourMs, String(now / hourMs))
})

test('a delay varies by ten percent', () => {
  assert.equal(retryTime({ pausesMs, attempts: 1, now: 0 }, 0), 27_000)
  assert.equal(retryTime({ pausesMs, attempts: 1, now: 0 }, 1), 33_000)
})
