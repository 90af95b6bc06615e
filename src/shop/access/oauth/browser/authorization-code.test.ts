import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { eachDatabase, testPassword } from '#test/support/app.ts'
import {
  authorizeClient,
  createRelyingParty,
  type OauthShop,
  signInAndConsent,
  startOauthShop,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'
import { secondMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  const api = (method: string, path: string, token: string) =>
    shop.request(method, path, undefined, { authorization: `Bearer ${token}` })

  /** A new user who has consented to a new client, and the tokens of the client. */
  const issueTokens = async (scope: string, fields: object = {}) => {
    const client = await shop.register(fields)
    const user = await shop.signUp({ name: 'Ada Lovelace' })
    const { party, redeem } = await authorizeClient(shop, user.username, { client, scope })
    return { client, user, party, redeem, tokens: await redeem() }
  }

  test('after sign-in and consent, a client can use the granted scopes and no others', async () => {
    const { user, client, tokens } = await issueTokens('openid profile orders:read')
    assert.equal(tokens.claims()?.sub, String(user.id))
    assert.equal(tokens.scope, 'openid profile orders:read')
    const profile = await api('GET', '/profile', tokens.access_token)
    assert.equal(profile.status, 403, profile.text)
    const orders = await api('GET', '/orders', tokens.access_token)
    assert.equal(orders.status, 200, orders.text)
    const [header = '', payload = ''] = tokens.access_token.split('.')
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    assert.deepEqual([decode(header).typ, decode(header).alg], ['at+jwt', 'RS256'])
    const { jti, iat, exp, ...claims } = decode(payload)
    assert.equal(exp - iat, 900)
    assert.deepEqual(claims, {
      sub: String(user.id),
      scope: 'openid profile orders:read',
      client_id: client.client_id,
      iss: shop.issuer,
      aud: shop.issuer,
    })
  })

  test('with prompt=login a user can sign in as another user', async () => {
    const client = await shop.register()
    const party = await createRelyingParty(shop.issuer, client)
    const browser = new TestBrowser()
    const subjects: unknown[] = []
    const users = [await shop.signUp(), await shop.signUp()]
    for (const { username } of users) {
      const { url, checks } = party.createAuthorizationRequest('openid', { prompt: 'login' })
      const back = new URL(await signInAndConsent(browser, url, username))
      const tokens = await oidc.authorizationCodeGrant(party.config, back, checks)
      subjects.push(tokens.claims()?.sub)
    }
    assert.deepEqual(
      subjects,
      users.map(({ id }) => String(id)),
    )
    const { url, checks } = party.createAuthorizationRequest('openid', { prompt: 'none' })
    const silent = new URL((await browser.open(url)).url)
    const tokens = await oidc.authorizationCodeGrant(party.config, silent, checks)
    assert.equal(tokens.claims()?.sub, subjects[1])
  })

  test('userinfo contains only the claims of the granted scopes', async () => {
    const { user, party, tokens } = await issueTokens('openid profile')
    const claims = await oidc.fetchUserInfo(party.config, tokens.access_token, String(user.id))
    const { updated_at, ...rest } = claims
    assert.deepEqual(rest, {
      sub: String(user.id),
      name: 'Ada Lovelace',
      preferred_username: user.username,
    })
  })

  test('a refresh token works once, and a second use later revokes the whole grant', async () => {
    const { party, tokens } = await issueTokens('orders:read')
    const first = String(tokens.refresh_token)
    const renewed = await oidc.refreshTokenGrant(party.config, first)
    assert.notEqual(renewed.refresh_token, first)
    assert.equal((await api('GET', '/orders', renewed.access_token)).status, 200)
    shop.now += 11 * secondMs
    await assert.rejects(oidc.refreshTokenGrant(party.config, first), { error: 'invalid_grant' })
    const second = String(renewed.refresh_token)
    await assert.rejects(oidc.refreshTokenGrant(party.config, second), { error: 'invalid_grant' })
    const { status, json } = await api('GET', '/orders', renewed.access_token)
    assert.equal(`${status} ${json.error_code}`, '401 4012')
  })

  test('a code works once, and a second use revokes the tokens of the first', async () => {
    const { party, redeem, tokens } = await issueTokens('orders:read')
    await assert.rejects(redeem(), { error: 'invalid_grant' })
    assert.equal((await api('GET', '/orders', tokens.access_token)).status, 401)
    const refresh = String(tokens.refresh_token)
    await assert.rejects(oidc.refreshTokenGrant(party.config, refresh), { error: 'invalid_grant' })
  })

  test('of concurrent attempts to redeem a code at most one succeeds, and its token is revoked', async () => {
    const { username } = await shop.signUp()
    const { redeem } = await authorizeClient(shop, username, { scope: 'orders:read' })
    const results = await Promise.allSettled(Array.from({ length: 5 }, redeem))
    const fulfilled = results.filter((result) => result.status === 'fulfilled')
    assert.ok(fulfilled.length <= 1, `${fulfilled.length} succeeded`)
    for (const { value } of fulfilled) {
      assert.equal((await api('GET', '/orders', value.access_token)).status, 401)
    }
  })

  test('with client credentials a client acts as its registered user, within its scopes', async () => {
    const { id } = await shop.signUp()
    const fields = { grant_types: ['client_credentials'], scope: 'orders:read users:read' }
    const client = await shop.register({ ...fields, user_id: null })
    const update = shop.db.updateTable('oauth_clients').set({ user_id: id })
    await update.where('client_id', '=', client.client_id).execute()
    const { config } = await createRelyingParty(shop.issuer, client)
    const { access_token } = await oidc.clientCredentialsGrant(config, { scope: 'users:read' })
    assert.equal((await api('GET', `/users/${id}`, access_token)).json.id, id)
    assert.equal((await api('GET', '/orders', access_token)).json.error_code, '4033')
    assert.equal((await api('GET', '/users', access_token)).json.error_code, '4031')
    const userless = await shop.register({ ...fields, user_id: null })
    const party = await createRelyingParty(shop.issuer, userless)
    const { access_token: token } = await oidc.clientCredentialsGrant(party.config)
    assert.equal((await api('GET', '/products', token)).status, 200)
    assert.equal((await api('GET', '/orders', token)).json.error_code, '4031')
  })

  test('sign-in, consent and changes of a client are in the audit trail', async () => {
    const { user, client } = await issueTokens('orders:read')
    const path = `/oauth-clients/${client.id}`
    await shop.admin.request('PATCH', path, { client_name: 'Other' })
    await shop.admin.request('DELETE', path)
    const events = shop.db.selectFrom('audit_events').select(['action', 'actor_id', 'credential'])
    const own = await events.where('subject_id', '=', user.id).orderBy('id').execute()
    assert.deepEqual(
      own.map(({ action, actor_id, credential }) => [action, actor_id, credential]),
      [
        ['signed_in', user.id, 'password'],
        ['oauth_consent_given', user.id, 'password'],
      ],
    )
    const byAdmin = events.where('subject_id', '=', shop.admin.id)
    const last = await byAdmin.orderBy('id', 'desc').limit(3).execute()
    assert.deepEqual(
      last.map(({ action }) => action),
      ['oauth_client_removed', 'oauth_client_changed', 'oauth_client_created'],
    )
  })

  test('tokens are rejected while the user is suspended and once the client is deleted', async () => {
    const { user, client, party, tokens } = await issueTokens('openid orders:read')
    const { access_token, refresh_token = '' } = tokens
    const path = `/users/${user.id}`
    await shop.admin.request('PATCH', path, { status: 'suspended' })
    assert.equal((await api('GET', '/orders', access_token)).json.error_code, '4032')
    const renewal = () => oidc.refreshTokenGrant(party.config, refresh_token)
    await assert.rejects(renewal(), { error: 'invalid_grant' })
    await shop.admin.request('PATCH', path, { status: 'active' })
    assert.equal((await api('GET', '/orders', access_token)).status, 200)
    await shop.admin.request('PATCH', `/oauth-clients/${client.id}`, { scope: 'openid' })
    assert.equal((await api('GET', '/orders', access_token)).json.error_code, '4033')
    await shop.admin.request('DELETE', `/oauth-clients/${client.id}`)
    assert.equal((await api('GET', '/orders', access_token)).json.error_code, '4012')
    await assert.rejects(renewal(), { status: 401 })
  })

  test('a scope removed from a client is removed from its grants at once', async () => {
    const scope = 'openid email orders:read'
    const { client, user, party, tokens } = await issueTokens(scope, { scope })
    const path = `/users/${user.id}`
    const email = `${user.username}@shop.example`
    await shop.admin.request('PATCH', path, { email })
    const userinfo = (token: string) => oidc.fetchUserInfo(party.config, token, String(user.id))
    assert.equal((await userinfo(tokens.access_token)).email, email)
    const next = { scope: 'openid orders:read' }
    await shop.admin.request('PATCH', `/oauth-clients/${client.id}`, next)
    assert.equal((await userinfo(tokens.access_token)).email, undefined)
    const renewed = await oidc.refreshTokenGrant(party.config, String(tokens.refresh_token))
    assert.equal(renewed.scope, 'openid orders:read')
    assert.equal(renewed.claims()?.['email'], undefined)
    await shop.admin.request('PATCH', `/oauth-clients/${client.id}`, { scope: 'openid' })
    const last = await oidc.refreshTokenGrant(party.config, String(renewed.refresh_token))
    assert.equal((await api('GET', '/orders', last.access_token)).json.error_code, '4033')
  })

  test('a consent form without `allow` denies access', async () => {
    const party = await createRelyingParty(shop.issuer, await shop.register())
    const { username } = await shop.signUp()
    const browser = new TestBrowser()
    const first = await browser.open(party.createAuthorizationRequest('openid').url)
    const fields = { act: 'sign-in', username, password: testPassword }
    const page = await browser.submit(first.url, await first.response.text(), fields)
    const { url } = await browser.submit(page.url, await page.response.text(), {})
    assert.equal(new URL(url).searchParams.get('error'), 'access_denied')
  })

  test('promoting a customer to administrator revokes the tokens from before', async () => {
    const { user, party, tokens } = await issueTokens('orders:read')
    const path = `/users/${user.id}`
    assert.equal((await shop.admin.request('PATCH', path, { role: 'admin' })).status, 200)
    const { status, json } = await api('GET', '/orders', tokens.access_token)
    assert.equal(`${status} ${json.error_code}`, '401 4012')
    const renewal = oidc.refreshTokenGrant(party.config, String(tokens.refresh_token))
    await assert.rejects(renewal, { error: 'invalid_grant' })
  })
})
