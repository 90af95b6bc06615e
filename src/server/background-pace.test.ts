import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restAt } from './background-pace.ts'

test('background work takes half of the time that requests leave, and goes on when they leave none', () => {
  for (const { load, share } of [
    { load: 0, share: 0.5 },
    { load: 0.5, share: 0.25 },
    { load: 0.9, share: 0.05 },
  ]) {
    const roundMs = 10
    const restMs = restAt(load, roundMs, 500)
    assert.ok(Math.abs(roundMs / (roundMs + restMs) - share) < 1e-9, `a load of ${load}`)
  }
  assert.equal(restAt(0.999, 10, 500), 500)
  assert.equal(restAt(1, 10, 500), 500)
})
