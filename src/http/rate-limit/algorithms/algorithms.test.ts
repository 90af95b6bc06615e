import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { LimitResult } from '#http/rate-limit/counters.ts'
import type { AlgorithmName, SpendRequest } from './algorithm.ts'
import { algorithms } from './algorithms.ts'

/** A time in milliseconds, and the expected [allowed, remaining, resetMs, retryAfterMs]. */
type Step = readonly [
  at: number,
  expected: readonly [boolean, number, number, number],
  cost?: number,
]

const valuesOf = ({ allowed, remaining, resetMs, retryAfterMs }: LimitResult) => [
  allowed,
  remaining,
  resetMs,
  retryAfterMs,
]

/** Returns a function that spends an allowance of one caller. */
function spender(name: AlgorithmName, allowance: Pick<SpendRequest, 'limit' | 'windowMs'>) {
  let state: unknown
  return (at: number, cost = 1, limit = allowance.limit): LimitResult => {
    const { state: next, ...limitResult } = algorithms[name].decide(state, {
      ...allowance,
      limit,
      nowMs: 1_000_000 + at,
      cost,
    })
    state = next
    return limitResult
  }
}

const yes = true
const no = false
const cases: Readonly<Record<AlgorithmName, Readonly<Record<string, readonly Step[]>>>> = {
  'fixed-window': {
    'allows a burst of the whole limit, then nothing until the window ends': [
      [0, [yes, 2, 3000, 0]],
      [0, [yes, 1, 3000, 0]],
      [1000, [yes, 0, 2000, 0]],
      [1000, [no, 0, 2000, 2000]],
      [2999, [no, 0, 1, 1]],
      [3000, [yes, 2, 3000, 0]],
    ],
    'starts the next window with the first request after it': [
      [0, [yes, 2, 3000, 0]],
      [10_500, [yes, 2, 3000, 0]],
      [13_499, [yes, 1, 1, 0]],
    ],
    'gives back at most what was spent': [
      [0, [yes, 2, 3000, 0]],
      [0, [yes, 3, 0, 0], -1],
      [0, [yes, 3, 0, 0], -1],
      [0, [yes, 2, 3000, 0]],
    ],
    'spends a higher cost as a whole or not at all': [
      [0, [yes, 1, 3000, 0], 2],
      [0, [no, 1, 3000, 3000], 2],
      [0, [yes, 0, 3000, 0]],
    ],
    'allows no further requests when the clock goes back': [
      [5000, [yes, 0, 3000, 0], 3],
      [4000, [no, 0, 4000, 4000]],
      [8000, [yes, 2, 3000, 0]],
    ],
    'discards the state of a clock that was far ahead': [
      [50_000, [yes, 0, 3000, 0], 3],
      [0, [yes, 2, 3000, 0]],
    ],
  },
  'sliding-window': {
    'counts each request for one window': [
      [0, [yes, 2, 3000, 0]],
      [1000, [yes, 1, 3000, 0]],
      [2000, [yes, 0, 3000, 0]],
      [2999, [no, 0, 2001, 1]],
      [3000, [yes, 0, 3000, 0]],
      [3000, [no, 0, 3000, 1000]],
      [4000, [yes, 0, 3000, 0]],
    ],
    'allows no second burst at the edge of a window': [
      [2999, [yes, 0, 3000, 0], 3],
      [3000, [no, 0, 2999, 2999]],
      [5998, [no, 0, 1, 1]],
      [5999, [yes, 2, 3000, 0]],
    ],
    'gives back the latest requests, at most what was spent': [
      [0, [yes, 2, 3000, 0]],
      [1000, [yes, 0, 3000, 0], 2],
      [1000, [yes, 1, 3000, 0], -1],
      [1000, [yes, 3, 0, 0], -5],
      [1000, [yes, 2, 3000, 0]],
    ],
    'states when a higher cost will be allowed': [
      [0, [yes, 2, 3000, 0]],
      [1000, [yes, 1, 3000, 0]],
      [2000, [no, 1, 2000, 2000], 3],
      [2000, [no, 1, 2000, 1000], 2],
    ],
    'allows no further requests when the clock goes back': [
      [5000, [yes, 0, 3000, 0], 3],
      [4000, [no, 0, 4000, 4000]],
      [7999, [no, 0, 1, 1]],
      [8000, [yes, 2, 3000, 0]],
    ],
    'discards the state of a clock that was far ahead': [
      [50_000, [yes, 0, 3000, 0], 3],
      [0, [yes, 2, 3000, 0]],
    ],
  },
  'token-bucket': {
    'allows a burst, then one request per new token': [
      [0, [yes, 0, 3000, 0], 3],
      [0, [no, 0, 3000, 1000]],
      [999, [no, 0, 2001, 1]],
      [1000, [yes, 0, 3000, 0]],
      [1500, [no, 0, 2500, 500]],
      [60_000, [yes, 2, 1000, 0]],
    ],
    'gives back at most to a full bucket': [
      [0, [yes, 2, 1000, 0]],
      [500, [yes, 3, 0, 0], -1],
      [500, [yes, 2, 1000, 0]],
    ],
    'allows no further requests when the clock goes back': [
      [5000, [yes, 0, 3000, 0], 3],
      [4000, [no, 0, 4000, 2000]],
      [5999, [no, 0, 2001, 1]],
      [6000, [yes, 0, 3000, 0]],
    ],
    'discards the state of a clock that was far ahead': [
      [50_000, [yes, 0, 3000, 0], 3],
      [0, [yes, 2, 1000, 0]],
    ],
  },
  'leaky-bucket': {
    'allows what it holds, then what has leaked out': [
      [0, [yes, 0, 3000, 0], 3],
      [0, [no, 0, 3000, 1000]],
      [999, [no, 0, 2001, 1]],
      [1000, [yes, 0, 3000, 0]],
      [60_000, [yes, 2, 1000, 0]],
    ],
    'gives back at most to an empty bucket': [
      [0, [yes, 2, 1000, 0]],
      [500, [yes, 3, 0, 0], -1],
      [500, [yes, 2, 1000, 0]],
    ],
    'allows no further requests when the clock goes back': [
      [5000, [yes, 0, 3000, 0], 3],
      [4000, [no, 0, 4000, 2000]],
      [6000, [yes, 0, 3000, 0]],
    ],
    'discards the state of a clock that was far ahead': [
      [50_000, [yes, 0, 3000, 0], 3],
      [0, [yes, 2, 1000, 0]],
    ],
  },
}

