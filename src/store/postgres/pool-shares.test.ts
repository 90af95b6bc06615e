import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { openStore } from '#store/database.ts'
import { requestPlace } from '#test/support/request-place.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { runInPlace } from '#values/request-place.ts'
import { ConnectionShares, type Owner, TransactionPlaces } from './pool-shares.ts'

test('an owner has half of the connections beside others, and all but a fifth alone', () => {
  const shares = new ConnectionShares<number>(10)
  const all = Array.from({ length: 10 }, (_, at) => at)
  const take = (owner: Owner, count: number) =>
    Array.from({ length: count }, (_, at) => shares.begin(owner, shares.open(all, owner)[at] ?? at))
  const ends = take('a', 8)
  assert.deepEqual(shares.open(all, 'a'), [0, 1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(shares.open([8, 9], 'a'), [8, 9], 'there are no others')
  assert.deepEqual([shares.open(all, 'b'), shares.open(all, undefined)], [all, all])
  for (const end of ends.slice(4)) end()
  assert.deepEqual(shares.open(all, 'a'), all)
  take('a', 5)
  assert.deepEqual(shares.open(all, 'a'), all)
  const [endB] = take('b', 1)
  assert.deepEqual(shares.open(all, 'a'), [0, 1, 2, 3, 4])
  endB?.()
  assert.deepEqual(shares.open(all, 'a'), all)
})

test('beyond half of the transactions an owner leaves one to others, and who has fewest is next', async () => {
  const places = new TransactionPlaces(8)
  const admitted: Owner[] = []
  const take = async (owner: Owner, count = 1) => {
    for (let at = 0; at < count; at += 1) {
      void places.take(owner).then(() => admitted.push(owner ?? '-'))
    }
    await nextTurn()
    return admitted.splice(0).join('')
  }
  const leave = async (owner: Owner) => {
    places.leave(owner)
    await nextTurn()
    return admitted.splice(0).join('')
  }
  assert.equal(await take('a', 9), 'aaaaaaa')
  assert.equal(await take('b', 2), 'b')
  assert.equal(await take('c'), '')
  assert.equal(places.waiting, 4)
  assert.equal(await leave('a'), 'c', 'it has none')
  assert.equal(await leave('c'), 'b', 'it has fewer than a')
  assert.equal(await leave('b'), '', 'one is left to others')
  assert.equal(await take(undefined), '-')
  assert.equal(await leave(undefined), '')
  assert.equal(await leave('a'), 'a')
})

describe('a network whose statements on PostgreSQL take long', {
  skip: skipReason('postgres'),
}, () => {
  const url = process.env['TEST_DATABASE_URL'] ?? ''
  const lock = 7_301_944
  const wait = sql`select pg_advisory_xact_lock_shared(${sql.lit(lock)})`
  const [attacker, other] = ['192.0.2.1', '192.0.2.2'].map((owner) => ({
    ...requestPlace(),
    owner,
  }))
  assert.ok(attacker && other)

  test('keeps others from none of the connections that it leaves', async () => {
    const [store, holder] = [await openStore(url, { connections: 5 }), await openStore(url)]
    try {
      const release = Promise.withResolvers<void>()
      const isHeld = Promise.withResolvers<void>()
      const holding = holder.transaction(async (db) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(db)
        isHeld.resolve()
        await release.promise
      })
      await isHeld.promise
      const slow = runInPlace(attacker, () =>
        Array.from({ length: 10 }, () => [
          wait.execute(store.db),
          store.transaction((db) => wait.execute(db)),
        ]),
      ).flat()
      await runInPlace(other, async () => {
        const read = () => sql`select 1`.execute(store.db)
        await Promise.all([read(), read()])
        await store.transaction((db) => sql`select 1`.execute(db))
      })
      release.resolve()
      await Promise.all([holding, ...slow])
    } finally {
      await Promise.all([store.close(), holder.close()])
    }
  })
})
