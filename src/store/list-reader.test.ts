import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { openStore } from '#store/database.ts'
import { createEmptyDatabase } from '#test/support/services/databases.ts'
import { isUnavailable } from './errors.ts'

async function openFile(t: TestContext, threadedFromBytes: number | undefined) {
  const { url, remove } = await createEmptyDatabase('sqlite')
  const traced: string[] = []
  const store = await openStore(url, {
    ...(threadedFromBytes === undefined ? {} : { threadedFromBytes }),
    startStatement: (text) => {
      traced.push(text)
      return undefined
    },
  })
  t.after(async () => {
    await store.close()
    await remove()
  })
  await sql`create table rows (id integer primary key, content text)`.execute(store.db)
  await sql`insert into rows (content) values ('one'), (null)`.execute(store.db)
  const { listReader } = store
  assert.ok(listReader)
  return { store, listReader, traced }
}

const all = sql<{ id: number; content: string | null }>`select * from rows order by id`

test('threads read what was committed before, as the event loop does', async (t) => {
  const { store, listReader, traced } = await openFile(t, 0)
  const db = listReader.db('owner')
  assert.ok(db)
  assert.equal(listReader.busyMs(), 0)
  assert.deepEqual(await all.execute(db), await all.execute(store.db))
  for (let id = 3; id < 20; id += 1) {
    await sql`insert into rows (content) values (${`number ${id}`})`.execute(store.db)
    const counted = await sql<{ count: number }>`select count(*) as count from rows`.execute(db)
    assert.deepEqual(counted.rows, [{ count: id }])
  }
  assert.ok(listReader.busyMs() > 0)
  assert.equal(traced.filter((text) => text.startsWith('select count')).length, 17)
})

test('several statements at once each get their own rows', async (t) => {
  const { listReader } = await openFile(t, 0)
  const db = listReader.db('owner')
  assert.ok(db)
  const numbers = Array.from({ length: 40 }, (_, at) => at)
  const read = async (number: number) =>
    (await sql<{ number: number }>`select ${number} as number`.execute(db)).rows[0]?.number
  assert.deepEqual(await Promise.all(numbers.map(read)), numbers)
})

test('a statement that fails rejects as in the event loop, and the next one runs', async (t) => {
  const { store, listReader } = await openFile(t, 0)
  const db = listReader.db('owner')
  assert.ok(db)
  const wrong = sql`select abs(-9223372036854775807 - 1)`
  const errorOf = (run: Promise<unknown>) =>
    run.then(
      () => assert.fail(),
      (error: unknown) => error,
    )
  const expected = (await errorOf(wrong.execute(store.db))) as Record<string, unknown>
  const actual = (await errorOf(wrong.execute(db))) as Record<string, unknown>
  for (const field of ['message', 'code', 'errcode']) assert.equal(actual[field], expected[field])
  assert.equal((await all.execute(db)).rows.length, 2)
})

test('writes of the list reader run on the writer', async (t) => {
  const { store, listReader } = await openFile(t, 0)
  const db = listReader.db('owner')
  assert.ok(db)
  await sql`delete from rows`.execute(db)
  assert.deepEqual((await all.execute(store.db)).rows, [])
})

test('closing waits for a statement in progress and refuses the next', async (t) => {
  const { store, listReader } = await openFile(t, 0)
  const db = listReader.db('owner')
  assert.ok(db)
  const reading = all.execute(db)
  await store.close()
  assert.equal((await reading).rows.length, 2)
  await assert.rejects(all.execute(db), isUnavailable)
})

test('a small file needs no threads', async (t) => {
  const { listReader } = await openFile(t, undefined)
  assert.equal(listReader.db('owner'), undefined)
})

test('a statement of another owner does not wait for all those of the first', async (t) => {
  const { listReader } = await openFile(t, 0)
  const done: string[] = []
  const read = async (owner: string) => {
    const db = listReader.db(owner)
    assert.ok(db)
    await sql`select 1`.execute(db)
    done.push(owner)
  }
  const many = Array.from({ length: 40 }, () => read('many'))
  await Promise.all([...many, read('one')])
  assert.ok(done.indexOf('one') < 20)
})
