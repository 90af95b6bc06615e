import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { openStore } from '#store/database.ts'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { start } from '#test/support/services/server-process.ts'

const SECRET_KEY = 'a secret key that only tests sign with'
const ADMIN_PASSWORD = 'well known'

async function serve(context: TestContext, env: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-settings-'))
  const server = start(folder, { SECRET_KEY, ADMIN_PASSWORD, ...env })
  context.after(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return await server.url
}

test('SHOP_NAME is the name on every page, and is rejected as a password', async (context) => {
  const name = 'Mugs & More'
  const url = await serve(context, { DATABASE_URL: 'sqlite::memory:', SHOP_NAME: name })
  const read = async (path: string) => await (await fetch(`${url}${path}`)).text()
  assert.match(await read('/docs'), /<title>Mugs &amp; More API reference<\/title>/)
  assert.equal(JSON.parse(await read('/openapi.json')).info.title, name)
  for (const path of ['logout/success', 'interaction/expired', 'authorize?client_id=unknown']) {
    const page = await read(`/oauth/${path}`)
    assert.match(page, /<title>[^<]+ · Mugs &amp; More<\/title>/, path)
    assert.match(page, /<span>Mugs &amp; More<\/span>/, path)
  }
  const similar = await fetch(`${url}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bob', username: 'bob', password: 'MugsMore1' }),
  })
  assert.equal(similar.status, 422)
})

test('DATABASE_POOL bounds the connections of a process, which serves all requests', {
  skip: skipReason('postgres'),
}, async (context) => {
  const { url: DATABASE_URL, remove } = await createEmptyDatabase('postgres')
  context.after(remove)
  const env = { DATABASE_URL, DATABASE_POOL: '2', DEMO_DATA: 'on', RATE_LIMIT: 'off' }
  const url = await serve(context, { ...env, LOGIN_LIMIT: 'off', CATALOGUE_MEMORY_MB: '0' })
  const store = await openStore(DATABASE_URL)
  context.after(store.close)
  const signUp = (at: number) =>
    fetch(`${url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', username: `ada-${at}`, password: 'a horse battery' }),
    })
  const requests = Array.from({ length: 40 }, (_, at) =>
    at % 4 === 0 ? signUp(at) : fetch(`${url}/products?q=mug&page=${at}`),
  )
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  assert.deepEqual(
    statuses.filter((status) => status >= 300),
    [],
  )
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'cartwright'
      and pid <> pg_backend_pid()`.execute(store.db)
  assert.equal(rows[0]?.count, 2)
})
