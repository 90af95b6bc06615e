import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type Db, openStore, type Store } from '#store/database.ts'
import { isForeignKeyViolation, isUnavailable, TransactionLostError } from '#store/errors.ts'
import { requestPlace } from '#test/support/request-place.ts'
import { openTemporaryStore, type TemporaryStore } from '#test/support/services/databases.ts'
import { runInPlace } from '#values/request-place.ts'

let temporary: TemporaryStore
let store: Store
beforeEach(async () => {
  temporary = await openTemporaryStore('sqlite')
  store = temporary.store
  // Migrations write settings.
  await store.db.deleteFrom('settings').execute()
})
afterEach(() => temporary.dispose())

function put(db: Db, name: string, value = 'x') {
  return db.insertInto('settings').values({ name, value }).execute()
}

async function names(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('settings').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}

/** Writes a foreign key that is checked, and violated, at the commit of the group. */
async function breakCommit(db: Db): Promise<void> {
  await sql`pragma defer_foreign_keys = on`.execute(db)
  await db.insertInto('carts').values({ user_id: 404, created_at: 1, updated_at: 1 }).execute()
}

test('transactions started in one turn of the event loop share a commit', async () => {
  const before = store.stats()
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => store.transaction((db) => put(db, `t-${index}`))),
  )
  const { commits, groups } = store.stats()
  assert.equal(commits - before.commits, 50)
  assert.equal(groups - before.groups, 1)
})

test('transactions started in separate callbacks of one turn share a commit', async () => {
  const before = store.stats()
  const work: Promise<unknown>[] = []
  const arrivals = Array.from({ length: 10 }, (_, index) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    setTimeout(() => {
      work.push(store.transaction((db) => put(db, `t-${index}`)))
      resolve()
    }, 2)
    return promise
  })
  await Promise.all(arrivals)
  await Promise.all(work)
  const { commits, groups } = store.stats()
  assert.equal(commits - before.commits, 10)
  assert.ok(groups - before.groups < 10)
})

test('a group has at most 128 transactions', async () => {
  const before = store.stats()
  await Promise.all(
    Array.from({ length: 300 }, (_, index) => store.transaction((db) => put(db, `t-${index}`))),
  )
  assert.equal(store.stats().groups - before.groups, 3)
})

test('networks take turns, however much one of them writes', async () => {
  const order: string[] = []
  const write = (owner: string, name: string) =>
    runInPlace(requestPlace({ owner }), () =>
      store.transaction(async (db) => {
        await put(db, name)
        order.push(name)
      }),
    )
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => write('192.0.2.1', name)),
    ...['b1', 'b2'].map((name) => write('192.0.2.2', name)),
    store.transaction(async () => order.push('own')),
  ])
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'own', 'a3', 'b2', 'a4'])
})

test('single statements share the commit of a group', async () => {
  const before = store.stats()
  await Promise.all([
    put(store.db, 'a'),
    put(store.db, 'b'),
    store.transaction((db) => put(db, 'c')),
  ])
  assert.equal(store.stats().groups - before.groups, 1)
  assert.deepEqual(await names(store.db), ['a', 'b', 'c'])
})

