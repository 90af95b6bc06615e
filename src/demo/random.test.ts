import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, entryAt, integerBetween, randomAt, wrappedEntry } from './random.ts'

test('the same seed gives the same sequence and another seed another', () => {
  const draw = (seed: number) => Array.from({ length: 20 }, createRandom(seed))
  assert.deepEqual(draw(7), draw(7))
  assert.notDeepEqual(draw(7), draw(8))
})

test('every fraction is at least 0 and below 1, and they spread evenly', () => {
  const counts = new Array<number>(10).fill(0)
  for (let n = 0; n < 50_000; n += 1) {
    const tenth = Math.floor(randomAt(n, 3) * 10)
    counts[tenth] = (counts[tenth] ?? 0) + 1
  }
  assert.equal(counts.length, 10)
  for (const count of counts) assert.ok(count > 4700 && count < 5300, `${count}`)
})

test('two salts give unrelated fractions for the same number', () => {
  const numbers = Array.from({ length: 10_000 }, (_, n) => n)
  const alike = numbers.filter((n) => randomAt(n, 1) < 0.5 === randomAt(n, 2) < 0.5)
  assert.ok(alike.length > 4700 && alike.length < 5300, `${alike.length}`)
})

test('an integer between two bounds reaches both and never passes them', () => {
  const random = createRandom(1)
  const drawn = new Set(Array.from({ length: 200 }, () => integerBetween(3, 5, random)))
  assert.deepEqual([...drawn].sort(), [3, 4, 5])
})

test('going round a list returns to its first entry', () => {
  const letters = ['a', 'b', 'c']
  const seen = [0, 1, 2, 3, 3_000_001].map((index) => wrappedEntry(letters, index))
  assert.deepEqual(seen, ['a', 'b', 'c', 'a', 'b'])
})

test('picking from an empty list throws a RangeError', () => {
  assert.throws(() => entryAt([], 0), RangeError)
})
