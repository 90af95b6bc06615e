import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { algorithms } from './algorithms/algorithms.ts'
import { memoryCounters } from './memory-counters.ts'

const allowance = { limit: 3, windowMs: 1000 }

describe('counters in memory', () => {
  for (const algorithm of Object.values(algorithms)) {
    test(`forget who has nothing spent any more: ${algorithm.name}`, () => {
      const counters = memoryCounters(algorithm)
      for (let one = 0; one < 1000; one += 1) counters.spend(`${one}`, allowance, 1, 0)
      assert.equal(counters.size(), 1000)
      for (let one = 0; one < 1000; one += 1) counters.spend(`later ${one}`, allowance, 1, 5000)
      assert.equal(counters.size(), 1000)
    })

    test(`are never more than there is room for, and nobody loses one: ${algorithm.name}`, () => {
      const counters = memoryCounters(algorithm, 100)
      for (let turn = 0; turn < 3; turn += 1) counters.spend('victim', allowance, 1, 0)
      for (let one = 0; one < 50_000; one += 1) counters.spend(`${one}`, allowance, 1, 1)
      assert.ok(counters.size() <= 100 + 1024)
      assert.equal(counters.spend('victim', allowance, 1, 2).allowed, false)
    })

    test(`limit whom there is no room for together: ${algorithm.name}`, () => {
      const counters = memoryCounters(algorithm, 10)
      for (let one = 0; one < 10; one += 1) counters.spend(`${one}`, allowance, 1, 0)
      const answers = [1, 2, 3, 4].map(() => counters.spend('newcomer', allowance, 1, 0).allowed)
      assert.deepEqual(answers, [true, true, true, false])
      assert.equal(counters.spend('newcomer', allowance, 1, 60_000).allowed, true)
    })
  }
})
