import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { allocateByWeights, scaleDown, scaleHalfUp } from './exact.ts'

const amount = fc.integer({ min: 0, max: 1_000_000_000_000_000 })
const weights = fc.array(fc.integer({ min: 0, max: 10_000_000_000_000 }), { maxLength: 100 })

test('a half is rounded up, and what is below it down', () => {
  assert.equal(scaleHalfUp(5, 1, 2), 3)
  assert.equal(scaleHalfUp(7, 1, 3), 2)
  assert.equal(scaleHalfUp(0, 190_000, 1_000_000), 0)
  assert.equal(scaleDown(5, 1, 2), 2)
})

test('products beyond 2^53 are exact', () => {
  assert.equal(scaleHalfUp(9_999_999_999, 999_999, 1_000_000), 9_999_989_999)
  assert.equal(scaleDown(9_999_999_999, 999_999, 1_000_000), 9_999_989_999)
})

describe('dividing an amount by weights', () => {
  test('gives the remaining units to the largest remainders, first come first served', () => {
    assert.deepEqual(allocateByWeights(100, [1, 1, 1]), [34, 33, 33])
    assert.deepEqual(allocateByWeights(10, [5, 0, 5]), [5, 0, 5])
    assert.deepEqual(allocateByWeights(5, [1, 3, 6]), [1, 1, 3])
    assert.deepEqual(allocateByWeights(7, []), [])
    assert.deepEqual(allocateByWeights(7, [0, 0]), [0, 0])
  })

  test('gives parts that add up, each within one unit of its exact share', () => {
    fc.assert(
      fc.property(amount, weights, (total, given) => {
        const sum = given.reduce((added, weight) => added + weight, 0)
        const parts = allocateByWeights(total, given)
        const added = parts.reduce((so, part) => so + part, 0)
        assert.equal(added, sum === 0 ? 0 : total)
        for (const [index, weight] of given.entries()) {
          const exact = sum === 0 ? 0 : (total * weight) / sum
          assert.ok(Math.abs((parts[index] ?? Number.NaN) - exact) < 1.001)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('never gives a weight more than itself when the total is at most their sum', () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        const sum = given.reduce((added, weight) => added + weight, 0)
        const parts = allocateByWeights(Math.floor(sum * share), given)
        assert.ok(parts.every((part, index) => part <= (given[index] ?? -1)))
      }),
      { numRuns: 2_000 },
    )
  })
})
