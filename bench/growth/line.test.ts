import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf } from './line.ts'

const sizes = { small: 1_000, large: 50_000, on: 'SQLite' }

test('what is to take as long is judged by its ratio, whatever it takes', () => {
  const even = { name: 'one product', aim: 'even' } as const
  const slow = lineOf({ ...even, smallMs: 20, largeMs: 25 }, sizes)
  assert.deepEqual(slow, {
    name: 'SQLite: one product, 50,000 beside 1,000',
    server: '25.00 ms',
    floor: '20.00 ms',
    ratio: '1.25',
    target: { text: '≤ 1.3', met: true },
  })
  assert.equal(lineOf({ ...even, smallMs: 1, largeMs: 1.4 }, sizes).target?.met, false)
})

test('what is to take little is judged by its time, whatever its ratio', () => {
  const quick = { name: 'one word', aim: 'quick' } as const
  const grown = lineOf({ ...quick, smallMs: 0.5, largeMs: 9 }, sizes)
  assert.deepEqual(grown.target, { text: '< 10 ms', met: true })
  assert.equal(lineOf({ ...quick, smallMs: 12, largeMs: 11 }, sizes).target?.met, false)
})

test('what more is to be counted for is told without a target', () => {
  const deep = { name: 'deep, by number', aim: 'none', smallMs: 1, largeMs: 100 } as const
  assert.equal('target' in lineOf(deep, sizes), false)
})
