import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { integer, text } from '#store/columns.ts'
import {
  openTemporaryStore,
  skipReason,
  storeKinds,
  type TemporaryStore,
} from '#test/support/services/databases.ts'
import { dialectOf, idIn, lockRows, rowsFromJson } from './dialect.ts'
import { prepareQuery, prepareSql } from './prepared.ts'
import { isPlainRead, onlyReads } from './statement-kind.ts'

let builds = 0

const addSetting = prepareQuery((db, param: { name: string; value: string }) =>
  db
    .insertInto('settings')
    .values({ name: param.name, value: param.value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<string>`settings.value || ${param.value}` }),
    )
    .returning(['name', 'value']),
)

const settingByName = prepareQuery((db, param: { name: string }) => {
  builds += 1
  return db.selectFrom('settings').select('value').where('name', '=', param.name)
})

const replaceSetting = prepareQuery((db, param: { from: string; to: string }) =>
  db.updateTable('settings').set({ value: param.to }).where('value', '=', param.from),
)

const addUser = prepareQuery((db, param: { name: string; age: number | null }) =>
  db
    .insertInto('users')
    .values({ name: param.name, age: param.age, created_at: 1, updated_at: 1 })
    .returning(['id', 'age']),
)

const usersById = prepareQuery((db, param: { ids: readonly number[]; limit: number }) =>
  db
    .selectFrom('users')
    .select('name')
    .where(idIn(db, 'users.id', param.ids))
    .orderBy('id')
    .limit(param.limit),
)

const namesByAge = prepareSql(
  (_, { age }: { age: number }) => sql`
    select name,
      (select count(*) from users as other where other.age > users.age) as older
    from users where age = ${age} order by id`,
  { name: text, older: integer },
)

const countTo = prepareSql(
  (_, { last }: { last: number }) => sql`
    with recursive counted as (
      select 1 as number union all select number + 1 from counted where number < ${last})
    select max(number) as number from counted`,
  { number: integer },
)

const lockUsers = prepareSql((db) => sql`select users.id from users ${lockRows(db, 'users')}`, {
  id: integer,
})

interface Line {
  readonly product_id: number
  readonly name: string | null
}

const linesWithUsers = prepareQuery((db, param: { lines: readonly Line[] }) =>
  db
    .selectFrom(rowsFromJson(db, param.lines, { product_id: 'integer', name: 'text' }).as('line'))
    .leftJoin('users', 'users.id', 'line.product_id')
    .select(['line.product_id', 'line.name', 'users.name as user']),
)

for (const kind of storeKinds) {
  describe(`a prepared query on ${kind}`, { skip: skipReason(kind) }, () => {
    let temporary: TemporaryStore
    before(async () => {
      temporary = await openTemporaryStore(kind)
    })
    after(() => temporary.dispose())

    test('inserts, returns and resolves conflicts with its values', async () => {
      const { db } = temporary.store
      const first = await addSetting.first(db, { name: 'a', value: '1' })
      const second = await addSetting.all(db, { name: 'a', value: '2' })
      assert.deepEqual(first, { name: 'a', value: '1' })
      assert.deepEqual(second, [{ name: 'a', value: '12' }])
    })

    test('is built once for a store and its transactions', async () => {
      const { store } = temporary
      await settingByName.first(store.db, { name: 'a' })
      const before = builds
      const values = await store.transaction((db) => settingByName.all(db, { name: 'a' }))
      assert.equal((await settingByName.all(store.db, { name: 'none' })).length, 0)
      assert.equal(values.length, 1)
      assert.equal(builds, before)
    })

    test('runs in the transaction whose db it is called with', async () => {
      const { store } = temporary
      const work = store.transaction(async (db) => {
        await addSetting.run(db, { name: 'undone', value: '1' })
        assert.deepEqual(await settingByName.first(db, { name: 'undone' }), { value: '1' })
        throw new Error('no')
      })
      await assert.rejects(work)
      assert.equal(await settingByName.first(store.db, { name: 'undone' }), undefined)
    })

    test('counts the affected rows, with and without a returning clause', async () => {
      const { db } = temporary.store
      await addSetting.run(db, { name: 'b', value: 'x' })
      assert.equal(await addSetting.run(db, { name: 'c', value: 'x' }), 1)
      assert.equal(await replaceSetting.run(db, { from: 'x', to: 'y' }), 2)
      assert.equal(await replaceSetting.run(db, { from: 'x', to: 'y' }), 0)
    })

    test('accepts null as a value and throws a TypeError for an undefined one', async () => {
      const { db } = temporary.store
      assert.equal((await addUser.first(db, { name: 'Ada', age: null }))?.age, null)
      assert.equal((await addUser.first(db, { name: 'Bo', age: 40 }))?.age, 40)
      await assert.rejects(addUser.run(db, { name: 'Cy' } as never), TypeError)
    })

    test('takes a list of ids of any length as one parameter', async () => {
      const { db } = temporary.store
      const many = Array.from({ length: 5000 }, (_, index) => index + 1)
      assert.deepEqual(await usersById.all(db, { ids: many, limit: 5 }), [
        { name: 'Ada' },
        { name: 'Bo' },
      ])
      assert.deepEqual(await usersById.all(db, { ids: [2], limit: 5 }), [{ name: 'Bo' }])
      assert.deepEqual(await usersById.all(db, { ids: [], limit: 5 }), [])
    })

    test('takes a list of objects as a table', async () => {
      const { db } = temporary.store
      const lines = [
        { product_id: 1, name: `it's "quoted"` },
        { product_id: 9_007_199_254_740_991, name: null },
      ]
      assert.deepEqual(await linesWithUsers.all(db, { lines }), [
        { ...lines[0], user: 'Ada' },
        { ...lines[1], user: null },
      ])
      assert.deepEqual(await linesWithUsers.all(db, { lines: [] }), [])
    })

    test('is written in SQL, with the columns that it declares', async () => {
      const { db } = temporary.store
      const rows = await namesByAge.all(db, { age: 40 })
      assert.deepEqual(rows, [{ name: 'Bo', older: 0 }])
      const { compiled } = namesByAge.write({ age: 36 })
      assert.deepEqual([isPlainRead(compiled(db)), onlyReads(compiled(db))], [true, true])
      assert.match(compiled(db).sql, /^select name, .* order by id$/)
      const recursive = countTo.write({ last: 3 }).compiled(db)
      assert.deepEqual([isPlainRead(recursive), onlyReads(recursive)], [false, true])
      assert.deepEqual(await countTo.first(db, { last: 3 }), { number: 3 })
      const locking = lockUsers.write({}).compiled(db)
      assert.equal(isPlainRead(locking), temporary.store.kind === 'sqlite')
    })

    test('has the same dialect inside and outside a transaction', async () => {
      const { store } = temporary
      assert.equal(dialectOf(store.db), store.kind)
      await store.transaction(async (db) => assert.equal(dialectOf(db), store.kind))
    })
  })
}
