import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

const body = { client_name: 'Tracker', redirect_uris: ['https://tracker.example/callback'] }

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const register = async (fields: object = {}) => {
    const response = await admin.request('POST', '/oauth-clients', { ...body, ...fields })
    assert.equal(response.status, 201, response.text)
    return response
  }

  test('a client is registered with a secret that is shown once and stored as a hash', async () => {
    const { json, headers } = await register()
    assert.match(json.client_id, /^cwc_[\w-]{22}$/)
    assert.match(json.client_secret, /^[\w-]{43}$/)
    assert.equal(json.client_secret_expires_at, 0)
    assert.equal(headers['cache-control'], 'no-store')
    const read = await admin.request('GET', `/oauth-clients/${json.id}`)
    assert.equal(read.headers['cache-control'], 'no-store')
    assert.equal(read.json.client_id, json.client_id)
    const rows = await shop.db.selectFrom('oauth_clients').selectAll().execute()
    for (const { json: shown } of [read, await admin.request('GET', '/oauth-clients')]) {
      assert.ok(!JSON.stringify(shown).includes(json.client_secret))
    }
    assert.ok(!JSON.stringify(rows).includes(json.client_secret))
    assert.ok(!JSON.stringify(read.json).includes(String(rows[0]?.secret_hash)))
  })

  test('a new secret is shown whatever the client prefers, and other changes are not', async () => {
    const prefer = { prefer: 'return=minimal' }
    const { json } = await register({ token_endpoint_auth_method: 'none' })
    const path = `/oauth-clients/${json.id}`
    const change = (method: string, fields: object) =>
      admin.request(method, path, { ...body, ...fields }, prefer)
    for (const method of ['PATCH', 'PUT']) {
      const confidential = await change(method, {
        token_endpoint_auth_method: 'client_secret_post',
      })
      assert.equal(confidential.status, 200)
      assert.match(confidential.json.client_secret, /^[\w-]{43}$/)
      assert.equal(confidential.headers['preference-applied'], undefined)
      const open = await change(method, { token_endpoint_auth_method: 'none' })
      assert.deepEqual([open.status, open.text], [204, ''])
    }
  })

  test('a public client has no secret', async () => {
    const { json } = await register({ token_endpoint_auth_method: 'none' })
    assert.ok(!('client_secret' in json))
    const path = `/oauth-clients/${json.id}`
    const method = { token_endpoint_auth_method: 'client_secret_post' }
    const confidential = await admin.request('PATCH', path, method)
    assert.match(confidential.json.client_secret, /^[\w-]{43}$/)
    const renamed = await admin.request('PATCH', path, { client_name: 'Other' })
    assert.ok(!('client_secret' in renamed.json))
    const replaced = await admin.request('PUT', path, {
      ...body,
      token_endpoint_auth_method: 'none',
    })
    assert.equal(replaced.status, 200)
    const row = await shop.db.selectFrom('oauth_clients').selectAll().where('id', '=', json.id)
    assert.equal((await row.executeTakeFirstOrThrow()).secret_hash, null)
  })

  test('null in a PATCH resets an optional field to its default', async () => {
    const { json } = await register({
      ...{ grant_types: ['client_credentials', 'authorization_code'], scope: 'openid' },
      ...{ contacts: ['dev@example.com'], application_type: 'native', response_types: ['code'] },
    })
    const path = `/oauth-clients/${json.id}`
    const defaults = await register()
    for (const field of [
      ...['grant_types', 'scope', 'contacts', 'application_type', 'response_types'],
      'token_endpoint_auth_method',
    ]) {
      const patched = await admin.request('PATCH', path, { [field]: null })
      assert.equal(patched.status, 200, patched.text)
      assert.deepEqual(patched.json[field], defaults.json[field], field)
    }
    const withoutRedirect = await admin.request('PATCH', path, { redirect_uris: null })
    assert.equal(withoutRedirect.json.errors[0].field, 'redirect_uris')
    const withoutName = await admin.request('PATCH', path, { client_name: null })
    assert.equal(`${withoutName.status} ${withoutName.json.errors[0].field}`, '422 client_name')
  })

  test('a client acts as the user who registered it, or as no user', async () => {
    const { id } = await shop.signUp()
    assert.equal((await register()).json.user_id, admin.id)
    assert.equal((await register({ user_id: null })).json.user_id, null)
    const other = await admin.request('POST', '/oauth-clients', { ...body, user_id: id })
    assert.deepEqual([other.status, other.json.error_code], [403, '4031'])
    const unknown = await admin.request('POST', '/oauth-clients', { ...body, user_id: 999_999 })
    assert.equal(`${unknown.status} ${unknown.json.errors[0].field}`, '422 user_id')
  })

  test('a client that acts as one administrator cannot be changed by another', async () => {
    const other = await shop.signInAs('admin')
    const { json } = await register()
    const path = `/oauth-clients/${json.id}`
    const patched = await other.request('PATCH', path, { client_name: 'Mine' })
    assert.deepEqual([patched.status, patched.json.error_code], [403, '4031'])
    const replaced = await other.request('PUT', path, body)
    assert.equal(replaced.status, 403)
    const reassigned = await other.request('PATCH', path, { user_id: other.id })
    assert.equal(reassigned.json.user_id, other.id)
    assert.equal((await admin.request('DELETE', path)).status, 204)
  })

  test('a client of an erased user acts as no user', async () => {
    const leaving = await shop.signInAs('admin')
    const { json } = await leaving.request('POST', '/oauth-clients', body)
    assert.equal((await admin.request('DELETE', `/users/${leaving.id}`)).status, 204)
    const read = await admin.request('GET', `/oauth-clients/${json.id}`)
    assert.equal(read.json.user_id, null)
  })

  test('only administrators manage clients, and can filter them by name', async () => {
    const customer = await shop.signInAs('customer')
    for (const [caller, status] of [
      [customer, 403],
      [shop, 401],
    ] as const) {
      assert.equal((await caller.request('GET', '/oauth-clients')).status, status)
      assert.equal((await caller.request('POST', '/oauth-clients', body)).status, status)
    }
    const { json } = await register({ client_name: 'Found' })
    const found = await admin.request('GET', '/oauth-clients?client_name=Found')
    assert.deepEqual(
      found.json.data.map(({ id }: { id: number }) => id),
      [json.id],
    )
  })

  test('each invalid field of a registration is named', async () => {
    const invalid = { redirect_uris: ['http://app.example/'], scope: 'unknown' }
    const { status, json } = await admin.request('POST', '/oauth-clients', { ...body, ...invalid })
    assert.equal(status, 422)
    assert.deepEqual(
      json.errors.map(({ field }: { field: string }) => field),
      ['redirect_uris[0]', 'scope'],
    )
    const withoutRedirects = await admin.request('POST', '/oauth-clients', { client_name: 'Bare' })
    assert.equal(`${withoutRedirects.status} ${withoutRedirects.json.error_code}`, '400 4001')
  })

  test('a rotated secret is shown once and stored as a hash', async () => {
    const { json } = await register()
    assert.deepEqual(json._links.rotate, {
      href: `/oauth-clients/${json.id}/rotations`,
      method: 'POST',
      body: { grace_seconds: 0 },
    })
    const path = json._links.rotate.href
    const rotated = await admin.request('POST', path, { grace_seconds: 60 })
    assert.equal(rotated.status, 201, rotated.text)
    assert.equal(rotated.headers['cache-control'], 'no-store')
    const { client_secret, client_secret_expires_at, client_id } = rotated.json
    assert.match(client_secret, /^[\w-]{43}$/)
    assert.notEqual(client_secret, json.client_secret)
    assert.deepEqual([client_id, client_secret_expires_at], [json.client_id, 0])
    const rows = shop.db.selectFrom('oauth_clients').selectAll().where('id', '=', json.id)
    const stored = JSON.stringify(await rows.execute())
    for (const secret of [client_secret, json.client_secret]) assert.ok(!stored.includes(secret))
    const read = await admin.request('GET', `/oauth-clients/${json.id}`)
    assert.ok(!('client_secret' in read.json))
    assert.notEqual(read.headers['etag'], undefined)
    const event = shop.db.selectFrom('audit_events').select(['subject_id', 'actor_id'])
    assert.deepEqual(await event.where('action', '=', 'oauth_client_rotated').execute(), [
      { subject_id: admin.id, actor_id: admin.id },
    ])
  })

  test('rotating the secret of a public, removed or unknown client is rejected', async () => {
    const { json } = await register({ token_endpoint_auth_method: 'none' })
    assert.ok(!('rotate' in json._links))
    const rotate = async (id: number, caller: Pick<TestCaller, 'request'> = admin) => {
      const { status, json } = await caller.request('POST', `/oauth-clients/${id}/rotations`, {})
      return `${status} ${json.error_code}`
    }
    assert.equal(await rotate(json.id), '409 4091')
    assert.equal(await rotate(999_999), '404 4041')
    assert.equal(await rotate(json.id, shop), '401 4011')
    assert.equal(await rotate(json.id, await shop.signInAs('customer')), '403 4031')
    await admin.request('DELETE', `/oauth-clients/${json.id}`)
    assert.equal(await rotate(json.id), '410 4101')
  })

  test('a client that becomes public loses its current and previous secret', async () => {
    const { json } = await register()
    const path = `/oauth-clients/${json.id}`
    await admin.request('POST', `${path}/rotations`, { grace_seconds: 3600 })
    const storedSecrets = async () => {
      const columns = ['secret_hash', 'previous_secret_hash', 'previous_secret_expires_at'] as const
      const row = shop.db.selectFrom('oauth_clients').select(columns).where('id', '=', json.id)
      return Object.values(await row.executeTakeFirstOrThrow()).filter((value) => value !== null)
    }
    assert.equal((await storedSecrets()).length, 3)
    await admin.request('PATCH', path, { token_endpoint_auth_method: 'none' })
    assert.deepEqual(await storedSecrets(), [])
  })

  test('an https server accepts only https redirect URIs for web applications', async (t) => {
    const secure = await startTestApp(kind, { issuer: 'https://shop.example' })
    t.after(() => secure.dispose())
    const secureAdmin = await secure.signInAs('admin')
    const loopback = { client_name: 'Loopback', redirect_uris: ['http://localhost:8080/callback'] }
    const rejected = await secureAdmin.request('POST', '/oauth-clients', loopback)
    assert.deepEqual(
      [rejected.status, rejected.json.error_code, rejected.json.errors[0].field],
      [422, '4221', 'redirect_uris[0]'],
    )
    const native = { ...loopback, application_type: 'native' }
    const { status, json } = await secureAdmin.request('POST', '/oauth-clients', native)
    assert.equal(status, 201)
    const path = `/oauth-clients/${json.id}`
    const web = { application_type: 'web' }
    assert.equal((await secureAdmin.request('PATCH', path, web)).status, 422)
    assert.equal((await secureAdmin.request('PUT', path, loopback)).status, 422)
    assert.equal((await admin.request('POST', '/oauth-clients', loopback)).status, 201)
  })
})
