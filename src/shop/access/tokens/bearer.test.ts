import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  const profile = (authorization: string) =>
    shop.request('GET', '/profile', undefined, { authorization })

  test('a token is verified and its account looked up in one statement', async () => {
    const { token } = await shop.signInAs('customer')
    shop.takeCount()
    const answer = await shop.request('GET', '/users', undefined, {
      authorization: `Bearer ${token}`,
    })
    assert.equal(answer.status, 403)
    assert.equal(shop.takeCount(), 1)
  })

  test('the name of the scheme may be written in any case', async () => {
    const { token } = await shop.signInAs('customer')
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      assert.equal((await profile(`${scheme} ${token}`)).status, 200)
    }
  })

  test('credentials that do not verify are rejected with 4012 and a challenge', async () => {
    const { token } = await shop.signInAs('customer')
    const bad = ['Bearer', 'Bearer ', 'Bearer x', `Bearer ${token}x`, token, 'Nonsense abc', '  ']
    for (const authorization of bad) {
      const { status, json, headers } = await profile(authorization)
      assert.deepEqual([status, json.error_code], [401, '4012'], authorization)
      assert.match(headers['www-authenticate'] ?? '', /Bearer realm="cartwright"/)
      assert.equal(headers['cache-control'], 'no-store')
    }
  })

  const challengesOf = ({ headers }: { headers: Readonly<Record<string, string>> }): string =>
    headers['www-authenticate'] ?? ''
  const bare = /^Bearer realm="cartwright", Basic /

  test('a token that is not accepted is rejected with invalid_token and the reason', async () => {
    const { token, request } = await shop.signInAs('customer')
    for (const bad of ['x', `${token}x`, '', 'a.b.c']) {
      assert.match(
        challengesOf(await profile(`Bearer ${bad}`)),
        /^Bearer realm="cartwright", error="invalid_token", error_description="[ !#-[\]-~]+", Basic /,
        bad,
      )
    }
    const began = shop.now
    shop.now += 900_000
    assert.match(
      challengesOf(await request('GET', '/profile')),
      /error_description="[^"]*has expired/,
    )
    shop.now = began
  })

  test('a challenge has no error when no token was sent', async () => {
    const wrong = { username: 'nobody', password: 'wrong password' }
    const { token } = await shop.signInAs('customer')
    const authorization = `Bearer ${token}`
    for (const answer of [
      await shop.request('GET', '/profile'),
      await profile('Basic eDp5'),
      await profile('Api-Key cw_x'),
      // Who signs in proves nothing by a token, whatever the request carries.
      await shop.request('POST', '/login', wrong, { authorization }),
    ]) {
      assert.equal(answer.status, 401)
      assert.match(challengesOf(answer), bare)
    }
  })

  test('a token that lacks a scope is rejected with insufficient_scope and the scope', async () => {
    const admin = await shop.signInAs('admin')
    const narrow = await scopedCaller(shop, admin, ['users:read', 'keys:write', 'users:write'])
    const lacking = 'Bearer realm="cartwright", error="insufficient_scope"'
    for (const [method, url, body, scope] of [
      ['GET', '/orders', undefined, 'orders:read'],
      ['POST', '/products', { name: 'Lamp', price: 1 }, 'products:write'],
      ['GET', `/users/${admin.id}/cart`, undefined, 'carts:write'],
      ['POST', '/api-keys', { name: 'Reader', scopes: ['orders:write'] }, 'orders:write'],
    ] as const) {
      const answer = await narrow(method, url, body)
      assert.equal(answer.json.error_code, '4033', url)
      assert.equal(challengesOf(answer), `${lacking}, scope="${scope}"`)
    }
    const secret = { password: 'another password of mine' }
    const whole = await narrow('PATCH', `/users/${admin.id}`, secret)
    assert.deepEqual([whole.status, whole.json.error_code], [403, '4033'])
    assert.equal(challengesOf(whole), '', 'no one scope would help')
  })

  test('other refusals with 403, and those of other credentials, carry no challenge', async () => {
    const customer = await shop.signInAs('customer')
    const key = { name: 'Reader', scopes: ['users:read'] }
    const made = await customer.request('POST', '/api-keys', key)
    const headers = { authorization: `Api-Key ${made.json.key}` }
    const byKey = await shop.request('GET', '/orders', undefined, headers)
    assert.deepEqual([byKey.status, byKey.json.error_code], [403, '4033'])
    assert.equal(challengesOf(byKey), '')
    const forbidden = await customer.request('GET', '/users')
    assert.deepEqual([forbidden.status, forbidden.json.error_code], [403, '4031'])
    assert.equal(challengesOf(forbidden), '')
  })

  test('bad credentials are rejected even where none are needed', async () => {
    const answer = await shop.request('GET', '/products', undefined, { authorization: 'Bearer x' })
    assert.equal(answer.json.error_code, '4012')
  })

  test('without credentials, a resource that needs them answers 4011', async () => {
    const { status, json } = await shop.request('GET', '/profile')
    assert.deepEqual([status, json.error_code], [401, '4011'])
  })

  test('a token is rejected with 4013 once 15 minutes are over', async (t) => {
    t.after(() => {
      shop.now = began
    })
    const began = shop.now
    const { request } = await shop.signInAs('customer')
    shop.now = began + 899_000
    assert.equal((await request('GET', '/profile')).status, 200)
    shop.now = began + 900_000
    const { status, json } = await request('GET', '/profile')
    assert.deepEqual([status, json.error_code], [401, '4013'])
  })

  test('a suspension takes effect at once for issued tokens', async () => {
    const { id, request } = await shop.signInAs('customer')
    const admin = await shop.signInAs('admin')
    const suspend = await admin.request('PATCH', `/users/${id}`, { status: 'suspended' })
    assert.equal(suspend.json.status, 'suspended')
    const { status, json } = await request('GET', '/profile')
    assert.deepEqual([status, json.error_code], [403, '4032'])
    await admin.request('PATCH', `/users/${id}`, { status: 'active' })
    const after = await request('GET', '/profile')
    assert.deepEqual([after.status, after.json.error_code], [401, '4012'])
  })

  test('the token of a removed user is rejected at once', async () => {
    const { id, request } = await shop.signInAs('customer')
    assert.equal((await request('DELETE', `/users/${id}`)).status, 204)
    for (const path of ['/profile', `/users/${id}`, '/products']) {
      const { status, json } = await request('GET', path)
      assert.deepEqual([status, json.error_code], [401, '4012'])
    }
  })

  test('the role is the one of the account now, and the scopes what role and token share', async () => {
    const { id, username, request } = await shop.signInAs('admin')
    // Behind the back of the API, which would end the session.
    const turnInto = (role: 'admin' | 'customer') =>
      shop.db.updateTable('users').set({ role }).where('id', '=', id).execute()
    assert.match((await request('GET', '/profile')).json.scope, /products:write/)
    await turnInto('customer')
    const demoted = await request('GET', '/profile')
    assert.equal(demoted.json.role, 'customer')
    assert.doesNotMatch(demoted.json.scope, /products:write/)
    assert.equal((await request('GET', '/users')).status, 403)
    const login = await shop.request('POST', '/login', { username, password: testPassword })
    await turnInto('admin')
    // The new role does not widen what the token was granted.
    const narrow = await profile(`Bearer ${login.json.token}`)
    assert.equal(narrow.json.role, 'admin')
    assert.doesNotMatch(narrow.json.scope, /products:write/)
  })
})
