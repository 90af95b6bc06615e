import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Findings, linesOf } from './verdict.ts'

const size = { minutes: 1, products: 50_000 }
const fine: Findings = {
  samples: [100, 140, 150, 150, 150, 150, 151, 151],
  soaked: { statuses: new Map([[200, 500]]), total: 600 },
  seconds: 60,
  readyMs: 400,
}

const missed = (findings: Partial<Findings>): readonly number[] =>
  linesOf({ ...fine, ...findings }, size).flatMap(({ target }, at) =>
    target?.met === false ? [at] : [],
  )

test('a soak within all bounds misses nothing, and says what it was of', () => {
  assert.deepEqual(missed({}), [])
  assert.deepEqual(
    linesOf(fine, size).map(({ name, server }) => `${name} ${server}`),
    [
      'soak of 1 min over 50,000: RSS at most 151 MB',
      'soak of 1 min over 50,000: growth in its second half 1.0 MB',
      'soak of 1 min over 50,000: requests, 600 in all 10/s',
      'ready with its database of 50,000 400 ms',
    ],
  )
})

test('each bound of a soak is missed by itself', () => {
  assert.deepEqual(missed({ samples: [100, 251, 150, 150, 150, 150, 150, 150] }), [0])
  assert.deepEqual(missed({ samples: [50, 60, 70, 80, 100, 100, 110, 110] }), [1])
  assert.deepEqual(missed({ soaked: { statuses: new Map([[500, 1]]), total: 600 } }), [2])
  assert.deepEqual(missed({ readyMs: 1_000 }), [3])
})

test('growth before the second half and overload that was refused are no faults', () => {
  const soaked = { statuses: new Map([[503, 9]]), total: 600 }
  assert.deepEqual(missed({ samples: [50, 80, 120, 150, 150, 150, 150, 150], soaked }), [])
})
