import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { scopesOfRole } from '#shop/scopes.ts'
import { eachDatabase, type TestCaller, type TestRequest, testPassword } from '#test/support/app.ts'
import { type OauthShop, startOauthShop } from '#test/support/callers/relying-party.ts'
import { minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  const requestWith =
    (authorization: string): TestRequest =>
    (method, url, body, headers) =>
      shop.request(method, url, body, { ...headers, authorization })
  const createKey = async (request: TestRequest, fields: object = {}) => {
    const { status, json, text } = await request('POST', '/api-keys', { name: 'New', ...fields })
    assert.equal(status, 201, text)
    return { ...json, request: requestWith(`Api-Key ${json.key}`) }
  }
  const probe = async (request: TestRequest) => {
    const { status, json } = await request('GET', '/profile')
    return status === 200 ? 'accepted' : json.error_code
  }
  const issueToken = async (user: TestCaller) => {
    const client = await shop.register({ grant_types: ['password', 'client_credentials'] })
    const pair = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
    const response = await fetch(`${shop.issuer}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${pair}` },
      body: new URLSearchParams({
        grant_type: 'password',
        username: user.username,
        password: testPassword,
        scope: scopesOfRole('customer').join(' '),
      }),
    })
    const { access_token } = (await response.json()) as { access_token: string }
    return { client, request: requestWith(`Bearer ${access_token}`) }
  }

  test('revoking a key revokes all keys created with it, directly or not', async () => {
    const owner = await shop.signInAs('customer')
    const parent = await createKey(owner.request)
    const child = await createKey(parent.request)
    const grandchild = await createKey(child.request)
    const unrelated = await createKey(owner.request)
    assert.equal((await owner.request('DELETE', `/api-keys/${parent.id}`)).status, 204)
    for (const { request } of [parent, child, grandchild]) {
      assert.equal(await probe(request), '4012')
    }
    assert.equal(await probe(unrelated.request), 'accepted')
    const url = `/audit-events?action=api_key_revoked&subject_id=${owner.id}&sort=id`
    const { json } = await shop.admin.request('GET', url)
    const revoked = json.data.map((each: { details: { id: number } }) => each.details.id)
    assert.deepEqual(revoked, [parent.id, child.id, grandchild.id])
  })

  test('a key created while its parent is revoked does not work', async () => {
    const owner = await shop.signInAs('customer')
    for (let turn = 0; turn < 5; turn += 1) {
      const parent = await createKey(owner.request)
      const [created] = await Promise.all([
        parent.request('POST', '/api-keys', { name: 'New' }),
        owner.request('DELETE', `/api-keys/${parent.id}`),
      ])
      if (created.status !== 201) assert.ok([401, 403, 409].includes(created.status), created.text)
      else assert.equal(await probe(requestWith(`Api-Key ${created.json.key}`)), '4012')
    }
  })

  test('a key created with an access token expires with the token at the latest', async () => {
    const owner = await shop.signInAs('customer')
    const { request } = await issueToken(owner)
    const { json, status, text } = await request('POST', '/api-keys', { name: 'New' })
    assert.equal(status, 201, text)
    assert.ok(Date.parse(json.expires_at) <= shop.now + 16 * minuteMs, json.expires_at)
    const longer = await request('POST', '/api-keys', { name: 'New', expires_at: null })
    assert.deepEqual([longer.status, longer.json.error_code], [403, '4031'])
  })

  test('withdrawing a consent revokes the keys created with its access tokens', async () => {
    const owner = await shop.signInAs('customer')
    const { request } = await issueToken(owner)
    const key = await createKey(request)
    const child = await createKey(key.request)
    assert.equal(await probe(child.request), 'accepted')
    const { json } = await owner.request('GET', '/oauth-consents')
    assert.equal((await owner.request('DELETE', `/oauth-consents/${json.data[0].id}`)).status, 204)
    assert.deepEqual([await probe(key.request), await probe(child.request)], ['4012', '4012'])
  })

  test('removing an OAuth client revokes the keys created with its access tokens', async () => {
    const owner = await shop.signInAs('customer')
    const { request, client } = await issueToken(owner)
    const key = await createKey(request)
    assert.equal(await probe(key.request), 'accepted')
    assert.equal((await shop.admin.request('DELETE', `/oauth-clients/${client.id}`)).status, 204)
    assert.equal(await probe(key.request), '4012')
  })

  test('a new password revokes keys created with an access token, but not keys created after sign-in', async () => {
    const owner = await shop.signInAs('customer')
    const own = await createKey(owner.request)
    const key = await createKey((await issueToken(owner)).request)
    const body = { password: 'another password', current_password: testPassword }
    assert.equal((await owner.request('PATCH', `/users/${owner.id}`, body)).status, 200)
    assert.deepEqual([await probe(own.request), await probe(key.request)], ['accepted', '4012'])
  })

  /** Rotates a key, and checks that the link to that is shown exactly if it succeeds. */
  const rotate = async (request: TestRequest, id: number) => {
    const { json: read } = await request('GET', `/api-keys/${id}`)
    const { json: list } = await request('GET', '/api-keys')
    const listed = list.data.find((key: { id: number }) => key.id === id)
    const body = { grace_seconds: 60 }
    const { status } = await request('POST', `/api-keys/${id}/rotations`, body)
    for (const { _links } of [read, listed]) assert.equal('rotate' in _links, status === 201)
    return status
  }

  test('an access token cannot rotate a key that expires later than the token', async () => {
    const owner = await shop.signInAs('customer')
    const own = await createKey(owner.request)
    const { request } = await issueToken(owner)
    const rotated = await request('POST', `/api-keys/${own.id}/rotations`, {})
    assert.deepEqual([rotated.status, rotated.json.error_code], [403, '4031'])
    assert.equal(await probe(own.request), 'accepted')
  })

  test('a key rotates itself and the keys created with it, and no other key', async () => {
    const owner = await shop.signInAs('customer')
    const other = await createKey(owner.request, { scopes: ['orders:read'] })
    const parent = await createKey(owner.request, { scopes: ['keys:write', 'orders:read'] })
    const child = await createKey(parent.request, { scopes: ['keys:write', 'orders:read'] })
    assert.equal(await rotate(parent.request, other.id), 403)
    assert.equal(await rotate(child.request, parent.id), 403)
    assert.equal(await rotate(parent.request, child.id), 201)
    assert.equal(await rotate(parent.request, parent.id), 201)
    assert.equal(await rotate(owner.request, other.id), 201)
  })

  test('keys of one application rotate only themselves; its token rotates those of its grant', async () => {
    const owner = await shop.signInAs('customer')
    const { request } = await issueToken(owner)
    const [one, other] = [await createKey(request), await createKey(request)]
    assert.equal(await rotate(one.request, other.id), 403)
    assert.equal(await rotate(one.request, one.id), 201)
    assert.equal(await rotate(request, other.id), 201)
  })

  test('a narrow key does not receive the stored response of a wider one with the same Idempotency-Key', async () => {
    const owner = await shop.signInAs('customer')
    const narrow = await createKey(owner.request, { scopes: ['keys:write'] })
    const headers = { 'idempotency-key': 'shared' }
    const send = (request: TestRequest) =>
      request('POST', '/api-keys', { name: 'Wide', scopes: ['orders:read'] }, headers)
    const wide = await send(owner.request)
    assert.equal(wide.status, 201)
    const rejected = await send(narrow.request)
    assert.deepEqual([rejected.status, rejected.json.error_code], [403, '4033'])
    assert.equal(rejected.headers['idempotent-replayed'], undefined)
  })
})
