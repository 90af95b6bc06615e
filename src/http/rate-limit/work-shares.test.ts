import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkShares } from './work-shares.ts'

const heavyOf = (shares: ReturnType<typeof createWorkShares>, names: string[], atMs: number) =>
  names.filter((name) => shares.isHeavy(name, atMs))

test('thousands of networks with hardly any work do not make an honest one heavy', () => {
  const shares = createWorkShares()
  for (let at = 0; at < 9900; at += 1) shares.add(`idle ${at}`, 0.1, 0)
  shares.add('flooder', 4000, 10_000)
  for (let at = 0; at < 20; at += 1) shares.add(`honest ${at}`, 50, 10_000)
  assert.deepEqual(heavyOf(shares, ['flooder', 'honest 1', 'idle 1', 'unknown'], 10_000), [
    'flooder',
  ])
})

test('networks with equal work are all heavy, and so are floods of unequal size', () => {
  const shares = createWorkShares()
  for (const name of ['a', 'b', 'c']) shares.add(name, 100, 0)
  assert.deepEqual(heavyOf(shares, ['a', 'b', 'c'], 5000), ['a', 'b', 'c'])
  shares.add('flooder', 1000, 5000)
  shares.add('half', 600, 5000)
  assert.deepEqual(heavyOf(shares, ['a', 'flooder', 'half'], 5000), ['flooder', 'half'])
})

test('work is forgotten in time, and that of the networks with the least of it when full', () => {
  const shares = createWorkShares(2)
  shares.add('past', 1000, 0)
  shares.add('now', 100, 60_000)
  assert.deepEqual(heavyOf(shares, ['past', 'now'], 60_000), ['now'])
  shares.add('past', 1, 60_000)
  shares.add('next', 10, 60_000)
  assert.deepEqual(heavyOf(shares, ['past', 'now', 'next'], 60_000), ['now'])
  shares.add('next', 90, 60_000)
  assert.deepEqual(heavyOf(shares, ['past', 'now', 'next'], 60_000), ['now', 'next'])
})
