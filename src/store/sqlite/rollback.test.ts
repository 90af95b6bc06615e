import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { Db, Store } from '#store/database.ts'
import { isUniqueViolation, TransactionLostError } from '#store/errors.ts'
import { openTemporaryStore, type TemporaryStore } from '#test/support/services/databases.ts'
import { seededRandom } from '#test/support/shop/random-changes.ts'
import { SqliteConnection } from './connection.ts'
import { GroupWriter } from './group-commit.ts'

let temporary: TemporaryStore
let store: Store
beforeEach(async () => {
  temporary = await openTemporaryStore('sqlite')
  store = temporary.store
  // Migrations store settings.
  await store.db.deleteFrom('settings').execute()
})
afterEach(() => temporary.dispose())

const put = (db: Db, name: string, value = 'x') =>
  db.insertInto('settings').values({ name, value }).execute()

async function settings(db: Db): Promise<Record<string, string>> {
  const rows = await db.selectFrom('settings').select(['name', 'value']).execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** A transaction that fails after a write. */
const failing = (name: string) =>
  store.transaction(async (db) => {
    await put(db, name)
    throw new Error('rejected')
  })

test('a transaction that fails after a write does not affect the others of its group', async () => {
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

test('a statement that fails after some of its rows leaves none of them', async () => {
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

test('returned ids stay those of their rows when another transaction is rolled back', async () => {
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
        if (at % 5 === 3) throw new Error('rejected')
        return added
      }),
    ),
  )
  const returned = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : [],
  )
  const stored = await store.db
    .selectFrom('audit_events')
    .select(['id', 'request_id'])
    .where('action', '=', 'data_exported')
    .orderBy('id')
    .execute()
  assert.equal(returned.length, 24)
  assert.deepEqual(stored, returned)
})

test('concurrent transactions that write and fail have the effect of serial ones', async () => {
  const random = seededRandom(11)
  const expected: Record<string, string> = {}
  let started = 0
  const append = (db: Db, name: string, value: string) =>
    db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ value: sql`settings.value || ${value}` }),
      )
      .execute()
  for (let round = 0; round < 20; round += 1) {
    const work = Array.from({ length: 60 }, (_, at) => {
      const names = Array.from({ length: 3 }, () => `n${Math.floor(random() * 12)}`)
      const outcome = random()
      return store.transaction(async (db) => {
        started += 1
        for (const name of names) await append(db, name, `${round}:${at},`)
        if (outcome < 0.1) throw new Error('rejected')
        if (outcome < 0.15) await put(db, names[0] ?? '')
        for (const name of names) expected[name] = `${expected[name] ?? ''}${round}:${at},`
      })
    })
    const statuses = (await Promise.allSettled(work)).map(({ status }) => status)
    assert.ok(statuses.includes('rejected') && statuses.includes('fulfilled'))
  }
  assert.equal(started, 20 * 60)
  assert.deepEqual(await settings(store.db), expected)
})

/** Has another connection write right after a rollback, when the write lock is free. */
class ContendedConnection extends SqliteConnection {
  readonly #other = new DatabaseSync(temporary.url.slice('sqlite:'.length))
  isContended = false

  override command(text: string): void {
    super.command(text)
    if (this.isContended && text === 'rollback') {
      this.#other.exec("insert into settings (name, value) values ('other', 'x')")
    }
  }

  override close(): void {
    this.#other.close()
    super.close()
  }
}

test('a group is rolled back if another process writes before its writes are replayed', async () => {
  const path = temporary.url.slice('sqlite:'.length)
  const connection = new ContendedConnection(path, { readOnly: false })
  const writer = new GroupWriter(connection)
  const statement = (name: string) => ({
    sql: 'insert into settings (name, value) values (?, ?)',
    parameters: [name, 'x'],
  })
  try {
    await writer.write(statement('taken'))
    connection.isContended = true
    const outcomes = await Promise.allSettled(
      ['a', 'taken', 'b'].map((name) => writer.write(statement(name))),
    )
    connection.isContended = false
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

test('a transaction of more writes than a group holds is committed and rolled back as any other', async () => {
  const putMany = async (db: Db, prefix: string) => {
    for (let at = 0; at < 1500; at += 1) await put(db, `${prefix}${at}`)
  }
  const outcomes = await Promise.allSettled([
    store.transaction((db) => put(db, 'first')),
    store.transaction(async (db) => {
      await putMany(db, 'x')
      throw new Error('rejected')
    }),
    store.transaction((db) => put(db, 'between')),
    store.transaction((db) => putMany(db, 'y')),
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
