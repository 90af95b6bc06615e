import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceOf } from './difference.ts'

const noise = (at: number): number => (at * 7_919) % 101

test('what one series takes more is told, with where it lies, whatever both have in common', () => {
  const common = Array.from({ length: 400 }, (_, at) => 1_000 + noise(at) * 10)
  const known = common.map((took, at) => took + 5 + (noise(at + 7) - 50) / 10)
  const { difference, interval, rounds } = differenceOf('a', known, common)
  assert.equal(rounds, 400)
  assert.ok(Math.abs(difference - 5) < 1, `${difference}`)
  const [low, high] = interval
  assert.ok(low > 3 && low <= difference && difference <= high && high < 7, `${interval}`)
})

test('two series that do not differ are not told apart', () => {
  const times = Array.from({ length: 401 }, (_, at) => 1_000 + noise(at))
  const other = times.map((took, at) => took + (noise(at + 3) - 50))
  const [low, high] = differenceOf('a', other, times).interval
  assert.ok(low <= 0 && high >= 0)
})
