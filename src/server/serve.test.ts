import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createDigestSecrets } from '#shop/access/digest/secrets.ts'
import { openStore } from '#store/database.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { createCaller, signIn } from '#test/support/services/server.ts'
import { type ServerProcess, start } from '#test/support/services/server-process.ts'

const SECRET_KEY = 'a secret key that only tests sign with'
const ADMIN_PASSWORD = 'well known'
const quiet = { DEMO_DATA: 'off', SECRET_KEY, ADMIN_PASSWORD }

/** Signs in as the first administrator and returns the request headers. */
async function adminHeaders(url: string): Promise<Record<string, string>> {
  const caller = createCaller(url)
  const credentials = { username: 'admin', password: ADMIN_PASSWORD }
  const token = await signIn(caller.request, credentials).finally(caller.close)
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}

async function createProduct(url: string, sku: string): Promise<Response> {
  const body = JSON.stringify({ name: sku, sku, price: 1 })
  return await fetch(`${url}/products`, { method: 'POST', headers: await adminHeaders(url), body })
}

async function countProducts(url: string): Promise<number> {
  const answer = await fetch(`${url}/products?limit=1`)
  const { pagination } = (await answer.json()) as { pagination: { total_items: number } }
  return pagination.total_items
}

/** The output has one JSON line for the request `r-17`, without its query and its credentials. */
function assertLogged(output: string): void {
  const line = output.split('\n').find((text) => text.includes('"r-17"'))
  assert.partialDeepStrictEqual(JSON.parse(line ?? ''), {
    level: 'info',
    request_id: 'r-17',
    method: 'GET',
    path: '/products',
    address: '127.0.0.0',
    msg: 'request',
  })
  assert.doesNotMatch(output, /hidden/)
}

