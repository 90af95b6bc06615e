import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { openStore } from '#store/database.ts'
import { TransactionLostError } from '#store/errors.ts'
import { createEmptyDatabase } from '#test/support/services/databases.ts'

const maxLogBytes = 1_000_000

async function openFile(t: TestContext) {
  const { url, remove } = await createEmptyDatabase('sqlite')
  const stores = [await openStore(url, { maxLogBytes }), await openStore(url, { maxLogBytes })]
  t.after(async () => {
    for (const store of stores) await store.close()
    await remove()
  })
  const [store, other] = stores
  assert.ok(store && other)
  await sql`create table filler (content text)`.execute(store.db)
  const write = () =>
    sql`insert into filler values (${randomBytes(50_000).toString('hex')})`.execute(store.db)
  const logBytes = () => statSync(`${url.slice('sqlite:'.length)}-wal`).size
  return { store, other, write, logBytes }
}

test('every snapshot ends once the log is too long, and the log begins anew', async (t) => {
  const { store, other, write, logBytes } = await openFile(t)
  const lost: string[] = []
  const first = await store.openSnapshot(() => lost.push('first'))
  const second = await store.openSnapshot(() => lost.push('second'))
  const elsewhere = await other.openSnapshot(() => lost.push('elsewhere'))
  const read = () => sql`select count(*) from filler`.execute(first.db)
  while (lost.length < 3) {
    assert.ok(logBytes() < maxLogBytes * 4)
    await write()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.deepEqual(lost.toSorted(), ['elsewhere', 'first', 'second'])
  await assert.rejects(read, TransactionLostError)
  for (const { close } of [first, second, elsewhere]) await close()
  const later = await store.openSnapshot(() => lost.push('later'))
  assert.ok(logBytes() <= maxLogBytes)
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(lost.length, 3)
  await later.close()
})
