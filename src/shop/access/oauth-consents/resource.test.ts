import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { runJobs } from '#src/server/jobs.ts'
import { openStore } from '#store/database.ts'
import { eachDatabase, startTestApp, type TestCaller, testPassword } from '#test/support/app.ts'
import {
  createRelyingParty,
  type OauthShop,
  signInAndConsent,
  startOauthShop,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'
import { insertGrant } from '#test/support/oauth-grants.ts'
import { dayMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  const getWith = (token: string, path = '/orders') =>
    shop.request('GET', path, undefined, { authorization: `Bearer ${token}` })

  type Client = Awaited<ReturnType<OauthShop['register']>>

  /** Signs a user in, in a new browser by default, and consents to a client. */
  const giveConsent = async (
    { username }: TestCaller,
    client: Client,
    { scope = 'openid orders:read', browser = new TestBrowser() } = {},
  ) => {
    const party = await createRelyingParty(shop.issuer, client)
    const { url, checks } = party.createAuthorizationRequest(scope)
    const callback = new URL(await signInAndConsent(browser, url, username))
    const redeem = () => oidc.authorizationCodeGrant(party.config, callback, checks)
    return { party, browser, redeem }
  }

  test('a consent has its client, scopes and expiry', async () => {
    const ada = await shop.signInAs('customer')
    const client = await shop.register()
    await giveConsent(ada, client)
    const { json, headers } = await ada.request('GET', '/oauth-consents')
    assert.equal(headers['cache-control'], 'private, no-cache')
    assert.equal(json.pagination.total_items, 1)
    const [{ id, created_at, updated_at, expires_at, ...fields }] = json.data
    assert.deepEqual(fields, {
      user_id: ada.id,
      client: { client_id: client.client_id, name: 'Parcel Tracker' },
      scopes: ['openid', 'orders:read'],
      _links: {
        self: { href: `/oauth-consents/${id}` },
        user: { href: `/users/${ada.id}` },
        delete: { href: `/oauth-consents/${id}`, method: 'DELETE' },
      },
    })
    assert.equal(created_at, updated_at)
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 90 * dayMs)
    const byAdmin = await shop.admin.request('GET', `/oauth-consents?user_id=${ada.id}`)
    assert.deepEqual(byAdmin.json.data[0]._links.client, { href: `/oauth-clients/${client.id}` })
    assert.equal((await shop.admin.request('GET', '/oauth-consents')).json.data.length, 0)
  })

  test('a second consent in another browser adds its scopes to the first', async () => {
    const ada = await shop.signInAs('customer')
    const client = await shop.register()
    await giveConsent(ada, client)
    const [first] = (await ada.request('GET', '/oauth-consents')).json.data
    shop.now += 5_000
    await giveConsent(ada, client, { scope: 'carts:write' })
    const { json } = await ada.request('GET', '/oauth-consents')
    assert.deepEqual(
      json.data.map((each: { id: number; scopes: string[] }) => [each.id, each.scopes]),
      [[first.id, ['carts:write', 'openid', 'orders:read']]],
    )
    assert.equal(json.data[0].created_at, first.created_at)
    assert.equal(Date.parse(json.data[0].updated_at) - Date.parse(first.updated_at), 5_000)
  })

  test('after a withdrawal the same browser has to consent again', async () => {
    const ada = await shop.signInAs('customer')
    const client = await shop.register()
    const { party, browser } = await giveConsent(ada, client)
    const authorizeSilently = async () => {
      const { url } = party.createAuthorizationRequest('openid orders:read', { prompt: 'none' })
      return new URL((await browser.open(url)).url).searchParams
    }
    assert.ok((await authorizeSilently()).has('code'))
    const { id } = (await ada.request('GET', '/oauth-consents')).json.data[0]
    assert.equal((await ada.request('DELETE', `/oauth-consents/${id}`)).status, 204)
    assert.equal((await authorizeSilently()).get('error'), 'consent_required')
    assert.equal((await ada.request('GET', `/oauth-consents/${id}`)).status, 410)
    assert.equal((await ada.request('DELETE', `/oauth-consents/${id}`)).status, 204)
    assert.equal((await ada.request('GET', '/oauth-consents')).json.data.length, 0)
    const again = await (await giveConsent(ada, client, { browser, scope: 'orders:read' })).redeem()
    assert.equal((await getWith(again.access_token)).status, 200)
    const { json } = await ada.request('GET', `/oauth-consents/${id}`)
    assert.deepEqual(json.scopes, ['orders:read'])
  })

  test('a withdrawal is recorded once, with the user who did it', async () => {
    const ada = await shop.signInAs('customer')
    const { client_id } = await shop.register()
    await insertGrant(shop, ada.id, client_id, 'orders:read')
    const { id } = (await ada.request('GET', '/oauth-consents')).json.data[0]
    for (const { request } of [shop.admin, ada]) await request('DELETE', `/oauth-consents/${id}`)
    const path = `/audit-events?action=oauth_consent_withdrawn&subject_id=${ada.id}`
    const { json } = await shop.admin.request('GET', path)
    assert.deepEqual(
      json.data.map(({ actor_id, details }: Record<string, unknown>) => [actor_id, details]),
      [[shop.admin.id, { client_id, scope: 'orders:read' }]],
    )
  })

  test('reuse of a refresh token ends its grant and removes its scopes from the consent', async () => {
    const ada = await shop.signInAs('customer')
    const client = await shop.register()
    await giveConsent(ada, client)
    const { party, redeem } = await giveConsent(ada, client, { scope: 'carts:write' })
    const refresh = String((await redeem()).refresh_token)
    await oidc.refreshTokenGrant(party.config, refresh)
    const before = (await ada.request('GET', '/oauth-consents')).json.data[0]
    const { headers } = await ada.request('GET', `/oauth-consents/${before.id}`)
    shop.now += 11_000
    await assert.rejects(oidc.refreshTokenGrant(party.config, refresh), { error: 'invalid_grant' })
    const { status, json } = await ada.request('GET', `/oauth-consents/${before.id}`, undefined, {
      'if-none-match': headers['etag'] ?? '',
    })
    assert.equal(status, 200)
    assert.deepEqual(json.scopes, ['openid', 'orders:read'])
    assert.equal(Date.parse(json.updated_at) - Date.parse(before.updated_at), 11_000)
  })

  test('a new password and the removal of the client end the consent', async () => {
    const ada = await shop.signInAs('customer')
    const client = await shop.register()
    const count = async () => (await ada.request('GET', '/oauth-consents')).json.data.length
    await insertGrant(shop, ada.id, client.client_id, 'orders:read')
    assert.equal(await count(), 1)
    const password = 'another correct horse'
    const change = { password, current_password: testPassword }
    assert.equal((await ada.request('PATCH', `/users/${ada.id}`, change)).status, 200)
    assert.equal(await count(), 0)
    await insertGrant(shop, ada.id, client.client_id, 'orders:read')
    assert.equal(await count(), 1)
    await shop.admin.request('DELETE', `/oauth-clients/${client.id}`)
    assert.equal(await count(), 0)
  })

  test('repeated password grants are one consent', async () => {
    const ada = await shop.signInAs('customer')
    const client = await shop.register({ grant_types: ['password'], redirect_uris: [] })
    const { config } = await createRelyingParty(shop.issuer, client)
    const credentials = { username: ada.username, password: 'correct horse battery staple' }
    const requestToken = () =>
      oidc.genericGrantRequest(config, 'password', { ...credentials, scope: 'orders:read' })
    const tokens = [await requestToken(), await requestToken()]
    const { json } = await ada.request('GET', '/oauth-consents')
    assert.deepEqual([json.data.length, json.data[0].scopes], [1, ['orders:read']])
    await ada.request('DELETE', `/oauth-consents/${json.data[0].id}`)
    for (const { access_token } of tokens) assert.equal((await getWith(access_token)).status, 401)
  })

  test('an expired consent answers 410 and is then deleted', async () => {
    const ada = await shop.signInAs('customer')
    const { client_id } = await shop.register()
    await insertGrant(shop, ada.id, client_id, 'orders:read')
    const { id } = (await ada.request('GET', '/oauth-consents')).json.data[0]
    const { now } = shop
    try {
      shop.now += 366 * dayMs
      const { token } = (
        await shop.request('POST', '/login', {
          username: ada.username,
          password: 'correct horse battery staple',
        })
      ).json
      assert.equal((await getWith(token, `/oauth-consents/${id}`)).status, 410)
      await runJobs(shop.parts, shop.db)
      assert.equal((await getWith(token, `/oauth-consents/${id}`)).status, 404)
    } finally {
      shop.now = now
    }
  })

  test('erasing a user deletes their consents', async () => {
    const ada = await shop.signInAs('customer')
    const { client_id } = await shop.register()
    await insertGrant(shop, ada.id, client_id, 'orders:read')
    assert.equal((await ada.request('DELETE', `/users/${ada.id}`)).status, 204)
    const rows = await shop.db
      .selectFrom('oauth_consents')
      .select('id')
      .where('user_id', '=', ada.id)
      .execute()
    assert.deepEqual(rows, [])
  })

  test('a withdrawal immediately revokes every token and code, in every process', async () => {
    const ada = await shop.signInAs('customer')
    const client = await shop.register()
    const first = await giveConsent(ada, client)
    const tokens = await first.redeem()
    const second = await giveConsent(ada, client)
    const other = await shop.register()
    const { access_token: otherToken } = await (await giveConsent(ada, other)).redeem()
    const { id } = (await ada.request('GET', '/oauth-consents?sort=id')).json.data[0]
    const elsewhere = await startTestApp(kind, {
      issuer: shop.issuer,
      temporary: { ...shop, store: await openStore(shop.url), dispose: async () => undefined },
    })
    elsewhere.now = shop.now
    const getElsewhere = (token: string) =>
      elsewhere.request('GET', '/orders', undefined, { authorization: `Bearer ${token}` })
    try {
      assert.equal((await getElsewhere(tokens.access_token)).status, 200)
      assert.equal((await ada.request('DELETE', `/oauth-consents/${id}`)).status, 204)
      for (const get of [getWith, getElsewhere]) {
        const { status, json } = await get(tokens.access_token)
        assert.equal(`${status} ${json.error_code}`, '401 4012')
        assert.equal((await get(otherToken)).status, 200)
      }
    } finally {
      await elsewhere.app.close()
      await elsewhere.store.close()
    }
    const { party } = first
    const refresh = String(tokens.refresh_token)
    await assert.rejects(oidc.refreshTokenGrant(party.config, refresh), { error: 'invalid_grant' })
    await assert.rejects(second.redeem(), { error: 'invalid_grant' })
    const introspection = await oidc.tokenIntrospection(party.config, tokens.access_token)
    assert.equal(introspection.active, false)
    await assert.rejects(oidc.fetchUserInfo(party.config, tokens.access_token, String(ada.id)))
  })
})
