import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { identity, text } from './columns.ts'
import { createSchema } from './create-schema.ts'
import { postpone, queue, startLoop } from './due.ts'
import { notNull } from './query/statements.ts'

const letters = queue('test_letters', {
  leaseMs: 100,
  columns: { id: identity, name: text },
  indexes: ['due_at where due_at is not null'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

for (const kind of storeKinds) {
  describe(`a queue on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    before(async () => {
      temporary = await openTemporaryStore(kind)
      await temporary.store.transaction((db) => createSchema(db, [letters.declaration]))
      const added = [
        { name: 'second', due_at: 20 },
        { name: 'first', due_at: 10 },
        { name: 'later', due_at: 1000 },
        { name: 'ended', due_at: null },
      ]
      for (const row of added) await letters.insert(temporary.store.db, row)
    })
    after(() => temporary.dispose())

    test('gives each due row to one process, in order, until its claim ends', async () => {
      const { db } = temporary.store
      assert.equal(await letters.hasDue(db, 9), false)
      const rounds = await Promise.all(
        [1, 2, 3].map(() => letters.claim(db, { now: 30, limit: 1 })),
      )
      assert.deepEqual(
        rounds
          .flat()
          .map(({ name, leased_until }) => [name, leased_until])
          .toSorted(),
        [
          ['first', 130],
          ['second', 130],
        ],
      )
      assert.equal(await letters.hasDue(db, 129), false)
      assert.equal((await letters.claim(db, { now: 130, limit: 9 })).length, 2)
      const other = { now: 230, limit: 9, where: { name: 'second' } }
      assert.deepEqual(
        (await letters.claim(db, other)).map(({ name }) => name),
        ['second'],
      )
    })

    test('ends a claim where its row still has it', async () => {
      const { db } = temporary.store
      const [claimed] = await letters.claim(db, { now: 400, limit: 1, where: { name: 'first' } })
      assert.ok(claimed)
      const { id, leased_until } = claimed
      const ended = { due_at: null, leased_until: 0 }
      assert.equal(await letters.update(db, { id, leased_until: leased_until - 1 }, ended), 0)
      assert.equal(await letters.update(db, { id, leased_until, due_at: notNull }, ended), 1)
      assert.deepEqual(await letters.claim(db, { now: 600, limit: 1, where: { id } }), [])
      assert.equal((await letters.updateRow(db, { id }, { due_at: 1 }))?.due_at, 1)
      assert.equal(await letters.updateRow(db, { id, due_at: null }, { due_at: 1 }), undefined)
    })

    test('lets one process move the time of a row', async () => {
      const { db } = temporary.store
      const row = await letters.find(db, { name: 'later' })
      assert.ok(row)
      const moved = await Promise.all([1, 2].map(() => postpone(db, letters, row, 2000)))
      assert.deepEqual(moved.toSorted(), [false, true])
    })
  })
}

test('a loop goes on after a failure, is woken, and stops after the running round', async () => {
  const errors: unknown[] = []
  let rounds = 0
  const loop = startLoop({
    round: async () => {
      rounds += 1
      if (rounds === 1) throw new Error('failed')
      await sleep(5)
      return 60_000
    },
    report: (error) => errors.push(error),
    firstMs: 0,
    pauseMs: 0,
  })
  while (rounds < 2) await sleep(1)
  assert.equal(errors.length, 1)
  loop.wake()
  loop.wake()
  while (rounds < 3) await sleep(1)
  await loop.stop()
  loop.wake()
  await sleep(20)
  assert.equal(rounds, 3)
})
