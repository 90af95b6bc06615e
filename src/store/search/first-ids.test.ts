import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FirstIds } from './first-ids.ts'

const added = Array.from({ length: 20_000 }, (_, at) => ({
  id: at + 1,
  distance: (at * 7919) % 501,
}))

for (const order of ['asc', 'desc'] as const) {
  const sign = order === 'asc' ? 1 : -1
  const sorted = added.toSorted(
    (one, other) => sign * (one.distance - other.distance || one.id - other.id),
  )
  for (const after of [undefined, sorted[499]]) {
    test(`the first of many by distance and ID, ${order}, ${after ? 'after one' : 'from the beginning'}`, () => {
      const first = new FirstIds({ order, after, count: 21 })
      for (const { id, distance } of added) first.add(id, distance)
      const start = after ? 500 : 0
      assert.deepEqual(first.ids, sorted.slice(start, start + 21))
    })
  }
}
