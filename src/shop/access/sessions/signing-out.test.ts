import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { runJobs } from '#src/server/jobs.ts'
import { openStore } from '#store/database.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestRequest,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import { dayMs, secondMs } from '#values/instant.ts'

const resultOf = ({ status, json }: TestResponse): unknown[] => [status, json?.error_code]

/** A session with its tokens. */
interface SignIn {
  readonly sessionId: number
  readonly refreshToken: string
  readonly request: TestRequest
}

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  const signInOf = (json: TestResponse['json'], at: Pick<TestApp, 'request'> = shop): SignIn => ({
    sessionId: Number(decodeJwt(json.token)['sid']),
    refreshToken: json.refresh_token,
    request: (method, url, body, headers) =>
      at.request(method, url, body, { authorization: `Bearer ${json.token}`, ...headers }),
  })
  const signIn = async (
    { username }: Pick<TestCaller, 'username'>,
    password = testPassword,
  ): Promise<SignIn> => {
    const { status, json } = await shop.request('POST', '/login', { username, password })
    assert.equal(status, 200)
    return signInOf(json)
  }
  const renew = (refresh_token: string) => shop.request('POST', '/login', { refresh_token })
  const isActive = async ({ request }: Pick<SignIn, 'request'>): Promise<boolean> => {
    const { status, json } = await request('GET', '/profile')
    if (status !== 200) assert.deepEqual([status, json.error_code], [401, '4012'])
    return status === 200
  }

  test('users can read their sessions, with the current one marked', async () => {
    const ada = await shop.signInAs('customer')
    const elsewhere = await signIn(ada)
    const { status, json, headers } = await ada.request('GET', '/sessions?sort=id')
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'private, no-cache')
    const [first, second] = json.data
    assert.equal(json.pagination.total_items, 2)
    const { created_at, updated_at, expires_at, ...fields } = first
    assert.deepEqual(fields, {
      id: ada.sessionId,
      user_id: ada.id,
      kind: 'token',
      address: '127.0.0.1',
      is_current: true,
      _links: {
        self: { href: `/sessions/${ada.sessionId}` },
        user: { href: `/users/${ada.id}` },
        delete: { href: `/sessions/${ada.sessionId}`, method: 'DELETE' },
      },
    })
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 30 * dayMs)
    assert.deepEqual([second.id, second.is_current], [elsewhere.sessionId, false])
    const read = await elsewhere.request('GET', `/sessions/${elsewhere.sessionId}`)
    assert.deepEqual([read.status, read.json.is_current], [200, true])
    const readByOther = await ada.request('GET', `/sessions/${elsewhere.sessionId}`, undefined, {
      'if-none-match': read.headers['etag'] ?? '',
    })
    assert.deepEqual([readByOther.status, readByOther.json.is_current], [200, false])
  })

  test('only the user and administrators can read and end a session', async () => {
    const admin = await shop.signInAs('admin')
    const ada = await shop.signInAs('customer')
    const other = await shop.signInAs('customer')
    const path = `/sessions/${ada.sessionId}`
    for (const method of ['GET', 'DELETE']) {
      assert.deepEqual(resultOf(await other.request(method, path)), [403, '4031'])
      assert.deepEqual(resultOf(await shop.request(method, path)), [401, '4011'])
      assert.deepEqual(resultOf(await ada.request(method, '/sessions/999999')), [404, '4041'])
    }
    const filtered = `/sessions?user_id=${ada.id}`
    assert.deepEqual(resultOf(await other.request('GET', filtered)), [403, '4031'])
    assert.deepEqual(
      (await admin.request('GET', filtered)).json.data.map(({ id }: { id: number }) => id),
      [ada.sessionId],
    )
    assert.equal((await admin.request('GET', '/sessions')).json.data[0].user_id, admin.id)
    assert.equal((await admin.request('DELETE', path)).status, 204)
    assert.equal(await isActive(ada), false)
    assert.equal(await isActive(other), true)
  })

  test('signing out immediately ends access token and refresh token of one session', async () => {
    const ada = await shop.signInAs('customer')
    const elsewhere = await signIn(ada)
    const { json } = await elsewhere.request('GET', '/profile')
    const { href, method } = json._links.logout
    assert.deepEqual([href, method], [`/sessions/${elsewhere.sessionId}`, 'DELETE'])
    assert.equal((await elsewhere.request(method, href)).status, 204)
    const after = await elsewhere.request('GET', '/profile')
    assert.deepEqual(resultOf(after), [401, '4012'])
    assert.match(after.json.details, /session .* has ended/)
    assert.deepEqual(resultOf(await renew(elsewhere.refreshToken)), [401, '4012'])
    assert.equal(await isActive(ada), true)
    assert.equal((await ada.request('DELETE', href)).status, 204)
    assert.deepEqual(resultOf(await ada.request('GET', href)), [410, '4101'])
    assert.equal((await ada.request('GET', '/sessions')).json.pagination.total_items, 1)
    assert.equal((await renew(ada.refreshToken)).status, 200)
  })

  test('signing out ends a renewed token of the session as well', async () => {
    const ada = await shop.signInAs('customer')
    const renewed = signInOf((await renew(ada.refreshToken)).json)
    assert.equal(renewed.sessionId, ada.sessionId)
    assert.equal((await ada.request('DELETE', `/sessions/${ada.sessionId}`)).status, 204)
    assert.equal(await isActive(renewed), false)
    assert.deepEqual(resultOf(await renew(renewed.refreshToken)), [401, '4012'])
  })

  test('reuse of a refresh token ends the access tokens of its session', async () => {
    const ada = await shop.signInAs('customer')
    const elsewhere = await signIn(ada)
    const renewed = signInOf((await renew(ada.refreshToken)).json)
    assert.equal(await isActive(ada), true)
    shop.now += 11 * secondMs
    assert.deepEqual(resultOf(await renew(ada.refreshToken)), [401, '4012'])
    assert.deepEqual(
      [await isActive(ada), await isActive(renewed), await isActive(elsewhere)],
      [false, false, true],
    )
  })

  test('a new password ends every session except the one that set it', async () => {
    const ada = await shop.signInAs('customer')
    const elsewhere = await signIn(ada)
    const body = { password: 'another password', current_password: testPassword }
    const changed = await ada.request('PATCH', `/users/${ada.id}`, body)
    assert.equal(changed.status, 200)
    assert.deepEqual([await isActive(ada), await isActive(elsewhere)], [true, false])
    assert.deepEqual(resultOf(await renew(elsewhere.refreshToken)), [401, '4012'])
    assert.equal((await renew(ada.refreshToken)).status, 200)
  })

  test('a password set by an administrator or with Basic ends every session of the user', async () => {
    const admin = await shop.signInAs('admin')
    const ada = await shop.signInAs('customer')
    const password = 'set by an administrator'
    await admin.request('PATCH', `/users/${ada.id}`, { password })
    assert.deepEqual([await isActive(ada), await isActive(admin)], [false, true])
    const again = await signIn(ada, password)
    const pair = Buffer.from(`${ada.username}:${password}`).toString('base64')
    const headers = { authorization: `Basic ${pair}` }
    const body = { password: 'set by the user again', current_password: password }
    const changed = await shop.request('PATCH', `/users/${ada.id}`, body, headers)
    assert.equal(changed.status, 200)
    assert.equal(await isActive(again), false)
  })

  test('a new role, a suspension and a removal permanently end every session', async () => {
    const admin = await shop.signInAs('admin')
    const changes = [
      ['PATCH', { role: 'admin' }, { role: 'customer' }],
      ['PATCH', { status: 'suspended' }, { status: 'active' }],
      ['DELETE', undefined, undefined],
    ] as const
    for (const [method, change, back] of changes) {
      const ada = await shop.signInAs('customer')
      const elsewhere = await signIn(ada)
      const { status } = await admin.request(method, `/users/${ada.id}`, change)
      assert.ok(status < 300, String(status))
      if (back) await admin.request('PATCH', `/users/${ada.id}`, back)
      assert.deepEqual([await isActive(ada), await isActive(elsewhere)], [false, false], method)
      assert.deepEqual(resultOf(await renew(elsewhere.refreshToken)), [401, '4012'])
    }
  })

  test('other changes of a user end no session', async () => {
    const ada = await shop.signInAs('customer')
    const elsewhere = await signIn(ada)
    const renaming = { username: `countess-${kind}`, current_password: testPassword }
    const fields = { name: 'Countess', age: 36, ...renaming }
    assert.equal((await ada.request('PATCH', `/users/${ada.id}`, fields)).status, 200)
    assert.deepEqual([await isActive(ada), await isActive(elsewhere)], [true, true])
  })

  test('signing in and out are audit events with the ID of the session', async () => {
    const admin = await shop.signInAs('admin')
    const ada = await shop.signInAs('customer')
    await ada.request('DELETE', `/sessions/${ada.sessionId}`)
    const second = await signIn(ada)
    await admin.request('DELETE', `/sessions/${second.sessionId}`)
    const third = await signIn(ada)
    await renew(third.refreshToken)
    shop.now += 11 * secondMs
    await renew(third.refreshToken)
    await renew(third.refreshToken)
    const events = `/audit-events?subject_id=${ada.id}&sort=id`
    const { json } = await admin.request('GET', events)
    const summaries = json.data.map((each: TestResponse['json']) => [
      each.action,
      each.actor_id,
      each.details?.id,
    ])
    assert.deepEqual(summaries, [
      ['signed_in', ada.id, ada.sessionId],
      ['signed_out', ada.id, ada.sessionId],
      ['signed_in', ada.id, second.sessionId],
      ['signed_out', admin.id, second.sessionId],
      ['signed_in', ada.id, third.sessionId],
      ['refresh_token_reused', null, third.sessionId],
    ])
  })

  test('a credential without a session has no logout link and no current session', async () => {
    const ada = await shop.signInAs('customer')
    const { json } = await ada.request('POST', '/api-keys', { name: 'Reader' })
    const headers = { authorization: `Api-Key ${json.key}` }
    const profile = await shop.request('GET', '/profile', undefined, headers)
    assert.equal(profile.json._links.logout, undefined)
    assert.deepEqual(profile.json._links.sessions, { href: '/sessions' })
    const listed = await shop.request('GET', '/sessions', undefined, headers)
    assert.deepEqual(
      listed.json.data.map(({ is_current }: { is_current: boolean }) => is_current),
      [false],
    )
    await ada.request('DELETE', `/sessions/${ada.sessionId}`)
    assert.equal((await shop.request('GET', '/profile', undefined, headers)).status, 200)
  })

  test('sessions add no statement to a request, and the statements of signing out are constant', async () => {
    const ada = await shop.signInAs('customer')
    const elsewhere = await signIn(ada)
    shop.takeCount()
    await ada.request('GET', '/profile')
    assert.equal(shop.takeCount(), 2)
    await ada.request('GET', '/sessions')
    assert.equal(shop.takeCount(), 3)
    await ada.request('DELETE', `/sessions/${elsewhere.sessionId}`)
    const count = shop.takeCount()
    for (let index = 0; index < 4; index += 1) await signIn(ada)
    const last = await signIn(ada)
    shop.takeCount()
    await ada.request('DELETE', `/sessions/${last.sessionId}`)
    assert.equal(shop.takeCount(), count)
    // On PostgreSQL with the lock of the account.
    assert.ok(count <= 7, String(count))
  })

  test('expired sessions and the sessions of removed users are deleted', async (t) => {
    const startedAt = shop.now
    t.after(() => {
      shop.now = startedAt
    })
    const ada = await shop.signInAs('customer')
    const sessions = () => shop.db.selectFrom('sessions').where('user_id', '=', ada.id)
    shop.now = startedAt + 30 * dayMs - 1
    await runJobs(shop.parts, shop.db)
    assert.equal((await sessions().select('id').execute()).length, 1)
    shop.now = startedAt + 30 * dayMs
    await runJobs(shop.parts, shop.db)
    assert.equal((await sessions().select('id').execute()).length, 0)
    const other = await shop.signInAs('customer')
    await other.request('DELETE', `/users/${other.id}`)
    const left = shop.db.selectFrom('sessions').where('user_id', '=', other.id)
    assert.equal((await left.select('id').execute()).length, 0)
  })

  test('an ended session is rejected in every process, from the next request on', async (t) => {
    const secondStore = await openStore(shop.url)
    const other = await startTestApp('memory', { composition: { store: secondStore } })
    t.after(async () => {
      await other.dispose()
      await secondStore.close()
    })
    const ada = await shop.signInAs('customer')
    const login = { username: ada.username, password: testPassword }
    const session = signInOf((await shop.request('POST', '/login', login)).json, other)
    assert.equal(await isActive(session), true)
    await ada.request('DELETE', `/sessions/${session.sessionId}`)
    assert.equal(await isActive(session), false)
  })
})
