import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, assert as check, integer, property, sample } from 'fast-check'
import { type Bits, blockOf, decodeBits, encodeBits, IdSet, noBits, setBit } from './id-set.ts'

const someIds = array(integer({ min: 1, max: 40_000 }), { maxLength: 3000 })

function setOf(ids: readonly number[]): IdSet {
  const blocks = new Map<number, Bits>()
  for (const id of ids) {
    const bits = blocks.get(blockOf(id)) ?? noBits()
    setBit(bits, id, true)
    blocks.set(blockOf(id), bits)
  }
  return new IdSet(blocks)
}

const ascending = (ids: readonly number[]) => Array.from(new Set(ids)).sort((a, b) => a - b)

test('a set gives its ids in either direction, from any place or after any id', async () => {
  await check(
    property(
      someIds,
      integer({ min: 0, max: 3000 }),
      integer({ min: 1, max: 101 }),
      (ids, skip, count) => {
        const set = setOf(ids)
        const all = ascending(ids)
        assert.equal(set.size, all.length)
        assert.deepEqual(set.all(), all)
        for (const order of ['asc', 'desc'] as const) {
          const inOrder = order === 'asc' ? all : all.toReversed()
          assert.deepEqual(set.take({ order, skip, count }), inOrder.slice(skip, skip + count))
          const after = 10 * skip
          const beyond = inOrder.filter((id) => (order === 'asc' ? id > after : id < after))
          assert.deepEqual(set.take({ order, skip: 0, after, count }), beyond.slice(0, count))
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a packed set has one bit of seven set for each of its ids, and no other', async () => {
  await check(
    property(someIds, (ids) => {
      const bytes = setOf(ids).packed()
      const found = Array.from({ length: 7 * bytes.length }, (_, id) => id).filter(
        (id) => ((bytes[Math.floor(id / 7)] ?? 0) >> (id % 7)) & 1,
      )
      assert.deepEqual(found, ascending(ids))
      assert.ok(bytes.every((byte) => byte < 128))
    }),
    { numRuns: 60 },
  )
})

test('a block reads as it was written, whether it has few ids or many', () => {
  for (const count of [0, 1, 2, 511, 512, 513, 8000, 8192]) {
    const bits = noBits()
    for (const [place] of Array.from({ length: count }).entries())
      setBit(bits, (place * 3001) % 8192, true)
    const text = encodeBits(bits)
    assert.deepEqual(decodeBits(text), bits)
    assert.ok(text.length <= 1368, `${count} ids take ${text.length} characters`)
  }
})

test('an id that is taken out again is not there', () => {
  const [ids = []] = sample(someIds, 1)
  const bits = noBits()
  for (const id of ids) setBit(bits, id, true)
  for (const id of ids) setBit(bits, id, false)
  assert.deepEqual(bits, noBits())
})
