import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { columnDefault, integer, revised, storedAs, text } from './columns.ts'
import { createSchema } from './create-schema.ts'
import { deletionBatchSize } from './query/deletion-batch.ts'
import { writeBatch } from './query/write-batch.ts'
import { StaleWriteError } from './stale-write.ts'
import { table } from './table.ts'

const notes = table('test_notes', {
  columns: {
    ...revised,
    user_id: nullable(integer),
    title: text,
    tags: Type.Array(Type.String()),
    is_open: Type.Boolean(),
    rank: columnDefault(integer, 7),
    code: storedAs(Type.String(), {
      kind: 'integer',
      toColumn: (code) => Number(code.slice(1)),
      fromColumn: (stored) => `n${stored}`,
    }),
  },
  unique: ['code where user_id is not null'],
  indexes: ['user_id, id'],
  owner: { column: 'user_id', whenErased: 'delete' },
  encrypted: [],
  kept: 'forever',
})

const leases = table('test_leases', {
  columns: { kind: text, name: text, expires_at: integer },
  key: ['kind', 'name'],
  indexes: ['expires_at'],
  owner: null,
  encrypted: [],
  kept: { until: 'expires_at' },
})

const note = (user_id: number | null, code: string) => ({
  ...{ user_id, code, title: `note ${code}`, tags: ['a', 'b'], is_open: true },
  ...{ created_at: 1, updated_at: 1 },
})

for (const kind of storeKinds) {
  describe(`a table on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    before(async () => {
      temporary = await openTemporaryStore(kind)
      await temporary.store.transaction((db) =>
        createSchema(
          db,
          [notes, leases].map(({ declaration }) => declaration),
        ),
      )
    })
    after(() => temporary.dispose())

    test('gives rows back as they were inserted, with their defaults', async () => {
      const { db } = temporary.store
      const inserted = await notes.insert(db, note(1, 'n1'))
      assert.deepEqual(inserted, { ...note(1, 'n1'), id: inserted.id, revision: 1, rank: 7 })
      assert.deepEqual(await notes.find(db, { id: inserted.id }), inserted)
      const { rows } = await sql`select tags, is_open, code from test_notes`.execute(db)
      assert.deepEqual(rows, [{ tags: '["a","b"]', is_open: 1, code: 1 }])
    })

    test('finds, counts, changes and deletes rows by values, lists and null', async () => {
      const { db } = temporary.store
      const rows = [note(2, 'n2'), note(2, 'n3'), note(null, 'n4'), note(3, 'n5')]
      await notes.insertAll(db, rows)
      const codes = async (where: Parameters<typeof notes.findAll>[1]) =>
        (await notes.findAll(db, where, { order: '-id' })).map(({ code }) => code)
      assert.deepEqual(await codes({ user_id: 2 }), ['n3', 'n2'])
      assert.deepEqual(await codes({ user_id: [2, 3], title: ['note n2', 'note n5'] }), [
        'n5',
        'n2',
      ])
      assert.deepEqual(await codes({ user_id: null, code: 'n4' }), ['n4'])
      assert.equal(await notes.count(db, { user_id: 2, is_open: true }), 2)
      assert.equal(await notes.revise(db, { user_id: 2 }, { is_open: false }, 9), 2)
      const [changed] = await notes.findAll(db, { user_id: 2 }, { limit: 1, order: 'id' })
      assert.deepEqual([changed?.is_open, changed?.revision, changed?.updated_at], [false, 2, 9])
      assert.deepEqual((await notes.take(db, { user_id: [2, 3] })).length, 3)
      assert.equal(await notes.delete(db, { user_id: null }), 1)
      assert.deepEqual(await codes({ user_id: [2, 3] }), [])
    })

    test('saves a row once per revision', async () => {
      const { db } = temporary.store
      const row = await notes.insert(db, note(4, 'n6'))
      const saved = await notes.save(db, row, { title: 'new' }, 5)
      assert.deepEqual(saved, { ...row, title: 'new', revision: 2, updated_at: 5 })
      await assert.rejects(notes.save(db, row, { title: 'lost' }, 6), StaleWriteError)
    })

    test('deletes the rows that were kept until now', async () => {
      const { db } = temporary.store
      const until = (expires_at: number) => ({ kind: 'a', name: `${expires_at}`, expires_at })
      await leases.insertAll(
        db,
        Array.from({ length: deletionBatchSize + 2 }, (_, at) => until(at)),
      )
      const expired = deletionBatchSize + 1
      assert.equal(await leases.deleteExpired(db, expired - 1), deletionBatchSize)
      assert.equal(await leases.deleteExpired(db, expired - 1), 1)
      assert.deepEqual(await leases.findAll(db, {}), [until(expired)])
      assert.throws(() => notes.deleteExpired(db, 1), TypeError)
    })

    test('returns changed rows, and the newest ones', async () => {
      const { db } = temporary.store
      await notes.insertAll(db, [note(7, 'n21'), note(7, 'n22'), note(7, 'n23')])
      const newest = await notes.findNewest(db, { user_id: 7 }, 2)
      assert.deepEqual(
        newest.map(({ code }) => code),
        ['n23', 'n22'],
      )
      const [revised, ...others] = await notes.reviseRows(db, { code: 'n21' }, { rank: 8 }, 3)
      assert.deepEqual(
        [revised?.rank, revised?.revision, revised?.is_open, others.length],
        [8, 2, true, 0],
      )
    })

    test('writes rows in a batch', async () => {
      const { db } = temporary.store
      await temporary.store.transaction(async (tx) => {
        await writeBatch(tx, notes.insertWrites(tx, [note(8, 'n31'), note(8, 'n32')]))
        await writeBatch(tx, notes.insertWrites(tx, []))
        await writeBatch(tx, [
          notes.updateWrite({ code: 'n31' }, { tags: ['c'] }),
          notes.deleteWrite({ code: 'n32' }),
        ])
      })
      const [left, ...others] = await notes.findAll(db, { user_id: 8 })
      assert.deepEqual([left?.tags, left?.revision, others.length], [['c'], 1, 0])
    })

    test('has rows as the database has them, without conversion', async () => {
      const { db } = temporary.store
      const stored = notes.withoutConversion()
      const values = { ...note(9, 'n41'), tags: '["d"]', is_open: 0, code: 41 }
      const row = await stored.insert(db, values)
      assert.deepEqual(row, { ...values, id: row.id, revision: 1, rank: 7 })
      assert.deepEqual(await stored.find(db, { code: 41 }), row)
      assert.deepEqual((await notes.find(db, { code: 'n41' }))?.tags, ['d'])
    })

    test('rejects a column that it does not have', async () => {
      const wrong = { colour: 'red' } as never
      await assert.rejects(notes.find(temporary.store.db, wrong), TypeError)
    })
  })
}
