import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testPassword,
} from '#test/support/app.ts'
import { minuteMs } from '#values/instant.ts'

const current = { current_password: testPassword }
const client = { client_name: 'App', redirect_uris: ['https://app.example.com/callback'] }

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  /** A sign-in of eleven minutes ago. */
  const signInStale = async (role: 'customer' | 'admin' = 'customer'): Promise<TestCaller> => {
    const caller = await shop.signInAs(role)
    shop.now += 11 * minuteMs
    return caller
  }
  const assertStale = ({ status, json }: { status: number; json: { error_code?: string } }) =>
    assert.deepEqual([status, json.error_code], [403, '4031'], JSON.stringify(json))

  test('a token of eleven minutes makes no key, nor a new secret of one, without the password', async () => {
    const user = await shop.signInAs('customer')
    const { id } = (await user.request('POST', '/api-keys', { name: 'fresh' })).json
    shop.now += 11 * minuteMs
    const stale = await user.request('POST', '/api-keys', { name: 'key' })
    assertStale(stale)
    assert.match(stale.text, /10 minutes/)
    assertStale(await user.request('POST', `/api-keys/${id}/rotations`, {}))
    const wrong = { name: 'key', current_password: 'wrong password' }
    assertStale(await user.request('POST', '/api-keys', wrong))
    assert.equal((await user.request('POST', '/api-keys', { name: 'k', ...current })).status, 201)
    const rotated = await user.request('POST', `/api-keys/${id}/rotations`, current)
    assert.equal(rotated.status, 201)
    // A key is no sign-in: it makes narrower ones as before.
    const { key } = rotated.json
    const headers = { authorization: `Api-Key ${key}` }
    assert.equal((await shop.request('POST', '/api-keys', { name: 'n' }, headers)).status, 201)
    const basic = Buffer.from(`${user.username}:${testPassword}`).toString('base64')
    const proved = { authorization: `Basic ${basic}` }
    assert.equal((await shop.request('POST', '/api-keys', { name: 'b' }, proved)).status, 201)
  })

  test('renewing the tokens does not make a sign-in fresh', async () => {
    const user = await signInStale()
    const login = await shop.request('POST', '/login', { refresh_token: user.refreshToken })
    const headers = { authorization: `Bearer ${login.json.token}` }
    assertStale(await shop.request('POST', '/api-keys', { name: 'key' }, headers))
  })

  test('the email changes only with the password or after a fresh sign-in, also that of others', async () => {
    const user = await signInStale()
    const url = `/users/${user.id}`
    const email = `stale-${kind}@example.com`
    assertStale(await user.request('PATCH', url, { email }))
    assert.equal((await user.request('PATCH', url, { age: 7 })).status, 200)
    assert.equal((await user.request('PATCH', url, { email, ...current })).status, 200)
    assertStale(await user.request('PUT', url, { name: 'Ada' }))
    const admin = await signInStale('admin')
    const others = { email: `other-${kind}@example.com` }
    assertStale(await admin.request('PATCH', url, others))
    assertStale(await admin.request('PATCH', url, { ...others, current_password: 'wrong one' }))
    assert.equal((await admin.request('PATCH', url, { ...others, ...current })).status, 200)
  })

  test('the username of another user changes only with the password or after a fresh sign-in', async () => {
    for (const role of ['admin', 'customer'] as const) {
      const other = await shop.signInAs(role)
      const admin = await signInStale('admin')
      const url = `/users/${other.id}`
      const { json: shown } = await admin.request('GET', url)
      const renamed = { username: `renamed-${other.id}` }
      assertStale(await admin.request('PATCH', url, renamed))
      assertStale(await admin.request('PUT', url, { ...shown, ...renamed }))
      assert.equal((await admin.request('PATCH', url, { username: shown.username })).status, 200)
      assert.equal((await admin.request('PATCH', url, { ...renamed, ...current })).status, 200)
      const fresh = await shop.signInAs('admin')
      const again = { username: `again-${other.id}` }
      assert.equal((await fresh.request('PATCH', url, again)).status, 200)
    }
  })

  test('a token of eleven minutes registers no client and erases nobody', async () => {
    const admin = await signInStale('admin')
    assertStale(await admin.request('POST', '/oauth-clients', client))
    const made = await admin.request('POST', '/oauth-clients', { ...client, ...current })
    assert.equal(made.status, 201, made.text)
    const user = await signInStale()
    assertStale(await user.request('DELETE', `/users/${user.id}`))
    assertStale(await user.request('POST', '/user/delete', {}))
    assert.equal((await user.request('POST', '/user/delete', current)).status, 202)
    const other = await signInStale()
    const sent = { password: testPassword }
    assert.equal((await other.request('POST', '/user/delete', sent)).status, 202)
  })

  test('a token of eleven minutes lets no client do more, but rename it and do less', async () => {
    const admin = await shop.signInAs('admin')
    const redirect_uris = [...client.redirect_uris, 'https://app.example.com/second']
    const fields = { ...client, redirect_uris, scope: 'openid orders:read', user_id: null }
    const { id } = (await admin.request('POST', '/oauth-clients', fields)).json
    shop.now += 11 * minuteMs
    const url = `/oauth-clients/${id}`
    const wider = [
      { redirect_uris: [...redirect_uris, 'https://evil.example/callback'] },
      { post_logout_redirect_uris: ['https://evil.example/'] },
      { scope: 'openid orders:read orders:write' },
      { grant_types: ['authorization_code', 'refresh_token'] },
      { token_endpoint_auth_method: 'none' },
      { application_type: 'native' },
      { user_id: admin.id },
    ]
    for (const change of wider) {
      assertStale(await admin.request('PATCH', url, change))
      assertStale(await admin.request('PUT', url, { ...fields, ...change }))
    }
    // The default scope of PUT is another.
    assertStale(await admin.request('PUT', url, client))
    const narrower = { ...fields, client_name: 'Other', redirect_uris: client.redirect_uris }
    assert.equal((await admin.request('PUT', url, narrower)).status, 200)
    assert.equal((await admin.request('PATCH', url, { scope: 'openid' })).status, 200)
    for (const change of wider) {
      const { status, json } = await admin.request('PATCH', url, { ...change, ...current })
      assert.deepEqual([status, json.current_password], [200, undefined])
    }
    const put = await admin.request('PUT', url, { ...client, ...current })
    assert.deepEqual([put.status, put.json.scope], [200, 'openid profile email offline_access'])
  })

  test('a token of eleven minutes gives nobody a role or a password, erases nobody and sets no webhook up', async () => {
    const admin = await shop.signInAs('admin')
    const hook = { url: 'https://93.184.215.14/', types: ['order.paid'] }
    const { id } = (await admin.request('POST', '/webhooks', hook)).json
    const other = await signInStale()
    const url = `/users/${other.id}`
    const another = { name: 'E', username: 'e', password: 'a long new password', role: 'admin' }
    assertStale(await admin.request('POST', '/users', another))
    assertStale(await admin.request('PATCH', url, { role: 'admin' }))
    assertStale(await admin.request('PATCH', url, { status: 'suspended' }))
    assertStale(await admin.request('PATCH', url, { password: 'a long new password' }))
    assertStale(await admin.request('DELETE', url))
    assertStale(await admin.request('POST', '/webhooks', hook))
    assertStale(await admin.request('PATCH', `/webhooks/${id}`, { active: false }))
    assertStale(await admin.request('POST', `/webhooks/${id}/rotations`, {}))
    const promoted = await admin.request('PATCH', url, { role: 'admin', ...current })
    assert.equal(promoted.status, 200)
  })

  test('guests need no password for what is theirs', async () => {
    const { token } = (await shop.request('POST', '/guests', {})).json
    shop.now += 11 * minuteMs
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await shop.request('POST', '/user/delete', {}, headers)).status, 202)
  })

  test('a key only schedules an erasure, of its own user and of others', async () => {
    const admin = await shop.signInAs('admin')
    const keyOf = async (caller: TestCaller) => ({
      authorization: `Api-Key ${(await caller.request('POST', '/api-keys', { name: 'k' })).json.key}`,
    })
    const user = await shop.signInAs('customer')
    const own = await shop.request('DELETE', `/users/${user.id}`, undefined, await keyOf(user))
    assert.deepEqual([own.status, own.headers['location']], [202, '/user/delete'])
    assert.equal(own.json.status, 'scheduled')
    assert.equal((await user.request('GET', '/user/delete')).json.erase_at, own.json.erase_at)
    const other = await shop.signInAs('customer')
    const url = `/users/${other.id}`
    const { status } = await shop.request('DELETE', url, undefined, await keyOf(admin))
    assert.equal(status, 202)
    assert.equal((await other.request('GET', url)).status, 200)
    assert.equal((await other.request('GET', '/user/delete')).status, 200)
  })

  test('a new password keeps the other sessions where end_others is false', async () => {
    const user = await shop.signInAs('customer')
    const login = { username: user.username, password: testPassword }
    const second = (await shop.request('POST', '/login', login)).json
    const profile = () =>
      shop.request('GET', '/profile', undefined, { authorization: `Bearer ${second.token}` })
    const change = (password: string, before: string, fields: object) =>
      user.request('PATCH', `/users/${user.id}`, { password, current_password: before, ...fields })
    const next = 'another long password'
    assert.equal((await change(next, testPassword, { end_others: false })).status, 200)
    assert.equal((await profile()).status, 200)
    assert.equal((await change('a third long password', next, {})).status, 200)
    assert.equal((await profile()).status, 401)
  })
})
