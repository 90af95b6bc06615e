import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { eachDatabase, testPassword } from '#test/support/app.ts'
import {
  type OauthShop,
  relyingParty,
  signInAndConsent,
  startOauthShop,
  Visitor,
} from '#test/support/callers/relying-party.ts'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  const api = (method: string, path: string, token: string) =>
    shop.request(method, path, undefined, { authorization: `Bearer ${token}` })

  /** Somebody new who has consented to a client. */
  const consented = async (scope: string, fields: object = {}) => {
    const client = await shop.register(fields)
    const user = await shop.signUp({ name: 'Ada Lovelace' })
    const party = await relyingParty(shop.issuer, client)
    const { url, checks } = party.ask(scope)
    const back = await signInAndConsent(new Visitor(), url, user.username)
    const tokens = await oidc.authorizationCodeGrant(party.config, new URL(back), checks)
    return { client, user, party, back, checks, tokens }
  }

  test('a user signs in, consents, and the client acts within what was consented to', async () => {
    const { user, client, tokens } = await consented('openid profile orders:read')
    assert.equal(tokens.claims()?.sub, String(user.id))
    assert.equal(tokens.scope, 'openid profile orders:read')
    const profile = await api('GET', '/profile', tokens.access_token)
    assert.equal(profile.status, 403, profile.text)
    const orders = await api('GET', '/orders', tokens.access_token)
    assert.equal(orders.status, 200, orders.text)
    const [head = '', body = ''] = tokens.access_token.split('.')
    const part = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
    assert.deepEqual([part(head).typ, part(head).alg], ['at+jwt', 'RS256'])
    const { jti, iat, exp, ...claims } = part(body)
    assert.equal(exp - iat, 900)
    assert.deepEqual(claims, {
      sub: String(user.id),
      scope: 'openid profile orders:read',
      client_id: client.client_id,
      iss: shop.issuer,
      aud: shop.issuer,
    })
  })

  test('whoever is asked to sign in again may do so as somebody else', async () => {
    const client = await shop.register()
    const party = await relyingParty(shop.issuer, client)
    const visitor = new Visitor()
    const subjects: unknown[] = []
    const users = [await shop.signUp(), await shop.signUp()]
    for (const { username } of users) {
      const { url, checks } = party.ask('openid', { prompt: 'login' })
      const back = new URL(await signInAndConsent(visitor, url, username))
      const tokens = await oidc.authorizationCodeGrant(party.config, back, checks)
      subjects.push(tokens.claims()?.sub)
    }
    assert.deepEqual(
      subjects,
      users.map(({ id }) => String(id)),
    )
    const { url, checks } = party.ask('openid', { prompt: 'none' })
    const silent = new URL((await visitor.open(url)).url)
    const tokens = await oidc.authorizationCodeGrant(party.config, silent, checks)
    assert.equal(tokens.claims()?.sub, subjects[1])
  })

  test('userinfo tells what was consented to, and no more', async () => {
    const { user, party, tokens } = await consented('openid profile')
    const told = await oidc.fetchUserInfo(party.config, tokens.access_token, String(user.id))
    const { updated_at, ...rest } = told
    assert.deepEqual(rest, {
      sub: String(user.id),
      name: 'Ada Lovelace',
      preferred_username: user.username,
    })
  })

  test('a refresh token is good for one new access token, and a second use ends them all', async () => {
    const { party, tokens } = await consented('orders:read')
    const first = String(tokens.refresh_token)
    const renewed = await oidc.refreshTokenGrant(party.config, first)
    assert.notEqual(renewed.refresh_token, first)
    assert.equal((await api('GET', '/orders', renewed.access_token)).status, 200)
    await assert.rejects(oidc.refreshTokenGrant(party.config, first), { error: 'invalid_grant' })
    const second = String(renewed.refresh_token)
    await assert.rejects(oidc.refreshTokenGrant(party.config, second), { error: 'invalid_grant' })
    const { status, json } = await api('GET', '/orders', renewed.access_token)
    assert.equal(`${status} ${json.error_code}`, '401 4012')
  })

  test('a code is redeemed once, and a second try withdraws what the first was given', async () => {
    const { party, back, checks, tokens } = await consented('orders:read')
    const again = () => oidc.authorizationCodeGrant(party.config, new URL(back), checks)
    await assert.rejects(again(), { error: 'invalid_grant' })
    assert.equal((await api('GET', '/orders', tokens.access_token)).status, 401)
    const refresh = String(tokens.refresh_token)
    await assert.rejects(oidc.refreshTokenGrant(party.config, refresh), { error: 'invalid_grant' })
  })

  test('of many that redeem a code at once, none keeps more than one answer', async () => {
    const client = await shop.register()
    const { username } = await shop.signUp()
    const party = await relyingParty(shop.issuer, client)
    const { url, checks } = party.ask('orders:read')
    const back = new URL(await signInAndConsent(new Visitor(), url, username))
    const redeem = () => oidc.authorizationCodeGrant(party.config, back, checks)
    const answers = await Promise.allSettled(Array.from({ length: 5 }, redeem))
    const given = answers.filter((answer) => answer.status === 'fulfilled')
    assert.ok(given.length <= 1, `${given.length} were answered`)
    for (const { value } of given) {
      assert.equal((await api('GET', '/orders', value.access_token)).status, 401)
    }
  })

  test('an application by itself acts as whom it is registered for, within its scopes', async () => {
    const { id } = await shop.signUp()
    const fields = { grant_types: ['client_credentials'], scope: 'orders:read users:read' }
    const client = await shop.register({ ...fields, user_id: null })
    const acting = shop.db.updateTable('oauth_clients').set({ user_id: id })
    await acting.where('client_id', '=', client.client_id).execute()
    const { config } = await relyingParty(shop.issuer, client)
    const { access_token } = await oidc.clientCredentialsGrant(config, { scope: 'users:read' })
    assert.equal((await api('GET', `/users/${id}`, access_token)).json.id, id)
    assert.equal((await api('GET', '/orders', access_token)).json.error_code, '4033')
    assert.equal((await api('GET', '/users', access_token)).json.error_code, '4031')
    const nobody = await shop.register({ ...fields, user_id: null })
    const own = await relyingParty(shop.issuer, nobody)
    const { access_token: token } = await oidc.clientCredentialsGrant(own.config)
    assert.equal((await api('GET', '/products', token)).status, 200)
    assert.equal((await api('GET', '/orders', token)).json.error_code, '4031')
  })

  test('signing in and consenting are written down, and so is what becomes of a client', async () => {
    const { user, client } = await consented('orders:read')
    const place = `/oauth-clients/${client.id}`
    await shop.admin.request('PATCH', place, { client_name: 'Other' })
    await shop.admin.request('DELETE', place)
    const events = shop.db.selectFrom('audit_events').select(['action', 'actor_id', 'credential'])
    const own = await events.where('subject_id', '=', user.id).orderBy('id').execute()
    assert.deepEqual(
      own.map(({ action, actor_id, credential }) => [action, actor_id, credential]),
      [
        ['signed_in', user.id, 'password'],
        ['oauth_consent_given', user.id, 'password'],
      ],
    )
    const of = events.where('subject_id', '=', shop.admin.id)
    const last = await of.orderBy('id', 'desc').limit(3).execute()
    assert.deepEqual(
      last.map(({ action }) => action),
      ['oauth_client_removed', 'oauth_client_changed', 'oauth_client_created'],
    )
  })

  test('whoever is suspended or gone, and a client that is removed, is refused at once', async () => {
    const { user, client, party, tokens } = await consented('openid orders:read')
    const { access_token, refresh_token = '' } = tokens
    const place = `/users/${user.id}`
    await shop.admin.request('PATCH', place, { status: 'suspended' })
    assert.equal((await api('GET', '/orders', access_token)).json.error_code, '4032')
    const renewal = () => oidc.refreshTokenGrant(party.config, refresh_token)
    await assert.rejects(renewal(), { error: 'invalid_grant' })
    await shop.admin.request('PATCH', place, { status: 'active' })
    assert.equal((await api('GET', '/orders', access_token)).status, 200)
    await shop.admin.request('PATCH', `/oauth-clients/${client.id}`, { scope: 'openid' })
    assert.equal((await api('GET', '/orders', access_token)).json.error_code, '4033')
    await shop.admin.request('DELETE', `/oauth-clients/${client.id}`)
    assert.equal((await api('GET', '/orders', access_token)).json.error_code, '4012')
    await assert.rejects(renewal(), { status: 401 })
  })

  test('what a client is registered for no more leaves what it was granted, at once', async () => {
    const scope = 'openid email orders:read'
    const { client, user, party, tokens } = await consented(scope, { scope })
    const place = `/users/${user.id}`
    const email = `${user.username}@shop.example`
    await shop.admin.request('PATCH', place, { email })
    const told = (token: string) => oidc.fetchUserInfo(party.config, token, String(user.id))
    assert.equal((await told(tokens.access_token)).email, email)
    const next = { scope: 'openid orders:read' }
    await shop.admin.request('PATCH', `/oauth-clients/${client.id}`, next)
    assert.equal((await told(tokens.access_token)).email, undefined)
    const renewed = await oidc.refreshTokenGrant(party.config, String(tokens.refresh_token))
    assert.equal(renewed.scope, 'openid orders:read')
    assert.equal(renewed.claims()?.['email'], undefined)
    await shop.admin.request('PATCH', `/oauth-clients/${client.id}`, { scope: 'openid' })
    const last = await oidc.refreshTokenGrant(party.config, String(renewed.refresh_token))
    assert.equal((await api('GET', '/orders', last.access_token)).json.error_code, '4033')
  })

  test('a form of consent that does not say allow allows nothing', async () => {
    const party = await relyingParty(shop.issuer, await shop.register())
    const { username } = await shop.signUp()
    const visitor = new Visitor()
    const first = await visitor.open(party.ask('openid').url)
    const fields = { act: 'sign-in', username, password: testPassword }
    const page = await visitor.submit(first.url, await first.answer.text(), fields)
    const { url } = await visitor.submit(page.url, await page.answer.text(), {})
    assert.equal(new URL(url).searchParams.get('error'), 'access_denied')
  })

  test('what a customer has consented to reaches nobody else’s data once they are an administrator', async () => {
    const { user, party, tokens } = await consented('orders:read')
    const place = `/users/${user.id}`
    assert.equal((await shop.admin.request('PATCH', place, { role: 'admin' })).status, 200)
    const { status, json } = await api('GET', '/orders', tokens.access_token)
    assert.equal(`${status} ${json.error_code}`, '401 4012')
    const renewal = oidc.refreshTokenGrant(party.config, String(tokens.refresh_token))
    await assert.rejects(renewal, { error: 'invalid_grant' })
  })
})
