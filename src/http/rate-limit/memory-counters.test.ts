import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { algorithms } from './algorithms/algorithms.ts'
import { memoryCounters } from './memory-counters.ts'

const allowance = { limit: 3, windowMs: 1000 }

describe('counters in memory', () => {
  for (const algorithm of Object.values(algorithms)) {
    test(`are deleted once nothing is spent: ${algorithm.name}`, () => {
      const counters = memoryCounters(algorithm)
      for (let caller = 0; caller < 1000; caller += 1) counters.spend(`${caller}`, allowance, 1, 0)
      assert.equal(counters.size(), 1000)
      for (let caller = 0; caller < 1000; caller += 1)
        counters.spend(`later ${caller}`, allowance, 1, 5000)
      assert.equal(counters.size(), 1000)
    })

    test(`are bounded, and none in use is deleted: ${algorithm.name}`, () => {
      const counters = memoryCounters(algorithm, 100)
      for (let spent = 0; spent < 3; spent += 1) counters.spend('victim', allowance, 1, 0)
      for (let caller = 0; caller < 50_000; caller += 1)
        counters.spend(`${caller}`, allowance, 1, 1)
      assert.ok(counters.size() <= 100 + 1024)
      assert.equal(counters.spend('victim', allowance, 1, 2).allowed, false)
    })

    test(`are shared by new callers when full: ${algorithm.name}`, () => {
      const counters = memoryCounters(algorithm, 10)
      for (let caller = 0; caller < 10; caller += 1) counters.spend(`${caller}`, allowance, 1, 0)
      const results = [1, 2, 3, 4].map(() => counters.spend('newcomer', allowance, 1, 0).allowed)
      assert.deepEqual(results, [true, true, true, false])
      assert.equal(counters.spend('newcomer', allowance, 1, 60_000).allowed, true)
    })
  }

  const full = () => {
    const counters = memoryCounters(algorithms['sliding-window'], 10)
    for (let caller = 0; caller < 10; caller += 1) counters.spend(`GET ${caller}`, allowance, 1, 0)
    return counters
  }

  test('of newcomers are of one kind and limit, also under load', () => {
    const counters = full()
    const work = { limit: 30_000, windowMs: 1000 }
    for (let at = 0; at < 5000; at += 1) counters.spend(`work 10.0.0.${at}`, work, 120, 0)
    for (let at = 0; at < 5000; at += 1) counters.spend(`guess 10.0.0.${at}`, allowance, 1, 0)
    assert.equal(counters.spend('GET / newcomer', allowance, 1, 0).allowed, true)
    assert.equal(counters.spend('GET / newcomer', allowance, 2, 0).allowed, true)
    const underLoad = { limit: 1, fullLimit: allowance.limit, windowMs: allowance.windowMs }
    assert.equal(counters.spend('GET / newcomer', underLoad, 1, 0).allowed, false)
  })

  test('of all networks of an IPv6 site are one when full', () => {
    const counters = full()
    for (let at = 0; at < 5000; at += 1) {
      counters.spend(`attempt 2001:db8:1:${at.toString(16)}:: ${at}`, allowance, 1, 0)
    }
    const refused = Array.from({ length: 1000 }, (_, at) => at).filter(
      (at) =>
        !counters.spend(`attempt 10.0.0.${at} alice`, { ...allowance, limit: 3 }, 1, 0).allowed,
    )
    assert.ok(refused.length < 100)
  })
})