test('a single statement that fails does not affect the others of its group', async () => {
  await put(store.db, 'a')
  const outcomes = await Promise.allSettled([
    put(store.db, 'b'),
    put(store.db, 'a'),
    put(store.db, 'c'),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await names(store.db), ['a', 'b', 'c'])
})

test('a failed commit rejects and rolls back its whole group, and the next group works', async () => {
  const outcomes = await Promise.allSettled([
    store.transaction((db) => put(db, 'a')),
    store.transaction(breakCommit),
    put(store.db, 'b'),
    store.transaction((db) => put(db, 'c')),
  ])
  for (const outcome of outcomes) {
    assert.equal(outcome.status, 'rejected')
    assert.ok(outcome.reason instanceof TransactionLostError)
    assert.ok(isUnavailable(outcome.reason))
    assert.ok(isForeignKeyViolation(outcome.reason.cause))
  }
  await store.transaction((db) => put(db, 'next'))
  assert.deepEqual(await names(store.db), ['next'])
})

test('a statement with which SQLite rolls back fails its whole group and no other', async () => {
  await put(store.db, 'taken')
  const kill = sql`insert or rollback into settings (name, value) values ('taken', 'x')`
  const outcomes = await Promise.allSettled([
    store.transaction((db) => put(db, 'a')),
    put(store.db, 'b'),
    store.transaction((db) => kill.execute(db)),
    store.transaction((db) => put(db, 'later')),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await names(store.db), ['later', 'taken'])
})

test('a transaction that SQLite has rolled back accepts no further statement', async () => {
  await put(store.db, 'taken')
  const work = store.transaction(async (db) => {
    await put(db, 'a')
    const kill = sql`insert or rollback into settings (name, value) values ('taken', 'x')`
    await assert.rejects(kill.execute(db))
    await assert.rejects(put(db, 'b'), TransactionLostError)
  })
  await assert.rejects(work, TransactionLostError)
  assert.deepEqual(await names(store.db), ['taken'])
})

test('a full disk is unavailable, and the store works again once there is space', async () => {
  await put(store.db, 'before')
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(store.db)
  await sql`pragma max_page_count = ${sql.lit((pages.rows[0]?.page_count ?? 0) + 4)}`.execute(
    store.db,
  )
  const large = 'x'.repeat(100_000)
  const outcomes = await Promise.allSettled([
    store.transaction((db) => put(db, 'large-1', large)),
    put(store.db, 'large-2', large),
  ])
  for (const outcome of outcomes) {
    assert.equal(outcome.status, 'rejected')
    assert.ok(isUnavailable(outcome.reason))
  }
  await sql`pragma max_page_count = 1000000`.execute(store.db)
  await put(store.db, 'after')
  assert.deepEqual(await names(store.db), ['after', 'before'])
})

test('a commit is synced to the disk before it is acknowledged', async () => {
  const mode = await sql<{ synchronous: number }>`pragma synchronous`.execute(store.db)
  assert.equal(mode.rows[0]?.synchronous, 2)
})

test('every acknowledged transaction survives the killing of the process', async () => {
  const script = fileURLToPath(
    new URL('../../../test/support/services/database-process.ts', import.meta.url),
  )
  const child = spawn(process.execPath, [script, 'write', temporary.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line)
    if (acknowledged.length === 400) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  assert.equal(child.signalCode, 'SIGKILL')
  const committed = new Set(await names(store.db))
  assert.deepEqual(
    acknowledged.filter((name) => !committed.has(name)),
    [],
  )
  const result = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(store.db)
  assert.deepEqual(result.rows, [{ integrity_check: 'ok' }])
})

test('two stores can write to one file', async () => {
  const other = await openStore(temporary.url)
  try {
    const work = [store, other].flatMap((writer, side) =>
      Array.from({ length: 20 }, (_, index) =>
        new Promise((resolve) => setTimeout(resolve, index)).then(() =>
          writer.transaction((db) => put(db, `${side}-${index}`)),
        ),
      ),
    )
    await Promise.all(work)
    assert.equal((await names(other.db)).length, 40)
  } finally {
    await other.close()
  }
})

const writtenBytes = () => Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

test('the transactions of a group write no copies of original pages', async (t) => {
  if (!existsSync('/proc/self/io')) return t.skip('This system has no /proc/self/io')
  const pages = 40
  const fill = (character: string) =>
    store.transaction(async (db) => {
      await db
        .updateTable('settings')
        .set({ value: character.repeat(3000) })
        .execute()
    })
  for (let at = 0; at < pages; at += 1) {
    await store.db
      .insertInto('settings')
      .values({ name: `p${at}`, value: '' })
      .execute()
  }
  await fill('a')
  const before = { bytes: writtenBytes(), groups: store.stats().groups }
  await Promise.all(Array.from({ length: 60 }, (_, at) => fill(String(at % 10))))
  assert.equal(store.stats().groups, before.groups + 1)
  // Once to the log, with room for a checkpoint; copies for sixty transactions would be 10 MB.
  const written = writtenBytes() - before.bytes
  assert.ok(written < 4 * pages * 4096, `${written} bytes were written`)
})
