import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, assert as check, integer, property, sample } from 'fast-check'
import { type Bits, blockOf, decodeBits, emptyBits, encodeBits, IdSet, setBit } from './id-set.ts'

const someIds = array(integer({ min: 1, max: 40_000 }), { maxLength: 3000 })

function setOf(ids: readonly number[]): IdSet {
  const blocks = new Map<number, Bits>()
  for (const id of ids) {
    const bits = blocks.get(blockOf(id)) ?? emptyBits()
    setBit(bits, id, true)
    blocks.set(blockOf(id), bits)
  }
  return new IdSet(blocks)
}

const ascending = (ids: readonly number[]) => Array.from(new Set(ids)).sort((a, b) => a - b)

test('a set returns its ids in either order, after any number of ids or after any id', async () => {
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
          const later = inOrder.filter((id) => (order === 'asc' ? id > after : id < after))
          assert.deepEqual(set.take({ order, skip: 0, after, count }), later.slice(0, count))
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a packed set has a bit for each of its ids, seven to a byte', async () => {
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

test('an encoded block decodes to the same ids, whether they are few or many', () => {
  for (const count of [0, 1, 2, 511, 512, 513, 8000, 8192]) {
    const bits = emptyBits()
    for (let index = 0; index < count; index += 1) setBit(bits, (index * 3001) % 8192, true)
    const text = encodeBits(bits)
    assert.deepEqual(decodeBits(text), bits)
    assert.ok(text.length <= 1368, `${count} ids take ${text.length} characters`)
  }
})

test('a removed id is not in its block', () => {
  const [ids = []] = sample(someIds, 1)
  const bits = emptyBits()
  for (const id of ids) setBit(bits, id, true)
  for (const id of ids) setBit(bits, id, false)
  assert.deepEqual(bits, emptyBits())
})
