import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { maxBodyBytes } from '#http/server/body/body-limit.ts'
import { combineAuthenticators } from '#shop/access/authentication.ts'
import { createTokenIssuer } from '#shop/access/tokens/access-tokens.ts'
import { bearer } from '#shop/access/tokens/bearer.ts'
import { createCipher, createRequestHmac } from '#src/secrets/encryption.ts'
import { composeApp } from '#src/server/compose.ts'
import { runJobs } from '#src/server/jobs.ts'
import { openStore, type Store } from '#store/database.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testIssuer,
  testPassword,
  testSecretKey,
} from '#test/support/app.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { dayMs } from '#values/instant.ts'

let keys = 0
const newKey = () => ({ 'idempotency-key': `key-${keys++}` })

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const create = (body: object, headers: Record<string, string>) =>
    admin.request('POST', '/products', { name: 'Kettle', price: 5, ...body }, headers)
  const countNamed = async (name: string) =>
    (await shop.db.selectFrom('products').select('id').where('name', '=', name).execute()).length
  const codeOf = ({ json }: { json: { error_code?: string } }) => json.error_code

  test('a repeated POST gets the same response and has one effect', async () => {
    const key = newKey()
    const first = await create({ name: 'Once' }, key)
    const again = await create({ name: 'Once' }, key)
    assert.equal(first.status, 201, first.text)
    assert.equal(first.headers['idempotent-replayed'], undefined)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id'])
    assert.deepEqual([again.status, again.text], [first.status, first.text])
    for (const name of ['location', 'etag', 'last-modified', 'content-type', 'cache-control']) {
      assert.equal(again.headers[name], first.headers[name], name)
    }
    assert.equal(await countNamed('Once'), 1)
  })
  test('a repeated PATCH gets the same response, despite later changes', async () => {
    const { json } = await create({ name: 'Changing' }, {})
    const key = newKey()
    const patch = (price: number, headers = {}) =>
      admin.request('PATCH', `/products/${json.id}`, { price }, headers)
    const first = await patch(6, key)
    await patch(7)
    assert.deepEqual((await patch(6, key)).json, first.json)
    assert.equal((await admin.request('GET', `/products/${json.id}`)).json.price, 7)
  })
  test('a quoted key and a bare one are the same', async () => {
    const first = await create({}, { 'idempotency-key': '"a \\"quoted\\" one"' })
    const again = await create({}, { 'idempotency-key': 'a "quoted" one' })
    assert.equal(again.json.id, first.json.id)
  })
  test('two equal keys get 4001', async () => {
    const url = new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' }))
    const fields = ['Host', url.host, 'Content-Type', 'application/json', 'Connection', 'close']
    const headers = [...fields, 'Idempotency-Key', 'twice', 'Idempotency-Key', 'twice']
    const sent = request(new URL('/users', url), { method: 'POST', headers })
    sent.end('{"name":"Ada","username":"two-keys","password":"an uncommon password"}')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const body = (await json(response)) as { error_code: string }
    assert.deepEqual([response.statusCode, body.error_code], [400, '4001'])
  })
  for (const sent of ['', '""', '"open', 'x'.repeat(256), `"${'x'.repeat(256)}"`, 'b\u00e4d']) {
    test(`the key ${sent.slice(0, 8)} of ${sent.length} characters gets 4001`, async () => {
      const response = await create({}, { 'idempotency-key': sent })
      assert.equal(codeOf(response), '4001')
      assert.equal(response.json.errors[0].field, 'Idempotency-Key')
    })
  }
  test('another body, query or precondition with the same key gets 4222', async () => {
    const key = newKey()
    await create({ name: 'Mine' }, key)
    assert.equal(codeOf(await create({ name: 'Other' }, key)), '4222')
    const conditional = await create({ name: 'Mine' }, { ...key, 'if-match': '*' })
    assert.equal(codeOf(conditional), '4222')
    assert.equal(await countNamed('Other'), 0)
  })
  test('the same key of another caller or at another path is independent', async () => {
    const key = newKey()
    const other = await shop.signInAs('admin')
    const body = { name: 'Twice', price: 5 }
    const first = await admin.request('POST', '/products', body, key)
    const second = await other.request('POST', '/products', body, key)
    assert.notEqual(second.json.id, first.json.id)
    const patched = await admin.request('PATCH', `/products/${first.json.id}`, { price: 6 }, key)
    assert.equal(patched.status, 200, patched.text)
  })
  test('a repeated sign-up creates one account, which another request cannot read', async () => {
    const key = newKey()
    const body = { name: 'Ada', username: `ada-${kind}`, password: testPassword }
    const first = await shop.request('POST', '/users', body, key)
    const again = await shop.request('POST', '/users', body, key)
    assert.equal(again.status, 201, again.text)
    assert.equal(again.json.id, first.json.id)
    const guess = await shop.request('POST', '/users', { ...body, password: 'another one!' }, key)
    assert.equal(codeOf(guess), '4222')
  })
  test('a problem is stored with its first text', async () => {
    const key = newKey()
    const first = await create({ sku: `taken-${kind}` }, {})
    assert.equal(first.status, 201)
    const rejected = await create({ sku: `taken-${kind}` }, key)
    await admin.request('DELETE', `/products/${first.json.id}`)
    const again = await create({ sku: `taken-${kind}` }, key)
    assert.equal(codeOf(rejected), '4092')
    assert.equal(again.text, rejected.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })
  test('a failed precondition is stored', async () => {
    const { json } = await create({}, {})
    const headers = { ...newKey(), 'if-match': '"99-v1"' }
    const patch = () => admin.request('PATCH', `/products/${json.id}`, { price: 6 }, headers)
    assert.equal(codeOf(await patch()), '4121')
    assert.equal((await patch()).headers['idempotent-replayed'], 'true')
  })
  test('the problem of a body or query is stored, and another body gets 4222', async () => {
    for (const [body, query, code] of [
      [{ price: 'much' }, '', '4221'],
      [{ name: undefined }, '', '4001'],
      [{}, '?no_such=1', '4003'],
    ] as const) {
      const key = newKey()
      const url = `/products${query}`
      const send = (more: object = body) =>
        admin.request('POST', url, { name: 'Never', price: 5, ...more }, key)
      const first = await send()
      const again = await send()
      assert.equal(codeOf(first), code, first.text)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.deepEqual([again.status, again.text], [first.status, first.text])
      assert.equal(codeOf(await send({ price: 6 })), '4222')
      assert.equal(await countNamed('Never'), 0)
    }
  })
  test('a 403 for the content of a body is stored', async () => {
    const key = newKey()
    const customer = await shop.signInAs('customer')
    const send = (role: string) =>
      customer.request('POST', '/users', { name: 'Eve', role, password: testPassword }, key)
    assert.equal(codeOf(await send('admin')), '4031')
    assert.equal((await send('admin')).headers['idempotent-replayed'], 'true')
    assert.equal(codeOf(await send('customer')), '4222')
  })
  test('no problem of an anonymous caller is stored', async () => {
    const key = newKey()
    const send = (body: object) => shop.request('POST', '/users', body, key)
    const rows = () => shop.db.selectFrom('idempotency_keys').select('name').execute()
    const before = (await rows()).length
    for (const body of [{ name: 5 }, { name: 'Eve', role: 'admin' }, { x: 1 }]) {
      assert.ok((await send(body)).status >= 400)
    }
    assert.equal((await rows()).length, before)
    assert.equal((await send({ name: 'Eve' })).status, 201)
  })
  // The bytes are counted by the process, whatever the database.
  const onSqlite = kind === 'sqlite' ? test : () => undefined
  onSqlite(
    'beyond the daily bytes of a caller, a response is stored without its body',
    async () => {
      const { request } = await shop.signInAs('admin')
      // The longest description, about 50 kB when stored.
      const description = '😀'.repeat(10_000)
      const send = (key: Record<string, string>) =>
        request('POST', '/products', { name: 'Long', price: 5, description }, key)
      const sent: [Record<string, string>, string | undefined][] = []
      for (let count = 0; count < 330; count += 1) {
        const key = newKey()
        const { status, headers } = await send(key)
        assert.equal(status, 201)
        sent.push([key, headers['location']])
      }
      const replays = await Promise.all(sent.map(([key]) => send(key)))
      for (const [at, { status, headers }] of replays.entries()) {
        assert.deepEqual([status, headers['location']], [201, sent[at]?.[1]])
        assert.equal(headers['idempotent-replayed'], 'true')
      }
      assert.notEqual(replays[0]?.text, '')
      assert.equal(replays.at(-1)?.text, '')
      const { rows } = await sql<{ bytes: number }>`
      select sum(length(answer)) as bytes from idempotency_keys`.execute(shop.db)
      assert.ok(Number(rows[0]?.bytes) < 20 * 1024 * 1024)
    },
  )
  test('401, 403 and an unreadable body use up no key', async () => {
    const customer = await shop.signInAs('customer')
    const body = { name: 'Kettle', price: 5 }
    const key = newKey()
    const product = { method: 'POST', url: '/products' } as const
    const authorization = `Bearer ${admin.token}`
    const inject = async (payload: string, headers: Record<string, string>) =>
      (await shop.app.inject({ ...product, payload, headers: { ...key, ...headers } })).json()
    const type = { 'content-type': 'application/json' }
    const own = { authorization, ...type }
    const text = JSON.stringify(body)
    assert.equal(codeOf(await shop.request('POST', '/products', body, key)), '4011')
    assert.equal(codeOf(await customer.request('POST', '/products', body, key)), '4031')
    assert.equal((await inject('{', own)).error_code, '4002')
    assert.equal((await inject(text, { ...own, 'content-encoding': 'gzip' })).error_code, '4002')
    assert.equal((await inject(text, { ...own, 'content-encoding': 'x' })).error_code, '4152')
    assert.equal((await inject(text, { ...own, 'content-type': 'text/plain' })).error_code, '4151')
    assert.equal((await inject(text, { ...own, accept: 'image/png' })).error_code, '4061')
    assert.equal((await inject(' '.repeat(maxBodyBytes + 1), own)).error_code, '4131')
    assert.equal((await create({}, key)).status, 201)
  })
  test('invalid requests at once with one key get the same problem, or the valid one wins', async () => {
    const key = newKey()
    const invalid = Array.from({ length: 20 }, () => create({ name: 'Flood', price: -1 }, key))
    const [valid, ...responses] = await Promise.all([create({ name: 'Flood' }, key), ...invalid])
    const texts = new Set(responses.map(({ status, text }) => (status === 422 ? text : '')))
    if (valid.status === 201) {
      for (const response of responses) assert.ok(['4221', '4222'].includes(codeOf(response) ?? ''))
      assert.equal(await countNamed('Flood'), 1)
      return
    }
    assert.ok(['4222', '4094'].includes(codeOf(valid) ?? ''), valid.text)
    assert.equal(texts.size, 1)
    assert.equal(await countNamed('Flood'), 0)
  })
  test('the stored problem of a body with many unknown fields is small', async () => {
    const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`field${n}`, 1]))
    const response = await create({ ['x'.repeat(100_000)]: 1, ...many, name: undefined }, newKey())
    assert.equal(codeOf(response), '4001')
    assert.equal(response.json.errors[0].field, 'name')
    assert.ok(response.text.length < 100_000, String(response.text.length))
    const { rows } = await sql<{ longest: number }>`
      select max(length(answer)) as longest from idempotency_keys`.execute(shop.db)
    assert.ok(Number(rows[0]?.longest) < 200_000)
  })
  test('an invalid body takes at most two statements with a key, and none without', async () => {
    const key = newKey()
    const countOf = async (caller: TestApp | TestCaller, headers: Record<string, string>) => {
      shop.takeCount()
      await caller.request('POST', '/users', { name: 5 }, headers)
      return shop.takeCount()
    }
    const own = await countOf(admin, {})
    const counts = [await countOf(admin, key), await countOf(admin, key)]
    assert.deepEqual(
      counts.map((count) => count - own),
      [2, 1],
    )
    assert.deepEqual([await countOf(shop, {}), await countOf(shop, newKey())], [0, 1])
  })
  test('of twenty requests at once one has an effect, others get its response or 4094', async () => {
    const key = newKey()
    const requests = Array.from({ length: 20 }, () => create({ name: 'Crowd' }, key))
    const responses = await Promise.all(requests)
    assert.equal(await countNamed('Crowd'), 1)
    const [first] = responses.filter(({ status }) => status === 201)
    for (const response of responses) {
      if (response.status === 201) assert.equal(response.text, first?.text)
      else assert.equal(codeOf(response), '4094')
    }
    assert.equal((await create({ name: 'Crowd' }, key)).text, first?.text)
  })
  test('stored responses are encrypted', async () => {
    await create({ name: 'Readable nowhere' }, newKey())
    const rows = await shop.db.selectFrom('idempotency_keys').selectAll().execute()
    assert.equal(JSON.stringify(rows).includes('Readable'), false)
  })
  test('a key and its effect are rolled back together', async () => {
    const key = newKey()
    const failing = composeOn(shop, {
      ...shop.store,
      transaction: (work) =>
        shop.store.transaction(async (db) => {
          await work(db)
          throw new Error('the process dies before the commit')
        }),
    })
    const response = await failing.app.inject({
      method: 'POST',
      url: '/products',
      headers: { ...key, authorization: `Bearer ${admin.token}` },
      payload: { name: 'Undone', price: 5 },
    })
    assert.equal(response.statusCode, 500)
    assert.equal(await countNamed('Undone'), 0)
    const again = await create({ name: 'Undone' }, key)
    assert.equal(again.headers['idempotent-replayed'], undefined)
    assert.equal(await countNamed('Undone'), 1)
    await failing.app.close()
  })
  test('another process on the same database returns the stored response', async () => {
    const key = newKey()
    const first = await create({ name: 'Restarted' }, key)
    const store = await openStore(shop.url)
    const next = composeOn(shop, store)
    const again = await next.app.inject({
      method: 'POST',
      url: '/products',
      headers: { ...key, authorization: `Bearer ${admin.token}` },
      payload: { name: 'Restarted', price: 5 },
    })
    assert.equal(again.payload, first.text)
    await next.app.close()
    await store.close()
  })
  test('a request without a key takes no further statement', async () => {
    shop.takeCount()
    assert.equal((await admin.request('POST', '/users', { name: 'Ada' })).status, 201)
    // The credential, the administrator in the transaction, the user, its words and the event; the lock on PostgreSQL.
    assert.equal(shop.takeCount(), kind === 'postgres' ? 6 : 5)
  })
  test('a sign-in ignores the key', async () => {
    const body = { username: admin.username, password: testPassword }
    const key = newKey()
    const first = await shop.request('POST', '/login', body, key)
    const again = await shop.request('POST', '/login', body, key)
    assert.equal(again.status, 200)
    assert.notEqual(again.json.refresh_token, first.json.refresh_token)
  })
  describe('after a day', () => {
    test('a key is deleted', async () => {
      const key = newKey()
      const send = () => shop.request('POST', '/users', { name: 'Late' }, key)
      const first = await send()
      const then = shop.now
      shop.now = then + dayMs - 1
      assert.equal((await send()).json.id, first.json.id)
      shop.now = then + dayMs
      assert.notEqual((await send()).json.id, first.json.id)
      const forget = async () => (await runJobs(shop.parts, shop.db)).forgotten
      assert.ok((await forget()) > 0)
      await pollUntil(forget, (forgotten) => forgotten === 0)
      const left = await shop.db.selectFrom('idempotency_keys').select('name').execute()
      assert.equal(left.length, 1)
      shop.now = then
    })
  })
})

/** Composes another app on the store, as in another process. */
function composeOn(shop: TestApp, store: Store) {
  return composeApp({
    ...shop.parts,
    store,
    authentication: combineAuthenticators([bearer(createTokenIssuer([testSecretKey], testIssuer))]),
    cipher: { ...createCipher([testSecretKey]), ...createRequestHmac([testSecretKey]) },
    clock: () => shop.now,
    linksField: '_links',
    errorShape: 'standard',
  })
}
