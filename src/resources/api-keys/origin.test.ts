import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scopesOf } from '#http/declare/caller.ts'
import { eachDatabase, type TestCaller, type TestRequest, testPassword } from '#test/support/app.ts'
import { type OauthShop, startOauthShop } from '#test/support/callers/relying-party.ts'
import { minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  const by =
    (authorization: string): TestRequest =>
    (method, url, body, headers) =>
      shop.request(method, url, body, { ...headers, authorization })
  const make = async (request: TestRequest, fields: object = {}) => {
    const { status, json, text } = await request('POST', '/api-keys', { name: 'Made', ...fields })
    assert.equal(status, 201, text)
    return { ...json, request: by(`Api-Key ${json.key}`) }
  }
  const codeOf = async (request: TestRequest) => {
    const { status, json } = await request('GET', '/profile')
    return status === 200 ? 'works' : json.error_code
  }
  const tokenOf = async (holder: TestCaller) => {
    const client = await shop.register({ grant_types: ['password', 'client_credentials'] })
    const pair = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
    const answer = await fetch(`${shop.issuer}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${pair}` },
      body: new URLSearchParams({
        grant_type: 'password',
        username: holder.username,
        password: testPassword,
        scope: scopesOf('customer').join(' '),
      }),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    return { client, request: by(`Bearer ${access_token}`) }
  }

  test('a key made with a key is revoked together with it, and so is what that one made', async () => {
    const owner = await shop.signInAs('customer')
    const parent = await make(owner.request)
    const child = await make(parent.request)
    const grandchild = await make(child.request)
    const apart = await make(owner.request)
    assert.equal((await owner.request('DELETE', `/api-keys/${parent.id}`)).status, 204)
    for (const { request } of [parent, child, grandchild]) {
      assert.equal(await codeOf(request), '4012')
    }
    assert.equal(await codeOf(apart.request), 'works')
    const url = `/audit-events?action=api_key_revoked&subject_id=${owner.id}&sort=id`
    const { json } = await shop.admin.request('GET', url)
    const revoked = json.data.map((each: { details: { id: number } }) => each.details.id)
    assert.deepEqual(revoked, [parent.id, child.id, grandchild.id])
  })

  test('a key made while its parent is revoked is not made', async () => {
    const owner = await shop.signInAs('customer')
    for (let turn = 0; turn < 5; turn += 1) {
      const parent = await make(owner.request)
      const [made] = await Promise.all([
        parent.request('POST', '/api-keys', { name: 'Made' }),
        owner.request('DELETE', `/api-keys/${parent.id}`),
      ])
      if (made.status !== 201) assert.ok([401, 409].includes(made.status), made.text)
      else assert.equal(await codeOf(by(`Api-Key ${made.json.key}`)), '4012')
    }
  })

  test('a key made with an access token lives no longer than the token', async () => {
    const owner = await shop.signInAs('customer')
    const { request } = await tokenOf(owner)
    const { json, status, text } = await request('POST', '/api-keys', { name: 'Made' })
    assert.equal(status, 201, text)
    assert.ok(Date.parse(json.expires_at) <= shop.now + 16 * minuteMs, json.expires_at)
    const longer = await request('POST', '/api-keys', { name: 'Made', expires_at: null })
    assert.deepEqual([longer.status, longer.json.error_code], [403, '4031'])
  })

  test('a key made with an access token ends with the consent', async () => {
    const owner = await shop.signInAs('customer')
    const { request } = await tokenOf(owner)
    const key = await make(request)
    const child = await make(key.request)
    assert.equal(await codeOf(child.request), 'works')
    const { json } = await owner.request('GET', '/oauth-consents')
    assert.equal((await owner.request('DELETE', `/oauth-consents/${json.data[0].id}`)).status, 204)
    assert.deepEqual([await codeOf(key.request), await codeOf(child.request)], ['4012', '4012'])
  })

  test('a key made with an access token ends with the client', async () => {
    const owner = await shop.signInAs('customer')
    const { request, client } = await tokenOf(owner)
    const key = await make(request)
    assert.equal(await codeOf(key.request), 'works')
    assert.equal((await shop.admin.request('DELETE', `/oauth-clients/${client.id}`)).status, 204)
    assert.equal(await codeOf(key.request), '4012')
  })

  test('a key made with an access token ends with the password; one of a sign-in goes on', async () => {
    const owner = await shop.signInAs('customer')
    const own = await make(owner.request)
    const key = await make((await tokenOf(owner)).request)
    const body = { password: 'another password', current_password: testPassword }
    assert.equal((await owner.request('PATCH', `/users/${owner.id}`, body)).status, 200)
    assert.deepEqual([await codeOf(own.request), await codeOf(key.request)], ['works', '4012'])
  })

  test('an access token rotates no key that lives longer than itself', async () => {
    const owner = await shop.signInAs('customer')
    const own = await make(owner.request)
    const { request } = await tokenOf(owner)
    const rotated = await request('POST', `/api-keys/${own.id}/rotations`, {})
    assert.deepEqual([rotated.status, rotated.json.error_code], [403, '4031'])
    assert.equal(await codeOf(own.request), 'works')
  })

  test('a narrow key is not given the answer that a wide one was given under the same Idempotency-Key', async () => {
    const owner = await shop.signInAs('customer')
    const narrow = await make(owner.request, { scopes: ['keys:write'] })
    const headers = { 'idempotency-key': 'shared' }
    const ask = (request: TestRequest) =>
      request('POST', '/api-keys', { name: 'Wide', scopes: ['orders:read'] }, headers)
    const wide = await ask(owner.request)
    assert.equal(wide.status, 201)
    const refused = await ask(narrow.request)
    assert.deepEqual([refused.status, refused.json.error_code], [403, '4033'])
    assert.equal(refused.headers['idempotent-replayed'], undefined)
  })

  test('what makes an administrator, or changes how somebody signs in, is written down', async () => {
    const boss = await shop.signInAs('admin')
    const chief = { name: 'Chief', username: `chief-${kind}`, password: testPassword }
    const made = await boss.request('POST', '/users', { ...chief, role: 'admin' })
    assert.equal(made.status, 201, made.text)
    await boss.request('PATCH', `/users/${made.json.id}`, { username: `other-${kind}` })
    await boss.request('PATCH', `/users/${made.json.id}`, { password: 'reset by somebody else' })
    await boss.request('PATCH', `/users/${made.json.id}`, { role: 'customer' })
    const url = `/audit-events?subject_id=${made.json.id}&sort=id`
    const { json } = await boss.request('GET', url)
    const told = json.data.map((each: { action: string; actor_id: number }) => [
      each.action,
      each.actor_id,
    ])
    const actions = [
      'administrator_created',
      'username_changed',
      'password_changed',
      'role_changed',
    ]
    assert.deepEqual(
      told,
      actions.map((action) => [action, boss.id]),
    )
  })
})
