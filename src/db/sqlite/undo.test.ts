import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { Db, Store } from '#db/database.ts'
import { isUniqueViolation, TransactionLostError } from '#db/errors.ts'
import { chanceFrom } from '#test/support/random-trade.ts'
import { type TemporaryStore, temporaryStore } from '#test/support/services/databases.ts'
import { SqliteConnection } from './connection.ts'
import { GroupWriter } from './group-commit.ts'

let temporary: TemporaryStore
let store: Store
beforeEach(async () => {
  temporary = await temporaryStore('sqlite')
  store = temporary.store
})
afterEach(() => temporary.dispose())

const put = (db: Db, name: string, value = 'x') =>
  db.insertInto('settings').values({ name, value }).execute()

async function settings(db: Db): Promise<Record<string, string>> {
  const rows = await db.selectFrom('settings').select(['name', 'value']).execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Writes and then fails, as whoever is refused late. */
const failing = (name: string) =>
  store.transaction(async (db) => {
    await put(db, name)
    throw new Error('refused')
  })

test('whoever fails after writing undoes nothing of the others of its group', async () => {
  const before = store.stats()
  const outcomes = await Promise.allSettled([
    store.transaction((db) => put(db, 'a')),
    failing('b'),
    put(store.db, 'c'),
    failing('d'),
    store.transaction((db) => put(db, 'e')),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.equal(store.stats().groups - before.groups, 1)
  assert.deepEqual(Object.keys(await settings(store.db)).sort(), ['a', 'c', 'e'])
})

test('a statement that fails half-way leaves nothing of what it did', async () => {
  await put(store.db, 'taken')
  const several = ['p', 'q', 'taken', 'r'].map((name) => ({ name, value: 'x' }))
  const insertion = (db: Db) => db.insertInto('settings').values(several).execute()
  for (const round of ['alone', 'after one that failed']) {
    const outcomes = await Promise.allSettled([
      put(store.db, `first, ${round}`),
      insertion(store.db),
      store.transaction((db) => insertion(db)),
      put(store.db, `last, ${round}`),
    ])
    const [first, single, within, last] = outcomes
    assert.deepEqual([first?.status, last?.status], ['fulfilled', 'fulfilled'])
    for (const outcome of [single, within]) {
      assert.ok(outcome?.status === 'rejected' && isUniqueViolation(outcome.reason))
    }
  }
  const left = Object.keys(await settings(store.db)).filter((name) => /^[pqr]$/.test(name))
  assert.deepEqual(left, [])
})

test('ids that were given out before somebody failed stay those of their rows', async () => {
  const event = { action: 'data_exported' as const, details: '{}', at: 0 }
  const add = async (db: Db, request: string) => {
    const row = { ...event, request_id: request }
    const added = await db
      .insertInto('audit_events')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id: added.id, request_id: request }
  }
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, at) =>
      store.transaction(async (db) => {
        const added = await add(db, `r${at}`)
        if (at % 5 === 3) throw new Error('refused')
        return added
      }),
    ),
  )
  const told = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
  const kept = await store.db
    .selectFrom('audit_events')
    .select(['id', 'request_id'])
    .where('action', '=', 'data_exported')
    .orderBy('id')
    .execute()
  assert.equal(told.length, 24)
  assert.deepEqual(kept, told)
})

test('many that write and fail at once leave what they would one after the other', async () => {
  const chance = chanceFrom(11)
  const expected: Record<string, string> = {}
  let order = ''
  const act = (db: Db, name: string, value: string) =>
    db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ value: sql`settings.value || ${value}` }),
      )
      .execute()
  for (let round = 0; round < 20; round += 1) {
    const work = Array.from({ length: 60 }, (_, at) => {
      const names = Array.from({ length: 3 }, () => `n${Math.floor(chance() * 12)}`)
      const fate = chance()
      return store.transaction(async (db) => {
        order += '.'
        for (const name of names) await act(db, name, `${round}:${at},`)
        if (fate < 0.1) throw new Error('refused')
        if (fate < 0.15) await put(db, names[0] ?? '')
        for (const name of names) expected[name] = `${expected[name] ?? ''}${round}:${at},`
      })
    })
    const statuses = (await Promise.allSettled(work)).map(({ status }) => status)
    assert.ok(statuses.includes('rejected') && statuses.includes('fulfilled'))
  }
  assert.equal(order.length, 20 * 60)
  assert.deepEqual(await settings(store.db), expected)
})

/** Lets another process write at the worst moment: when the lock is given up to undo somebody. */
class Meddled extends SqliteConnection {
  readonly #other = new DatabaseSync(temporary.url.slice('sqlite:'.length))
  isMeddling = false

  override command(text: string): void {
    super.command(text)
    if (this.isMeddling && text === 'rollback') {
      this.#other.exec("insert into settings (name, value) values ('other', 'x')")
    }
  }

  override close(): void {
    this.#other.close()
    super.close()
  }
}

test('where another process writes while somebody is undone, the whole group is lost', async () => {
  const path = temporary.url.slice('sqlite:'.length)
  const connection = new Meddled(path, { readOnly: false })
  const writer = new GroupWriter(connection)
  const statement = (name: string) => ({
    sql: 'insert into settings (name, value) values (?, ?)',
    parameters: [name, 'x'],
  })
  try {
    await writer.write(statement('taken'))
    connection.isMeddling = true
    const outcomes = await Promise.allSettled(
      ['a', 'taken', 'b'].map((name) => writer.write(statement(name))),
    )
    connection.isMeddling = false
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    )
    assert.ok(outcomes[1]?.status === 'rejected' && isUniqueViolation(outcomes[1].reason))
    assert.ok(
      outcomes[0]?.status === 'rejected' && outcomes[0].reason instanceof TransactionLostError,
    )
    assert.deepEqual(Object.keys(await settings(store.db)).sort(), ['b', 'other', 'taken'])
  } finally {
    connection.close()
  }
})

test('a transaction of very many statements is kept, or undone, as any other', async () => {
  const many = async (db: Db, sign: string) => {
    for (let at = 0; at < 1500; at += 1) await put(db, `${sign}${at}`)
  }
  const outcomes = await Promise.allSettled([
    store.transaction((db) => put(db, 'first')),
    store.transaction(async (db) => {
      await many(db, 'x')
      throw new Error('refused')
    }),
    store.transaction((db) => put(db, 'between')),
    store.transaction((db) => many(db, 'y')),
    failing('z'),
    store.transaction((db) => put(db, 'last')),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  const left = Object.keys(await settings(store.db))
  assert.deepEqual(left.filter((name) => !name.startsWith('y')).sort(), [
    'between',
    'first',
    'last',
  ])
  assert.equal(left.length, 1503)
})