describe('npm start', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cartwright-start-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const sqlite = (name: string) => `sqlite:${join(folder, name)}`

  test('without settings serves from a SQLite file and prints its URL and administrator', async () => {
    const first = start(folder, { DEMO_DATA: 'off' })
    const url = await first.url
    const ready = await fetch(`${url}/health/ready`)
    assert.equal(ready.status, 200)
    await fetch(`${url}/products?api_key=hidden`, {
      headers: { 'x-request-id': 'r-17', authorization: 'Bearer hidden' },
    })
    assert.equal(await first.stop(), 0)
    assert.match(first.output(), /username {3}admin\n {2}password {3}[\w-]{22} \(shown only now\)/)
    assert.match(first.output(), /cartwright listens at http:\/\/localhost:\d+\n/)
    assert.match(first.output(), /data {7}data\/cartwright\.db/)
    assert.equal((await stat(join(folder, 'data/cartwright.db.key'))).mode & 0o777, 0o600)
    assertLogged(first.output())
  })

  const rejected: readonly (readonly [string, Record<string, string>, readonly RegExp[]])[] = [
    ['wrong settings', { PORT: 'x', LOG_LEVEL: 'y' }, [/^PORT must be /, /^LOG_LEVEL must be /]],
    [
      'a database that does not answer, without showing its password',
      { DATABASE_URL: 'postgres://shop:hidden@127.0.0.1:1/none', SECRET_KEY },
      [/^DATABASE_URL: postgres:\/\/127\.0\.0\.1:1\/none cannot be opened: (?!.*hidden)/],
    ],
    [
      'a commonly used ADMIN_PASSWORD at the first start',
      { ...quiet, DATABASE_URL: 'sqlite::memory:', ADMIN_PASSWORD: 'Password123' },
      [/^ADMIN_PASSWORD must not be a commonly used password$/],
    ],
  ]
  for (const [title, env, lines] of rejected) {
    test(`fails with one line per mistake for ${title}`, async () => {
      const { ended, output } = start(folder, env)
      assert.equal(await ended, 1)
      const printed = output().trim().split('\n')
      assert.equal(printed.length, lines.length, output())
      for (const [index, line] of lines.entries()) assert.match(printed[index] ?? '', line)
    })
  }

  test('fails when the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const server = start(folder, { ...quiet, PORT: `${port}`, DATABASE_URL: sqlite('taken.db') })
    assert.equal(await server.ended, 1)
    assert.match(
      server.output(),
      /PORT: another process already listens on this port \(127\.0\.0\.1:\d+\)/,
    )
    other.close()
  })

  test('npm run migrate migrates the database and needs no other setting', async () => {
    const env = { DATABASE_URL: sqlite('migrated.db'), PORT: 'unread' }
    const first = start(folder, env, { file: 'cli/migrate.ts' })
    assert.equal(await first.ended, 0)
    assert.match(first.output(), /^Migrated: 0.1.0\n/)
    const second = start(folder, env, { file: 'cli/migrate.ts' })
    assert.equal(await second.ended, 0)
    assert.equal(second.output(), 'The database is up to date.\n')
  })

  for (const kind of ['sqlite', 'postgres'] as const) {
    const skip = skipReason(kind)
    test(`two concurrent starts on one new ${kind} initialize it once and both serve it`, {
      skip,
    }, async () => {
      const { url: DATABASE_URL, remove } = await createEmptyDatabase(kind)
      const both = [0, 1].map(() => start(folder, { ...quiet, DATABASE_URL }))
      const [one, other] = await Promise.all(both.map(({ url }) => url))
      assert.equal((await createProduct(one ?? '', 'shared')).status, 201)
      assert.equal(await countProducts(other ?? ''), 1)
      assert.deepEqual(await Promise.all(both.map(({ stop }) => stop())), [0, 0])
      const printed = both.filter(({ output }) => output().includes('An administrator was made'))
      assert.equal(printed.length, 1)
      const store = await openStore(DATABASE_URL)
      const users = await store.db.selectFrom('users').select('role').execute()
      assert.deepEqual(users, [{ role: 'admin' }])
      await store.close()
      await remove()
    })

    test(`stored Digest hashes on ${kind} follow DIGEST from the next start on`, {
      skip,
    }, async () => {
      const { url: DATABASE_URL, remove } = await createEmptyDatabase(kind)
      const { decrypt } = createDigestSecrets([SECRET_KEY])
      const store = await openStore(DATABASE_URL)
      const storedHashes = async () => {
        const users = await store.db.selectFrom('users').select('digest_secret').execute()
        return users.map(({ digest_secret: ciphertext }) =>
          ciphertext === null ? 'nothing' : Object.keys(decrypt(ciphertext, 'admin') ?? {}).join(),
        )
      }
      const assertAfterStart = async (DIGEST: string, expected: string) => {
        const server = start(folder, { ...quiet, DATABASE_URL, DIGEST })
        await server.url
        // Deletion happens before the first request, re-encryption in the jobs.
        if (DIGEST !== 'sha-256') assert.deepEqual(await storedHashes(), [expected])
        await pollUntil(storedHashes, ([found]) => found === expected)
        assert.equal(await server.stop(), 0)
      }
      await assertAfterStart('on', 'SHA-256,MD5')
      await assertAfterStart('sha-256', 'SHA-256')
      await assertAfterStart('off', 'nothing')
      await store.close()
      await remove()
    })

    test(`SIGTERM on ${kind} drops no request and loses no acknowledged write`, {
      skip,
    }, async () => {
      const { url: DATABASE_URL, remove } = await createEmptyDatabase(kind)
      const server = start(folder, { ...quiet, DATABASE_URL })
      const { acknowledged, broken } = await writeUntilStopped(server)
      assert.deepEqual(broken, [])
      assert.equal(await server.ended, 0, server.output())
      assert.match(server.output(), /"msg":"stopped"/)
      assert.ok(acknowledged.length > 20, `${acknowledged.length} writes`)
      const store = await openStore(DATABASE_URL)
      const rows = await store.db.selectFrom('products').select('sku').execute()
      const stored = new Set(rows.map(({ sku }) => sku))
      assert.deepEqual(
        acknowledged.filter((sku) => !stored.has(sku)),
        [],
      )
      // Refused connections never reached the server, so there are no other rows.
      assert.equal(stored.size, acknowledged.length)
      await store.close()
      await remove()
    })

    test(`SIGKILL on ${kind} loses no acknowledged write, and the next start makes no administrator`, {
      skip,
    }, async () => {
      const { url: DATABASE_URL, remove } = await createEmptyDatabase(kind)
      const env = { ...quiet, DATABASE_URL }
      const first = start(folder, env)
      const { acknowledged } = await writeUntilStopped(first, 'SIGKILL')
      await first.ended
      const second = start(folder, env)
      assert.ok((await countProducts(await second.url)) >= acknowledged.length)
      assert.equal(await second.stop(), 0)
      assert.match(first.output(), /password {3}set by ADMIN_PASSWORD/)
      assert.doesNotMatch(first.output(), /well known/)
      assert.doesNotMatch(second.output(), /administrator/)
      await remove()
    })
  }
})

/** The outcomes of the requests of several keep-alive clients. */
interface WriteOutcomes {
  readonly acknowledged: string[]
  /** Incomplete or unexpected responses. */
  readonly broken: unknown[]
}

async function writeUntilStopped(
  server: ServerProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<WriteOutcomes> {
  const url = await server.url
  const outcomes: WriteOutcomes = { acknowledged: [], broken: [] }
  const headers = await adminHeaders(url)
  const clients = Array.from({ length: 8 }, (_, client) =>
    writeAsClient(url, headers, client, outcomes),
  )
  while (outcomes.acknowledged.length < 40) await new Promise((resolve) => setTimeout(resolve, 5))
  server.process.kill(signal)
  await Promise.all(clients)
  return outcomes
}

async function writeAsClient(
  url: string,
  headers: Record<string, string>,
  client: number,
  { acknowledged, broken }: WriteOutcomes,
): Promise<void> {
  // fetch opens further connections, which the kernel may reject during shutdown.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let count = 0; ; count += 1) {
    const sku = `${client}-${count}`
    try {
      const post = request(`${url}/products`, { method: 'POST', agent, headers })
      post.end(JSON.stringify({ name: sku, sku, price: 1 }))
      const [answer] = (await once(post, 'response')) as [IncomingMessage]
      const body = (await answer.toArray()).join('')
      if (answer.statusCode === 201 && JSON.parse(body).sku === sku) acknowledged.push(sku)
      else broken.push(body)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') broken.push(error)
      return agent.destroy()
    }
  }
}
