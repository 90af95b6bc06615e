import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { algorithms } from '#http/rate-limit/algorithms/algorithms.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { scopesOfRole } from '#shop/scopes.ts'
import { runJobs } from '#src/server/jobs.ts'
import { openStore } from '#store/database.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'
import { readFailedSignIns } from '#test/support/failed-sign-ins.ts'
import { minuteMs, secondMs } from '#values/instant.ts'
import { maxKeys } from './rules.ts'

const defaultLimit = { limit: 10, windowMs: minuteMs }
const resultOf = ({ status, json }: TestResponse): unknown[] => [status, json?.error_code]

eachDatabase((kind) => {
  let shop: TestApp
  let owner: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    owner = await shop.signInAs('customer')
  })
  after(() => shop.dispose())

  const readProfile = (key: string, at: Pick<TestApp, 'request'> = shop) =>
    at.request('GET', '/profile', undefined, { authorization: `Api-Key ${key}` })
  const createKey = async (fields: object = {}, caller: Pick<TestCaller, 'request'> = owner) => {
    const response = await caller.request('POST', '/api-keys', { name: 'Reader', ...fields })
    assert.equal(response.status, 201, response.text)
    return response.json
  }
  /** Returns a caller that sends the key. */
  const callerWith = (key: string): Pick<TestCaller, 'request'> => ({
    request: (method, url, body, headers) =>
      shop.request(method, url, body, { authorization: `Api-Key ${key}`, ...headers }),
  })
  const restoreClockAfter = (t: { after: (fn: () => void) => void }) => {
    const startedAt = shop.now
    t.after(() => {
      shop.now = startedAt
    })
    return startedAt
  }

  test('a user has at most 100 keys that are accepted, also of requests at once', async (t) => {
    restoreClockAfter(t)
    const caller = await shop.signInAs('customer')
    const expires_at = new Date(shop.now + minuteMs).toISOString()
    const { id } = await createKey({}, caller)
    await createKey({ expires_at }, caller)
    const narrow = callerWith((await createKey({ scopes: ['keys:write'] }, caller)).key)
    const row = await shop.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { id: _, ...columns } = row
    const others = Array.from({ length: maxKeys - 6 }, () => columns)
    await shop.db.insertInto('api_keys').values(others).execute()
    const attempt = (from: Pick<TestCaller, 'request'>) =>
      from.request('POST', '/api-keys', { name: 'One more' })
    const results = await Promise.all(
      Array.from({ length: 8 }, (_each, at) => attempt(at % 2 === 0 ? caller : narrow)),
    )
    const statuses = results.map((response) => resultOf(response).join(' ').trim()).sort()
    assert.deepEqual(statuses, [...Array(3).fill('201'), ...Array(5).fill('409 4091')])
    assert.equal((await owner.request('POST', '/api-keys', { name: 'Of another' })).status, 201)
    assert.equal((await caller.request('DELETE', `/api-keys/${id}`)).status, 204)
    assert.equal((await attempt(narrow)).status, 201)
    assert.equal((await attempt(narrow)).status, 409)
    shop.now += minuteMs
    assert.equal((await attempt(narrow)).status, 201)
  })

  describe('a key that is rejected', () => {
    const failures = () => readFailedSignIns(shop.db, 'api-key')

    test('is recorded with its owner, if any, and without the key', async (t) => {
      const startedAt = restoreClockAfter(t)
      const { key: revoked, id } = await createKey()
      assert.equal((await owner.request('DELETE', `/api-keys/${id}`)).status, 204)
      const wrongAddress = await createKey({ allowed_addresses: ['192.0.2.1'] })
      const wrongOrigin = await createKey({ allowed_origins: ['https://shop.example'] })
      const expires_at = new Date(startedAt + minuteMs).toISOString()
      const expired = await createKey({ expires_at })
      shop.now = startedAt + minuteMs
      const unknown = `cw_${'a'.repeat(43)}`
      const responses = []
      for (const key of [
        unknown,
        revoked,
        wrongAddress.key,
        wrongOrigin.key,
        expired.key,
        'malformed',
      ]) {
        responses.push((await readProfile(key)).json.error_code)
      }
      assert.deepEqual(responses, ['4012', '4012', '4031', '4031', '4013', '4012'])
      const failureOf = ({ id }: { id: number }) => [owner.id, null, '127.0.0.1', `{"id":${id}}`]
      const unknownOwner = [null, null, '127.0.0.1', null]
      assert.deepEqual(await failures(), [
        unknownOwner,
        unknownOwner,
        failureOf(wrongAddress),
        failureOf(wrongOrigin),
        failureOf(expired),
      ])
    })

    test('is recorded at most ten times a minute per address, and always rejected', async () => {
      const limited = await startTestApp(kind, {
        temporary: { ...shop, dispose: async () => undefined },
        composition: {
          loginLimits: {
            counters: memoryCounters(algorithms['sliding-window']),
            defaultAllowance: defaultLimit,
          },
        },
      })
      const before = (await failures()).length
      const from = (remoteAddress: string) =>
        limited.app.inject({
          url: '/products',
          remoteAddress,
          headers: { authorization: `Api-Key cw_${'a'.repeat(43)}` },
        })
      for (let attempt = 0; attempt < 25; attempt += 1) {
        assert.equal((await from('127.0.0.1')).statusCode, 401)
      }
      assert.equal((await failures()).length - before, 10)
      assert.equal((await from('127.0.0.2')).statusCode, 401)
      assert.equal((await failures()).length - before, 11)
      const { key } = await createKey()
      assert.equal((await readProfile(key, limited)).status, 200)
      await limited.app.close()
    })
  })

  describe('a key in a request', () => {
    const cart = () => `/users/${owner.id}/cart`
    const sendXml = (url: string, payload: string, headers = {}) =>
      shop.app.inject({
        method: 'DELETE',
        url,
        payload,
        headers: { 'content-type': 'application/xml', ...headers },
      })

    test('may be sent in an XML body with other fields, and is never in a response', async () => {
      const { key } = await createKey()
      const body = `<user><age>41</age><api_key>${key}</api_key></user>`
      const response = await shop.app.inject({
        method: 'PUT',
        url: `/users/${owner.id}`,
        payload: body.replace('<age>', '<name>Ada</name><age>'),
        headers: { 'content-type': 'application/xml' },
      })
      assert.equal(response.statusCode, 200, response.payload)
      assert.equal(response.json().age, 41)
      assert.ok(!JSON.stringify([response.headers, response.payload]).includes(key))
      const emptied = await sendXml(cart(), `<cart><api_key>${key}</api_key></cart>`)
      assert.equal(emptied.statusCode, 204, emptied.payload)
      const unknown = await sendXml(cart(), '<cart><api_key>cw_unknown</api_key></cart>')
      assert.deepEqual([unknown.statusCode, unknown.json().error_code], [401, '4012'])
    })

    test('has its own Idempotency-Keys, which survive its rotation', async () => {
      const [first, second] = [await createKey(), await createKey()]
      const headers = { 'idempotency-key': `two keys on ${kind}` }
      const patch = (key: string, age: number) =>
        shop.request('PATCH', `/users/${owner.id}?api_key=${key}`, { age }, headers)
      assert.equal((await patch(first.key, 42)).status, 200)
      const other = await patch(second.key, 43)
      assert.deepEqual([other.status, other.json.age], [200, 43])
      const keyPath = `/api-keys/${first.id}/rotations`
      const { json: rotated } = await owner.request('POST', keyPath, {})
      const again = await patch(rotated.key, 42)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.deepEqual(resultOf(await patch(rotated.key, 43)), [422, '4222'])
      const rows = await shop.db.selectFrom('idempotency_keys').selectAll().execute()
      for (const { key } of [first, second]) assert.ok(!JSON.stringify(rows).includes(key))
    })

    test('is not in the links of a list', async () => {
      const { key } = await createKey()
      for (const url of [
        `/api-keys?limit=1&api_key=${key}`,
        `/api-keys?api%5Fkey=${key}&limit=1`,
      ]) {
        const { status, headers, text } = await shop.request('GET', url)
        assert.equal(status, 200, text)
        assert.match(headers['link'] ?? '', /rel="?next/)
        assert.ok(!JSON.stringify([headers, text]).includes(key))
      }
    })

    test('cannot change password or username, whatever its scopes', async () => {
      const ada = await shop.signInAs('customer')
      const changes = [{ password: 'taken over' }, { username: `taken-over-${kind}` }]
      for (const grant of [{ scopes: ['users:write'] }, {}]) {
        const { request } = callerWith((await createKey(grant, ada)).key)
        for (const change of changes) {
          const body = { name: 'Ada', current_password: testPassword, ...change }
          for (const method of ['PATCH', 'PUT']) {
            assert.deepEqual(resultOf(await request(method, `/users/${ada.id}`, body)), [
              403,
              '4033',
            ])
          }
        }
        assert.equal((await request('PATCH', `/users/${ada.id}`, { age: 3 })).status, 200)
      }
    })
  })

  describe('a new key', () => {
    test('is shown once, works immediately, and has the scopes of its creator', async () => {
      const response = await owner.request('POST', '/api-keys', { name: 'Reader' })
      const { key, id, ...fields } = response.json
      assert.equal(response.status, 201)
      assert.match(key, /^cw_[\w-]{43}$/)
      assert.equal(response.headers['location'], `/api-keys/${id}`)
      assert.equal(response.headers['cache-control'], 'no-store')
      assert.equal(fields.prefix, key.slice(0, 11))
      assert.deepEqual(fields.scopes, scopesOfRole('customer'))
      const { expires_at, allowed_addresses, allowed_origins, last_used_at, user_id } = fields
      assert.deepEqual(
        [expires_at, allowed_addresses, allowed_origins, last_used_at, user_id],
        [null, null, null, null, owner.id],
      )
      assert.equal((await readProfile(key)).json.id, owner.id)
      const read = await owner.request('GET', `/api-keys/${id}`)
      assert.deepEqual(read.json, { id, ...fields })
      const listed = await owner.request('GET', '/api-keys?sort=id&order=desc&limit=1')
      assert.deepEqual(listed.json.data, [{ id, ...fields }])
    })

    test('is unique and stored only as a hash', async () => {
      const keys = await Promise.all(Array.from({ length: 5 }, () => createKey()))
      assert.equal(new Set(keys.map(({ key }) => key)).size, 5)
      const secrets = await shop.db.selectFrom('api_key_secrets').selectAll().execute()
      const rows = await shop.db.selectFrom('api_keys').selectAll().execute()
      const responses = await shop.db.selectFrom('idempotency_keys').selectAll().execute()
      const stored = JSON.stringify([secrets, rows, responses])
      for (const { key } of keys) assert.ok(!stored.includes(key))
    })

    test('is repeated under an Idempotency-Key to the same session, for ten minutes', async () => {
      const { username } = await shop.signInAs('customer')
      const signIn = async () => {
        const { json } = await shop.request('POST', '/login', { username, password: testPassword })
        return { authorization: `Bearer ${json.token}` }
      }
      const { json: made } = await shop.request(
        'POST',
        '/api-keys',
        { name: 'Reader' },
        await signIn(),
      )
      const requests = [
        ['/api-keys', { name: 'Reader' }],
        [`/api-keys/${made.id}/rotations`, {}],
      ] as const
      for (const [path, body] of requests) {
        const [session, other] = [await signIn(), await signIn()]
        const send = (credential: object) =>
          shop.request('POST', path, body, { 'idempotency-key': 'lost answer', ...credential })
        const first = await send(session)
        const { key, ...shown } = first.json
        assert.match(key, /^cw_/, first.text)
        const again = await send(session)
        assert.deepEqual([again.status, again.text], [first.status, first.text])
        assert.equal(again.headers['idempotent-replayed'], 'true')
        assert.deepEqual((await send(other)).json, shown)
        const rows = await shop.db.selectFrom('idempotency_keys').selectAll().execute()
        assert.ok(!JSON.stringify(rows).includes(key))
        shop.now += 10 * minuteMs
        assert.deepEqual((await send(session)).json, shown)
        shop.now -= 10 * minuteMs
      }
    })

    test('is rejected when it could never be used', async () => {
      const past = new Date(shop.now).toISOString()
      const cases: readonly [object, string][] = [
        [{ expires_at: past }, 'expires_at'],
        [{ allowed_addresses: ['loopback'] }, 'allowed_addresses[0]'],
        [{ allowed_addresses: ['10.0.0.0/8', '10.0.0.0/33'] }, 'allowed_addresses[1]'],
        [{ allowed_addresses: ['10.0.0.0/8/8'] }, 'allowed_addresses[0]'],
        [{ allowed_addresses: ['300.0.0.1'] }, 'allowed_addresses[0]'],
        [{ allowed_addresses: ['2001:db8::/129'] }, 'allowed_addresses[0]'],
        [{ allowed_addresses: ['10.0.0.1 10.0.0.2'] }, 'allowed_addresses[0]'],
        [{ allowed_addresses: [] }, 'allowed_addresses'],
        [{ allowed_origins: ['shop.example.com'] }, 'allowed_origins[0]'],
        [{ allowed_origins: ['https://shop.example.com/'] }, 'allowed_origins[0]'],
        [{ allowed_origins: ['ftp://shop.example.com'] }, 'allowed_origins[0]'],
        [{ scopes: ['no:such'] }, 'scopes[0]'],
      ]
      for (const [fields, field] of cases) {
        const response = await owner.request('POST', '/api-keys', { name: 'Reader', ...fields })
        assert.deepEqual(resultOf(response), [422, '4221'], JSON.stringify(fields))
        assert.deepEqual(
          response.json.errors.map((each: { field: string }) => each.field),
          [field],
        )
      }
      const nameless = await owner.request('POST', '/api-keys', {})
      assert.deepEqual(resultOf(nameless), [400, '4001'])
    })
  })

  describe('what a key may do', () => {
    test('is limited to its scopes and to what its owner still may do', async () => {
      const admin = await shop.signInAs('admin')
      const otherAdmin = await shop.signInAs('admin')
      const { key } = await createKey(
        { scopes: ['users:read', 'users:read', 'products:write'] },
        admin,
      )
      const profile = async () => (await readProfile(key)).json
      assert.equal((await profile()).scope, 'users:read products:write')
      assert.equal((await callerWith(key).request('GET', '/users')).status, 200)
      const orders = await callerWith(key).request('GET', '/orders')
      assert.deepEqual(resultOf(orders), [403, '4033'])
      await otherAdmin.request('PATCH', `/users/${admin.id}`, { role: 'customer' })
      assert.equal((await profile()).scope, 'users:read')
      await otherAdmin.request('PATCH', `/users/${admin.id}`, { status: 'suspended' })
      assert.deepEqual(resultOf(await readProfile(key)), [403, '4032'])
      await otherAdmin.request('DELETE', `/users/${admin.id}`)
      assert.deepEqual(resultOf(await readProfile(key)), [401, '4012'])
      const left = shop.db.selectFrom('api_keys').where('user_id', '=', admin.id)
      assert.deepEqual(await left.selectAll().execute(), [])
    })

    test('is limited to what the creating credential allows', async () => {
      const attempt = async (request: TestCaller['request'], scopes: string[]) =>
        resultOf(await request('POST', '/api-keys', { name: 'Reader', scopes }))
      assert.deepEqual(await attempt(owner.request, ['products:write']), [403, '4033'])
      const narrow = await scopedCaller(shop, owner, ['keys:write', 'orders:read'])
      assert.deepEqual(await attempt(narrow, ['orders:write']), [403, '4033'])
      assert.deepEqual(await attempt(narrow, ['orders:read']), [201, undefined])
      const { scopes } = await createKey({}, { request: narrow })
      assert.deepEqual(scopes, ['orders:read', 'keys:write'].sort(byScopeOrder))
      const withoutScope = await scopedCaller(shop, owner, ['orders:read'])
      assert.deepEqual(await attempt(withoutScope, []), [403, '4033'])
    })

    test('is for its owner only; administrators can read and revoke it, but not rotate it', async () => {
      const stranger = await shop.signInAs('customer')
      const admin = await shop.signInAs('admin')
      const { id, key } = await createKey()
      const keyPath = `/api-keys/${id}`
      for (const [method, path] of [
        ['GET', keyPath],
        ['DELETE', keyPath],
        ['POST', `${keyPath}/rotations`],
      ] as const) {
        assert.deepEqual(resultOf(await stranger.request(method, path)), [403, '4031'])
      }
      const others = await stranger.request('GET', `/api-keys?user_id=${owner.id}`)
      assert.deepEqual(resultOf(others), [403, '4031'])
      assert.deepEqual((await stranger.request('GET', '/api-keys')).json.data, [])
      const all = await admin.request('GET', `/api-keys?user_id=${owner.id}&limit=100`)
      assert.ok(all.json.data.some((each: { id: number }) => each.id === id))
      assert.equal((await admin.request('GET', keyPath)).json._links.rotate, undefined)
      assert.deepEqual(resultOf(await admin.request('POST', `${keyPath}/rotations`)), [403, '4031'])
      assert.equal((await admin.request('DELETE', keyPath)).status, 204)
      assert.deepEqual(resultOf(await readProfile(key)), [401, '4012'])
    })

    test('does not include creating or rotating a wider key', async (t) => {
      const startedAt = restoreClockAfter(t)
      const wide = await createKey()
      const expiry = new Date(startedAt + minuteMs).toISOString()
      const limits = {
        expires_at: expiry,
        allowed_addresses: ['127.0.0.0/8', '10.0.0.0/8'],
        allowed_origins: ['https://a.example.com'],
      }
      const { key, id } = await createKey({ ...limits, scopes: ['keys:write', 'orders:read'] })
      const headers = { origin: 'https://a.example.com' }
      const send = (url: string, body: object) =>
        callerWith(key).request('POST', url, body, headers)
      const child = await send('/api-keys', { name: 'Child' })
      const { expires_at, allowed_addresses, allowed_origins, scopes } = child.json
      assert.deepEqual({ expires_at, allowed_addresses, allowed_origins }, limits)
      assert.deepEqual(scopes.sort(), ['keys:write', 'orders:read'])
      const wider = [
        { expires_at: null },
        { expires_at: new Date(startedAt + minuteMs + 1).toISOString() },
        { allowed_addresses: null },
        { allowed_addresses: ['127.0.0.0/7'] },
        { allowed_origins: null },
        { allowed_origins: ['https://b.example.com'] },
      ]
      for (const fields of wider) {
        const response = await send('/api-keys', { name: 'Child', ...fields })
        assert.deepEqual(resultOf(response), [403, '4031'], JSON.stringify(fields))
      }
      const narrower = { allowed_addresses: ['10.0.0.0/8'], expires_at: expiry }
      assert.equal((await send('/api-keys', { name: 'Child', ...narrower })).status, 201)
      assert.deepEqual(resultOf(await send(`/api-keys/${wide.id}/rotations`, {})), [403, '4033'])
      assert.equal((await send(`/api-keys/${id}/rotations`, {})).status, 201)
    })
  })

  describe('a key is rejected', () => {
    test('from the millisecond of its expiry, with the code for expired credentials', async (t) => {
      const startedAt = restoreClockAfter(t)
      const { key } = await createKey({ expires_at: new Date(startedAt + secondMs).toISOString() })
      shop.now = startedAt + secondMs - 1
      assert.equal((await readProfile(key)).status, 200)
      shop.now = startedAt + secondMs
      const response = await readProfile(key)
      assert.deepEqual(resultOf(response), [401, '4013'])
      assert.match(
        response.headers['www-authenticate'] ?? '',
        /(^|, )Api-Key realm="cartwright"(, |$)/,
      )
    })

    test('after it is revoked, from the next request on, in every process', async (t) => {
      const secondStore = await openStore(shop.url)
      const other = await startTestApp('memory', { composition: { store: secondStore } })
      t.after(async () => {
        await other.dispose()
        await secondStore.close()
      })
      const { key, id } = await createKey()
      assert.equal((await readProfile(key, other)).status, 200)
      assert.equal((await owner.request('DELETE', `/api-keys/${id}`)).status, 204)
      assert.deepEqual(resultOf(await readProfile(key, other)), [401, '4012'])
      assert.equal((await owner.request('DELETE', `/api-keys/${id}`)).status, 204)
      assert.deepEqual(resultOf(await owner.request('GET', `/api-keys/${id}`)), [410, '4101'])
      const rotated = await owner.request('POST', `/api-keys/${id}/rotations`, {})
      assert.deepEqual(resultOf(rotated), [410, '4101'])
      const { json } = await owner.request('GET', '/api-keys?limit=100')
      assert.ok(json.data.every((each: { id: number }) => each.id !== id))
    })

    test('from other addresses and origins than it allows', async () => {
      const { key } = await createKey({
        allowed_addresses: ['127.0.0.2', '::1'],
        allowed_origins: ['https://a.example.com', 'https://b.example.com'],
      })
      const resultFrom = async (remoteAddress: string, origin?: string) => {
        const headers = { authorization: `Api-Key ${key}`, ...(origin ? { origin } : {}) }
        const response = await shop.app.inject({ url: '/profile', remoteAddress, headers })
        return [response.statusCode, response.json().error_code]
      }
      const allowedOrigin = 'https://b.example.com'
      assert.deepEqual(await resultFrom('127.0.0.2', allowedOrigin), [200, undefined])
      assert.deepEqual(await resultFrom('::ffff:127.0.0.2', allowedOrigin), [200, undefined])
      assert.deepEqual(await resultFrom('::1', allowedOrigin), [200, undefined])
      for (const [address, origin] of [
        ['127.0.0.1', allowedOrigin],
        ['127.0.0.2', undefined],
        ['127.0.0.2', 'https://c.example.com'],
        ['127.0.0.2', 'https://b.example.com https://a.example.com'],
      ] as const) {
        assert.deepEqual(await resultFrom(address, origin), [403, '4031'], `${address} ${origin}`)
      }
    })

    test('over plain HTTP from another machine', async () => {
      const { key } = await createKey()
      const headers = { authorization: `Api-Key ${key}` }
      const remote = { url: '/profile', remoteAddress: '203.0.113.9' }
      const responses = [
        await shop.app.inject({ ...remote, headers }),
        await shop.app.inject({ ...remote, url: `/profile?api_key=${key}` }),
      ]
      for (const response of responses) {
        assert.deepEqual([response.statusCode, response.json().error_code], [403, '4031'])
      }
    })

    test('without a database query when it is malformed', async () => {
      const { key } = await createKey()
      shop.takeCount()
      for (const bad of ['', 'x', key.slice(0, -1), `${key}x`, key.slice(3), `${key} ${key}`]) {
        assert.deepEqual(resultOf(await readProfile(bad)), [401, '4012'], bad)
      }
      assert.equal(shop.takeCount(), 0)
      assert.deepEqual(resultOf(await readProfile(`cw_${'A'.repeat(43)}`)), [401, '4012'])
    })
  })

  describe('a rotation', () => {
    const rotate = async (id: number, body?: object) => {
      const response = await owner.request('POST', `/api-keys/${id}/rotations`, body)
      assert.equal(response.status, 201, response.text)
      return response
    }

    test('returns a new key and immediately invalidates the old one', async () => {
      const apiKey = await createKey({ scopes: ['users:read'] })
      for (const body of [undefined, {}, { grace_seconds: 0 }]) {
        const before = (await owner.request('GET', `/api-keys/${apiKey.id}`)).json
        const { json, headers } = await rotate(apiKey.id, body)
        assert.equal(headers['location'], `/api-keys/${apiKey.id}`)
        assert.notEqual(json.prefix, before.prefix)
        assert.equal(json.scopes.join(), 'users:read')
        assert.equal((await readProfile(json.key)).status, 200)
        assert.deepEqual(resultOf(await readProfile(apiKey.key)), [401, '4012'])
        apiKey.key = json.key
      }
    })

    test('keeps the old key valid for grace_seconds, and no longer', async (t) => {
      const startedAt = restoreClockAfter(t)
      const apiKey = await createKey()
      const { json: second } = await rotate(apiKey.id, { grace_seconds: 60 })
      const { json: third } = await rotate(apiKey.id, { grace_seconds: 10 })
      const states = async () =>
        Promise.all([apiKey, second, third].map(async ({ key }) => (await readProfile(key)).status))
      assert.deepEqual(await states(), [200, 200, 200])
      shop.now = startedAt + 10 * secondMs - 1
      assert.deepEqual(await states(), [200, 200, 200])
      shop.now = startedAt + 10 * secondMs
      assert.deepEqual(await states(), [401, 401, 200])
      assert.deepEqual(resultOf(await readProfile(apiKey.key)), [401, '4013'])
      await rotate(apiKey.id)
      const secrets = shop.db.selectFrom('api_key_secrets').where('key_id', '=', apiKey.id)
      assert.equal((await secrets.selectAll().execute()).length, 1)
    })

    test('leaves exactly one valid secret after concurrent rotations', async () => {
      const apiKey = await createKey()
      const responses = await Promise.all(Array.from({ length: 6 }, () => rotate(apiKey.id)))
      const states = await Promise.all(responses.map(({ json }) => readProfile(json.key)))
      assert.equal(states.filter(({ status }) => status === 200).length, 1)
    })
  })

  describe('the use of a key', () => {
    test('takes one statement and is recorded by a job, to the minute', async (t) => {
      const startedAt = restoreClockAfter(t)
      const { key, id } = await createKey()
      const usedAt = async () => (await owner.request('GET', `/api-keys/${id}`)).json.last_used_at
      const use = () => callerWith(key).request('GET', '/users')
      shop.takeCount()
      await Promise.all([use(), use(), use()])
      assert.equal(shop.takeCount(), 3)
      assert.equal(await usedAt(), null)
      await runJobs(shop.parts, shop.db, { keyUses: shop.keyUses })
      assert.equal(await usedAt(), new Date(startedAt).toISOString())
      shop.now = startedAt + minuteMs - 1
      await use()
      assert.equal(await shop.keyUses.record(shop.db), 0)
      shop.now = startedAt + minuteMs
      await use()
      assert.equal(await shop.keyUses.record(shop.db), 1)
      assert.equal(await usedAt(), new Date(startedAt + minuteMs).toISOString())
    })

    test('is kept when recording fails, and does not replace a later time', async (t) => {
      const startedAt = restoreClockAfter(t)
      const { key, id } = await createKey()
      await readProfile(key)
      await assert.rejects(shop.keyUses.record(undefined as never))
      await shop.db
        .updateTable('api_keys')
        .set({ last_used_at: startedAt + 1 })
        .where('id', '=', id)
        .execute()
      await shop.keyUses.record(shop.db)
      const { json } = await owner.request('GET', `/api-keys/${id}`)
      assert.equal(json.last_used_at, new Date(startedAt + 1).toISOString())
    })
  })
})

const byScopeOrder = (one: string, other: string): number => {
  const all: readonly string[] = scopesOfRole('admin')
  return all.indexOf(one) - all.indexOf(other)
}