for (const [name, guarantees] of Object.entries(cases) as [
  AlgorithmName,
  (typeof cases)[AlgorithmName],
][]) {
  describe(`a ${name.replace('-', ' ')}`, () => {
    for (const [guarantee, steps] of Object.entries(guarantees)) {
      test(guarantee, () => {
        const spend = spender(name, { limit: 3, windowMs: 3000 })
        for (const [at, expected, cost] of steps) {
          assert.deepEqual(valuesOf(spend(at, cost)), expected, `at ${at}`)
        }
      })
    }

    test('allows exactly the limit at once, for any limit', () => {
      for (const limit of [1, 2, 10, 100, 1000, 1_000_000_000]) {
        const spend = spender(name, { limit, windowMs: 3_600_000 })
        assert.deepEqual(valuesOf(spend(0, limit - 1)).slice(0, 2), [true, 1])
        assert.equal(spend(0).allowed, true)
        assert.equal(spend(0).allowed, false)
      }
    })

    test('enforces a limit that shrinks, and the old one when it returns', () => {
      const spend = spender(name, { limit: 10, windowMs: 10_000 })
      assert.equal(spend(0, 5).remaining, 5)
      // A token bucket drops to the new limit; the others count what was spent.
      const left = name === 'token-bucket' ? 2 : 0
      assert.equal(spend(0, 0, 2).remaining, left)
      assert.equal(spend(0, 3, 2).allowed, false)
      assert.equal(spend(100_000, 10, 10).allowed, true)
    })

    test('states the exact wait: after retryAfterMs a request is allowed, a millisecond earlier not', () => {
      const gaps = fc.array(fc.nat(2000), { minLength: 1, maxLength: 40 })
      fc.assert(
        fc.property(gaps, fc.integer({ min: 1, max: 5 }), (waits, limit) => {
          const allowance = { limit, windowMs: 3000 }
          let at = 0
          let state: unknown
          const decide = (nowMs: number) =>
            algorithms[name].decide(state, { ...allowance, nowMs, cost: 1 })
          for (const wait of waits) {
            at += wait
            const decision = decide(at)
            state = decision.state
            if (decision.allowed) continue
            assert.equal(decide(at + decision.retryAfterMs).allowed, true)
            assert.equal(decide(at + decision.retryAfterMs - 1).allowed, false)
          }
          const { resetMs } = decide(at)
          state = decide(at).state
          assert.equal(decide(at + resetMs).remaining, limit - 1)
        }),
      )
    })
  })
}

test('a sliding window never allows more than the limit in any window, for large limits too', () => {
  const limits = fc.integer({ min: 1, max: 600 })
  const bursts = fc.array(fc.tuple(fc.nat(700), fc.integer({ min: 1, max: 200 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(limits, bursts, (limit, requests) => {
      const windowMs = 3000
      const spend = spender('sliding-window', { limit, windowMs })
      const allowed: { readonly at: number; readonly cost: number }[] = []
      let at = 0
      for (const [wait, cost] of requests) {
        at += wait
        if (cost <= limit && spend(at, cost).allowed) allowed.push({ at, cost })
        const inWindow = allowed.filter((request) => request.at > at - windowMs)
        assert.ok(inWindow.reduce((sum, { cost }) => sum + cost, 0) <= limit)
      }
    }),
  )
})
