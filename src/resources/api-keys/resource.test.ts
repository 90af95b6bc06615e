import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openStore } from '#db/database.ts'
import { scopesOf } from '#http/declare/caller.ts'
import { algorithms } from '#http/rate-limit/algorithms/algorithms.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { runJobs } from '#src/server/jobs.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import { narrowCaller } from '#test/support/callers/narrow-caller.ts'
import { failedSignIns } from '#test/support/failed-sign-ins.ts'
import { minuteMs, secondMs } from '#values/instant.ts'

const usual = { limit: 10, windowMs: minuteMs }
const refused = ({ status, json }: TestResponse): unknown[] => [status, json?.error_code]

eachDatabase((kind) => {
  let shop: TestApp
  let owner: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    owner = await shop.signInAs('customer')
  })
  after(() => shop.dispose())

  const profileBy = (key: string, at: Pick<TestApp, 'request'> = shop) =>
    at.request('GET', '/profile', undefined, { authorization: `Api-Key ${key}` })
  const make = async (fields: object = {}, by: Pick<TestCaller, 'request'> = owner) => {
    const answer = await by.request('POST', '/api-keys', { name: 'Till', ...fields })
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }
  /** Calls by a key as a signed-in caller does. */
  const callerBy = (key: string): Pick<TestCaller, 'request'> => ({
    request: (method, url, body, headers) =>
      shop.request(method, url, body, { authorization: `Api-Key ${key}`, ...headers }),
  })
  const movingClock = (t: { after: (fn: () => void) => void }) => {
    const began = shop.now
    t.after(() => {
      shop.now = began
    })
    return began
  }

  describe('a key that is not taken', () => {
    const failures = () => failedSignIns(shop.db, 'api-key')

    test('is written down with whose it is, if it is anybody’s, and without the key', async (t) => {
      const began = movingClock(t)
      const { key: gone, id } = await make()
      assert.equal((await owner.request('DELETE', `/api-keys/${id}`)).status, 204)
      const far = await make({ allowed_addresses: ['192.0.2.1'] })
      const near = await make({ allowed_origins: ['https://shop.example'] })
      const expires_at = new Date(began + minuteMs).toISOString()
      const old = await make({ expires_at })
      shop.now = began + minuteMs
      const unknown = `cw_${'a'.repeat(43)}`
      const answers = []
      for (const key of [unknown, gone, far.key, near.key, old.key, 'nothing like a key']) {
        answers.push((await profileBy(key)).json.error_code)
      }
      assert.deepEqual(answers, ['4012', '4012', '4031', '4031', '4013', '4012'])
      const of = (made: { id: number }) => [owner.id, null, '127.0.0.1', `{"id":${made.id}}`]
      const nobody = [null, null, '127.0.0.1', null]
      assert.deepEqual(await failures(), [nobody, nobody, of(far), of(near), of(old)])
    })

    test('is written down ten times a minute for an address at most, and refused all the same', async () => {
      const guarded = await startTestApp(kind, {
        temporary: { ...shop, dispose: async () => undefined },
        composition: {
          loginLimits: { counters: memoryCounters(algorithms['sliding-window']), usual },
        },
      })
      const before = (await failures()).length
      const from = (remoteAddress: string) =>
        guarded.app.inject({
          url: '/products',
          remoteAddress,
          headers: { authorization: `Api-Key cw_${'a'.repeat(43)}` },
        })
      for (let at = 0; at < 25; at += 1) assert.equal((await from('127.0.0.1')).statusCode, 401)
      assert.equal((await failures()).length - before, 10)
      assert.equal((await from('127.0.0.2')).statusCode, 401)
      assert.equal((await failures()).length - before, 11)
      const { key } = await make()
      assert.equal((await profileBy(key, guarded)).status, 200)
      await guarded.app.close()
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

    test('may stand in a body in XML, with what else the body holds, and nowhere is it told', async () => {
      const { key } = await make()
      const body = `<user><age>41</age><api_key>${key}</api_key></user>`
      const answer = await shop.app.inject({
        method: 'PUT',
        url: `/users/${owner.id}`,
        payload: body.replace('<age>', '<name>Ada</name><age>'),
        headers: { 'content-type': 'application/xml' },
      })
      assert.equal(answer.statusCode, 200, answer.payload)
      assert.equal(answer.json().age, 41)
      assert.ok(!JSON.stringify([answer.headers, answer.payload]).includes(key))
      const emptied = await sendXml(cart(), `<cart><api_key>${key}</api_key></cart>`)
      assert.equal(emptied.statusCode, 204, emptied.payload)
      const unknown = await sendXml(cart(), '<cart><api_key>cw_of-nobody</api_key></cart>')
      assert.deepEqual([unknown.statusCode, unknown.json().error_code], [401, '4012'])
    })

    test('is a caller of its own for an Idempotency-Key, however it is sent and replaced', async () => {
      const [first, second] = [await make(), await make()]
      const headers = { 'idempotency-key': `of two keys on ${kind}` }
      const patch = (key: string, age: number) =>
        shop.request('PATCH', `/users/${owner.id}?api_key=${key}`, { age }, headers)
      assert.equal((await patch(first.key, 42)).status, 200)
      const other = await patch(second.key, 43)
      assert.deepEqual([other.status, other.json.age], [200, 43])
      const place = `/api-keys/${first.id}/rotations`
      const { json: rotated } = await owner.request('POST', place, {})
      const again = await patch(rotated.key, 42)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.deepEqual(refused(await patch(rotated.key, 43)), [422, '4222'])
      const rows = await shop.db.selectFrom('idempotency_keys').selectAll().execute()
      for (const { key } of [first, second]) assert.ok(!JSON.stringify(rows).includes(key))
    })

    test('is in no link of a page', async () => {
      const { key } = await make()
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

    test('sets no password and no username, whatever it was granted', async () => {
      const ada = await shop.signInAs('customer')
      const changes = [{ password: 'taken over' }, { username: `taken-over-${kind}` }]
      for (const grant of [{ scopes: ['users:write'] }, {}]) {
        const { request } = callerBy((await make(grant, ada)).key)
        for (const change of changes) {
          const body = { name: 'Ada', current_password: testPassword, ...change }
          for (const method of ['PATCH', 'PUT']) {
            assert.deepEqual(refused(await request(method, `/users/${ada.id}`, body)), [
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
    test('is shown once, works at once, and can do what its maker can', async () => {
      const answer = await owner.request('POST', '/api-keys', { name: 'Till' })
      const { key, id, ...told } = answer.json
      assert.equal(answer.status, 201)
      assert.match(key, /^cw_[\w-]{43}$/)
      assert.equal(answer.headers['location'], `/api-keys/${id}`)
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(told.prefix, key.slice(0, 11))
      assert.deepEqual(told.scopes, scopesOf('customer'))
      const { expires_at, allowed_addresses, allowed_origins, last_used_at, user_id } = told
      assert.deepEqual(
        [expires_at, allowed_addresses, allowed_origins, last_used_at, user_id],
        [null, null, null, null, owner.id],
      )
      assert.equal((await profileBy(key)).json.id, owner.id)
      const read = await owner.request('GET', `/api-keys/${id}`)
      assert.deepEqual(read.json, { id, ...told })
      const listed = await owner.request('GET', '/api-keys?sort=id&order=desc&limit=1')
      assert.deepEqual(listed.json.data, [{ id, ...told }])
    })

    test('is unlike any other, and kept as its hash alone', async () => {
      const keys = await Promise.all(Array.from({ length: 5 }, () => make()))
      assert.equal(new Set(keys.map(({ key }) => key)).size, 5)
      const secrets = await shop.db.selectFrom('api_key_secrets').selectAll().execute()
      const rows = await shop.db.selectFrom('api_keys').selectAll().execute()
      const kept = await shop.db.selectFrom('idempotency_keys').selectAll().execute()
      const stored = JSON.stringify([secrets, rows, kept])
      for (const { key } of keys) assert.ok(!stored.includes(key))
    })

    test('is shown to nobody again: a repeated request learns that it was made', async () => {
      const headers = { 'idempotency-key': 'the same key' }
      const send = () => owner.request('POST', '/api-keys', { name: 'Till' }, headers)
      const [first, again] = [await send(), await send()]
      const { key, ...shown } = first.json
      assert.match(key, /^cw_/)
      assert.deepEqual([again.status, again.json], [201, shown])
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.headers['location'], first.headers['location'])
      const kept = await shop.db.selectFrom('idempotency_keys').selectAll().execute()
      assert.ok(!JSON.stringify(kept).includes(first.json.key))
    })

    test('is refused where its limits could never be met', async () => {
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
        [{ name: '' }, 'name'],
      ]
      for (const [fields, field] of cases) {
        const answer = await owner.request('POST', '/api-keys', { name: 'Till', ...fields })
        assert.deepEqual(refused(answer), [422, '4221'], JSON.stringify(fields))
        assert.deepEqual(
          answer.json.errors.map((each: { field: string }) => each.field),
          [field],
        )
      }
      const nameless = await owner.request('POST', '/api-keys', {})
      assert.deepEqual(refused(nameless), [400, '4001'])
    })
  })

  describe('what a key may do', () => {
    test('is what it was granted, and what its owner still may', async () => {
      const admin = await shop.signInAs('admin')
      const boss = await shop.signInAs('admin')
      const { key } = await make({ scopes: ['users:read', 'users:read', 'products:write'] }, admin)
      const told = async () => (await profileBy(key)).json
      assert.equal((await told()).scope, 'users:read products:write')
      assert.equal((await callerBy(key).request('GET', '/users')).status, 200)
      const orders = await callerBy(key).request('GET', '/orders')
      assert.deepEqual(refused(orders), [403, '4033'])
      await boss.request('PATCH', `/users/${admin.id}`, { role: 'customer' })
      assert.equal((await told()).scope, 'users:read')
      await boss.request('PATCH', `/users/${admin.id}`, { status: 'suspended' })
      assert.deepEqual(refused(await profileBy(key)), [403, '4032'])
      await boss.request('DELETE', `/users/${admin.id}`)
      assert.deepEqual(refused(await profileBy(key)), [401, '4012'])
      const left = shop.db.selectFrom('api_keys').where('user_id', '=', admin.id)
      assert.deepEqual(await left.selectAll().execute(), [])
    })

    test('is no more than its maker may do', async () => {
      const attempt = async (by: TestCaller['request'], scopes: string[]) =>
        refused(await by('POST', '/api-keys', { name: 'Till', scopes }))
      assert.deepEqual(await attempt(owner.request, ['products:write']), [403, '4033'])
      const narrow = await narrowCaller(shop, owner, ['keys:write', 'orders:read'])
      assert.deepEqual(await attempt(narrow, ['orders:write']), [403, '4033'])
      assert.deepEqual(await attempt(narrow, ['orders:read']), [201, undefined])
      const { scopes } = await make({}, { request: narrow })
      assert.deepEqual(scopes, ['orders:read', 'keys:write'].sort(byOrder))
      const none = await narrowCaller(shop, owner, ['orders:read'])
      assert.deepEqual(await attempt(none, []), [403, '4033'])
    })

    test('is for its owner alone; administrators read and revoke it, and get no secret', async () => {
      const stranger = await shop.signInAs('customer')
      const admin = await shop.signInAs('admin')
      const { id, key } = await make()
      const place = `/api-keys/${id}`
      for (const [method, path] of [
        ['GET', place],
        ['DELETE', place],
        ['POST', `${place}/rotations`],
      ] as const) {
        assert.deepEqual(refused(await stranger.request(method, path)), [403, '4031'])
      }
      const others = await stranger.request('GET', `/api-keys?user_id=${owner.id}`)
      assert.deepEqual(refused(others), [403, '4031'])
      assert.deepEqual((await stranger.request('GET', '/api-keys')).json.data, [])
      const all = await admin.request('GET', `/api-keys?user_id=${owner.id}&limit=100`)
      assert.ok(all.json.data.some((each: { id: number }) => each.id === id))
      assert.equal((await admin.request('GET', place)).json._links.rotate, undefined)
      assert.deepEqual(refused(await admin.request('POST', `${place}/rotations`)), [403, '4031'])
      assert.equal((await admin.request('DELETE', place)).status, 204)
      assert.deepEqual(refused(await profileBy(key)), [401, '4012'])
    })

    test('a key makes and replaces none that is wider than itself', async (t) => {
      const began = movingClock(t)
      const wide = await make()
      const soon = new Date(began + minuteMs).toISOString()
      const limits = {
        expires_at: soon,
        allowed_addresses: ['127.0.0.0/8', '10.0.0.0/8'],
        allowed_origins: ['https://a.example.com'],
      }
      const { key, id } = await make({ ...limits, scopes: ['keys:write', 'orders:read'] })
      const headers = { origin: 'https://a.example.com' }
      const send = (url: string, body: object) => callerBy(key).request('POST', url, body, headers)
      const child = await send('/api-keys', { name: 'Child' })
      const { expires_at, allowed_addresses, allowed_origins, scopes } = child.json
      assert.deepEqual({ expires_at, allowed_addresses, allowed_origins }, limits)
      assert.deepEqual(scopes.sort(), ['keys:write', 'orders:read'])
      const wider = [
        { expires_at: null },
        { expires_at: new Date(began + minuteMs + 1).toISOString() },
        { allowed_addresses: null },
        { allowed_addresses: ['127.0.0.0/7'] },
        { allowed_origins: null },
        { allowed_origins: ['https://b.example.com'] },
      ]
      for (const fields of wider) {
        const answer = await send('/api-keys', { name: 'Child', ...fields })
        assert.deepEqual(refused(answer), [403, '4031'], JSON.stringify(fields))
      }
      const narrower = { allowed_addresses: ['10.0.0.0/8'], expires_at: soon }
      assert.equal((await send('/api-keys', { name: 'Child', ...narrower })).status, 201)
      assert.deepEqual(refused(await send(`/api-keys/${wide.id}/rotations`, {})), [403, '4033'])
      assert.equal((await send(`/api-keys/${id}/rotations`, {})).status, 201)
    })
  })

  describe('a key is refused', () => {
    test('from the millisecond it expires, as expired', async (t) => {
      const began = movingClock(t)
      const { key } = await make({ expires_at: new Date(began + secondMs).toISOString() })
      shop.now = began + secondMs - 1
      assert.equal((await profileBy(key)).status, 200)
      shop.now = began + secondMs
      const answer = await profileBy(key)
      assert.deepEqual(refused(answer), [401, '4013'])
      assert.match(
        answer.headers['www-authenticate'] ?? '',
        /(^|, )Api-Key realm="cartwright"(, |$)/,
      )
    })

    test('once it is revoked, on the next request and in every process', async (t) => {
      const secondStore = kind === 'memory' ? shop.store : await openStore(shop.url)
      const other = await startTestApp('memory', { composition: { store: secondStore } })
      t.after(async () => {
        await other.dispose()
        if (kind !== 'memory') await secondStore.close()
      })
      const { key, id } = await make()
      assert.equal((await profileBy(key, other)).status, 200)
      assert.equal((await owner.request('DELETE', `/api-keys/${id}`)).status, 204)
      assert.deepEqual(refused(await profileBy(key, other)), [401, '4012'])
      assert.equal((await owner.request('DELETE', `/api-keys/${id}`)).status, 204)
      assert.deepEqual(refused(await owner.request('GET', `/api-keys/${id}`)), [410, '4101'])
      const rotated = await owner.request('POST', `/api-keys/${id}/rotations`, {})
      assert.deepEqual(refused(rotated), [410, '4101'])
      const { json } = await owner.request('GET', '/api-keys?limit=100')
      assert.ok(json.data.every((each: { id: number }) => each.id !== id))
    })

    test('from other addresses and origins than it is for', async () => {
      const { key } = await make({
        allowed_addresses: ['127.0.0.2', '::1'],
        allowed_origins: ['https://a.example.com', 'https://b.example.com'],
      })
      const answerTo = async (remoteAddress: string, origin?: string) => {
        const headers = { authorization: `Api-Key ${key}`, ...(origin ? { origin } : {}) }
        const answer = await shop.app.inject({ url: '/profile', remoteAddress, headers })
        return [answer.statusCode, answer.json().error_code]
      }
      const good = 'https://b.example.com'
      assert.deepEqual(await answerTo('127.0.0.2', good), [200, undefined])
      assert.deepEqual(await answerTo('::ffff:127.0.0.2', good), [200, undefined])
      assert.deepEqual(await answerTo('::1', good), [200, undefined])
      for (const [address, origin] of [
        ['127.0.0.1', good],
        ['127.0.0.2', undefined],
        ['127.0.0.2', 'https://c.example.com'],
        ['127.0.0.2', 'https://b.example.com https://a.example.com'],
      ] as const) {
        assert.deepEqual(await answerTo(address, origin), [403, '4031'], `${address} ${origin}`)
      }
    })

    test('over plain HTTP from elsewhere', async () => {
      const { key } = await make()
      const headers = { authorization: `Api-Key ${key}` }
      const there = { url: '/profile', remoteAddress: '203.0.113.9' }
      const answers = [
        await shop.app.inject({ ...there, headers }),
        await shop.app.inject({ ...there, url: `/profile?api_key=${key}` }),
      ]
      for (const answer of answers) {
        assert.deepEqual([answer.statusCode, answer.json().error_code], [403, '4031'])
      }
    })

    test('where it is none, without a look into the database', async () => {
      const { key } = await make()
      shop.takeCount()
      for (const bad of ['', 'x', key.slice(0, -1), `${key}x`, key.slice(3), `${key} ${key}`]) {
        assert.deepEqual(refused(await profileBy(bad)), [401, '4012'], bad)
      }
      assert.equal(shop.takeCount(), 0)
      assert.deepEqual(refused(await profileBy(`cw_${'A'.repeat(43)}`)), [401, '4012'])
    })
  })

  describe('a rotation', () => {
    const rotate = async (id: number, body?: object) => {
      const answer = await owner.request('POST', `/api-keys/${id}/rotations`, body)
      assert.equal(answer.status, 201, answer.text)
      return answer
    }

    test('gives a new key, and the old one ends at once', async () => {
      const made = await make({ scopes: ['users:read'] })
      for (const body of [undefined, {}, { grace_seconds: 0 }]) {
        const before = (await owner.request('GET', `/api-keys/${made.id}`)).json
        const { json, headers } = await rotate(made.id, body)
        assert.equal(headers['location'], `/api-keys/${made.id}`)
        assert.notEqual(json.prefix, before.prefix)
        assert.equal(json.scopes.join(), 'users:read')
        assert.equal((await profileBy(json.key)).status, 200)
        assert.deepEqual(refused(await profileBy(made.key)), [401, '4012'])
        made.key = json.key
      }
    })

    test('leaves the old key for a while where it is asked to, and no longer', async (t) => {
      const began = movingClock(t)
      const made = await make()
      const { json: second } = await rotate(made.id, { grace_seconds: 60 })
      const { json: third } = await rotate(made.id, { grace_seconds: 10 })
      const states = async () =>
        Promise.all([made, second, third].map(async ({ key }) => (await profileBy(key)).status))
      assert.deepEqual(await states(), [200, 200, 200])
      shop.now = began + 10 * secondMs - 1
      assert.deepEqual(await states(), [200, 200, 200])
      shop.now = began + 10 * secondMs
      assert.deepEqual(await states(), [401, 401, 200])
      assert.deepEqual(refused(await profileBy(made.key)), [401, '4013'])
      await rotate(made.id)
      const kept = shop.db.selectFrom('api_key_secrets').where('key_id', '=', made.id)
      assert.equal((await kept.selectAll().execute()).length, 1)
    })

    test('of many at once leaves one secret that works, and each answer tells of one', async () => {
      const made = await make()
      const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(made.id)))
      const states = await Promise.all(answers.map(({ json }) => profileBy(json.key)))
      assert.equal(states.filter(({ status }) => status === 200).length, 1)
    })
  })

  describe('the use of a key', () => {
    test('takes one statement, and is written down later, to the minute', async (t) => {
      const began = movingClock(t)
      const { key, id } = await make()
      const usedAt = async () => (await owner.request('GET', `/api-keys/${id}`)).json.last_used_at
      const use = () => callerBy(key).request('GET', '/users')
      shop.takeCount()
      await Promise.all([use(), use(), use()])
      assert.equal(shop.takeCount(), 3)
      assert.equal(await usedAt(), null)
      await runJobs(shop.paymentDependencies, shop.db, { keyUses: shop.keyUses })
      assert.equal(await usedAt(), new Date(began).toISOString())
      shop.now = began + minuteMs - 1
      await use()
      assert.equal(await shop.keyUses.record(shop.db), 0)
      shop.now = began + minuteMs
      await use()
      assert.equal(await shop.keyUses.record(shop.db), 1)
      assert.equal(await usedAt(), new Date(began + minuteMs).toISOString())
    })

    test('is not forgotten where it cannot be written down, nor set back by an older one', async (t) => {
      const began = movingClock(t)
      const { key, id } = await make()
      await profileBy(key)
      await assert.rejects(shop.keyUses.record(undefined as never))
      await shop.db
        .updateTable('api_keys')
        .set({ last_used_at: began + 1 })
        .where('id', '=', id)
        .execute()
      await shop.keyUses.record(shop.db)
      const { json } = await owner.request('GET', `/api-keys/${id}`)
      assert.equal(json.last_used_at, new Date(began + 1).toISOString())
    })
  })
})

const byOrder = (one: string, other: string): number => {
  const all: readonly string[] = scopesOf('admin')
  return all.indexOf(one) - all.indexOf(other)
}
