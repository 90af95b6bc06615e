import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, testPassword } from '#test/support/app.ts'
import {
  type OauthShop,
  signInAndConsent,
  startOauthShop,
  Visitor,
} from '#test/support/callers/relying-party.ts'
import { dayMs, hourMs, minuteMs } from '#values/instant.ts'

const callback = 'http://127.0.0.1:9/callback'
const every = ['authorization_code', 'implicit', 'password', 'client_credentials', 'refresh_token']

interface Client {
  readonly client_id: string
  readonly client_secret: string
}

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind, { origins: ['https://app.example'] })
  })
  after(() => shop.dispose())

  const send = async (path: string, form: Readonly<Record<string, string>>, client?: Client) => {
    const pair = client && Buffer.from(`${client.client_id}:${client.client_secret}`)
    const headers = pair ? { authorization: `Basic ${pair.toString('base64')}` } : {}
    const body = new URLSearchParams(form)
    const answer = await fetch(shop.issuer + path, { method: 'POST', headers, body })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, json: text && JSON.parse(text) }
  }
  const token = (client: Client, form: Readonly<Record<string, string>>) =>
    send('/oauth/token', form, client)
  const byPassword = (client: Client, username: string, more: object = {}) =>
    token(client, { grant_type: 'password', username, password: testPassword, ...more })
  const orders = (access: string) =>
    shop.request('GET', '/orders', undefined, { authorization: `Bearer ${access}` })
  const authorize = (client: Client, more: Readonly<Record<string, string>>) =>
    `${shop.issuer}/oauth/authorize?${new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: callback,
      state: 'state of the client',
      ...more,
    })}`

  describe('the implicit grant', () => {
    test('gives a token in the fragment to a client that is registered for it', async () => {
      const client = await shop.register({ grant_types: ['implicit'] })
      const { username } = await shop.signUp()
      const visitor = new Visitor()
      for (const response_type of ['token', 'id_token token']) {
        const scope = 'openid orders:read'
        const asked = authorize(client, { response_type, scope, nonce: 'n' })
        const back = new URL(await signInAndConsent(visitor, asked, username))
        const told = new URLSearchParams(back.hash.slice(1))
        assert.equal(told.get('state'), 'state of the client')
        assert.equal(told.has('id_token'), response_type !== 'token')
        assert.equal(back.search, '')
        assert.equal((await orders(told.get('access_token') ?? '')).status, 200)
      }
    })

    test('gives a token alone to a client that is registered for nothing else', async () => {
      const grants = { grant_types: ['implicit'], response_types: ['token'] }
      const client = await shop.register(grants)
      const { username } = await shop.signUp()
      const asked = authorize(client, { response_type: 'token', scope: 'orders:read' })
      const back = new URL(await signInAndConsent(new Visitor(), asked, username))
      const told = Object.fromEntries(new URLSearchParams(back.hash.slice(1)))
      const { access_token = '', ...rest } = told
      assert.deepEqual(rest, {
        expires_in: '900',
        token_type: 'Bearer',
        scope: 'orders:read',
        state: 'state of the client',
        iss: shop.issuer,
      })
      assert.equal((await orders(access_token)).status, 200)
    })

    test('gives nothing to a client that is not', async () => {
      const client = await shop.register()
      const asked = authorize(client, { response_type: 'token', scope: 'orders:read' })
      const { url } = await new Visitor().open(asked)
      const told = new URLSearchParams(new URL(url).hash.slice(1))
      assert.equal(told.get('error'), 'invalid_request')
    })

    test('sends a token by a form if asked to, and by no query', async () => {
      const client = await shop.register({ grant_types: ['implicit'] })
      const { username } = await shop.signUp()
      const visitor = new Visitor()
      const request = { response_type: 'token', scope: 'orders:read' }
      await signInAndConsent(visitor, authorize(client, request), username)
      const byForm = await visitor.open(
        authorize(client, { ...request, response_mode: 'form_post' }),
      )
      assert.match(await byForm.answer.text(), /name="access_token" value="[^"]+"/)
      const byQuery = await visitor.open(authorize(client, { ...request, response_mode: 'query' }))
      const { searchParams, hash } = new URL(byQuery.url)
      assert.equal(searchParams.get('error'), 'invalid_request')
      assert.equal(hash, '')
    })

    test('the response type none is refused, and not told of', async () => {
      const client = await shop.register({ grant_types: ['implicit'] })
      for (const response_type of ['none', 'none none', 'none token']) {
        const asked = authorize(client, { response_type, scope: 'orders:read' })
        const { url } = await new Visitor().open(asked)
        const { searchParams, hash } = new URL(url)
        const error = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
        assert.equal(error, 'unsupported_response_type', response_type)
      }
      const { json } = await shop.request('GET', '/.well-known/openid-configuration')
      const types = ['code', 'id_token', 'id_token token', 'token']
      assert.deepEqual(json.response_types_supported, types)
    })
  })

  describe('the password grant', () => {
    test('gives tokens to a client that is registered for it', async () => {
      const client = await shop.register({ grant_types: ['password', 'refresh_token'] })
      const { id, username } = await shop.signUp()
      const scope = 'openid orders:read products:write'
      assert.equal((await byPassword(client, username, { scope })).json.error, 'invalid_scope')
      const { status, json, headers } = await byPassword(client, username, {
        scope: 'openid orders:read',
      })
      assert.equal(status, 200, JSON.stringify(json))
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(json.token_type, 'Bearer')
      assert.equal(json.expires_in, 900)
      const [, claims = ''] = json.id_token.split('.')
      assert.equal(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub, String(id))
      assert.equal((await orders(json.access_token)).status, 200)
      const { refresh_token } = json
      const renewed = await token(client, { grant_type: 'refresh_token', refresh_token })
      assert.equal((await orders(renewed.json.access_token)).status, 200)
    })

    test('gives nothing for a wrong password, nor to a client that is not registered for it', async () => {
      const client = await shop.register({ grant_types: ['password'] })
      const { username } = await shop.signUp()
      const wrong = await byPassword(client, username, { password: 'wrong' })
      assert.equal(`${wrong.status} ${wrong.json.error}`, '400 invalid_grant')
      const nobody = await byPassword(client, 'nobody of this name')
      assert.deepEqual(nobody.json, wrong.json)
      const other = await byPassword(await shop.register(), username)
      assert.equal(`${other.status} ${other.json.error}`, '400 unauthorized_client')
    })

    test('scopes that the role may not hold are left out', async () => {
      const scope = 'orders:read products:write'
      const client = await shop.register({ grant_types: ['password'], scope })
      const { username } = await shop.signUp()
      assert.equal((await byPassword(client, username)).json.scope, 'orders:read')
    })
  })

  describe('tokens that are asked about and withdrawn', () => {
    const issued = async () => {
      const client = await shop.register({ grant_types: ['password', 'refresh_token'] })
      const { username, id } = await shop.signUp()
      const { json } = await byPassword(client, username, { scope: 'orders:read' })
      return { client, id, ...json }
    }

    test('introspection tells what a token is good for, and of any other that it is not', async () => {
      const { client, id, access_token, refresh_token } = await issued()
      const { json } = await send('/oauth/introspect', { token: access_token }, client)
      const { exp, iat, ...told } = json
      assert.equal(exp - iat, 900)
      assert.deepEqual(told, {
        active: true,
        client_id: client.client_id,
        scope: 'orders:read',
        sub: String(id),
        iss: shop.issuer,
        aud: shop.issuer,
        token_type: 'Bearer',
      })
      const refresh = await send('/oauth/introspect', { token: refresh_token }, client)
      assert.equal(refresh.json.active, true)
      const login = (await shop.signInAs('customer')).token
      for (const unknown of ['x', 'a.b.c', `${access_token}x`, login]) {
        const answer = await send('/oauth/introspect', { token: unknown }, client)
        assert.deepEqual(answer.json, { active: false })
      }
      await shop.admin.request('PATCH', `/users/${id}`, { status: 'suspended' })
      const suspended = await send('/oauth/introspect', { token: access_token }, client)
      assert.deepEqual(suspended.json, { active: false })
      assert.equal((await send('/oauth/introspect', { token: access_token })).status, 400)
    })

    test('a withdrawn token is refused at once; a refresh token takes all with it', async () => {
      const one = await issued()
      const gone = await send('/oauth/revoke', { token: one.access_token }, one.client)
      assert.equal(gone.status, 200)
      assert.equal((await orders(one.access_token)).json.error_code, '4012')
      const other = await issued()
      await send('/oauth/revoke', { token: other.refresh_token }, other.client)
      assert.equal((await orders(other.access_token)).status, 401)
      const stranger = await issued()
      await send('/oauth/revoke', { token: stranger.access_token }, one.client)
      assert.equal((await orders(stranger.access_token)).status, 200)
    })

    test('a new password and leaving withdraw every token', async () => {
      const { id, access_token } = await issued()
      await shop.admin.request('PATCH', `/users/${id}`, { password: 'another password' })
      assert.equal((await orders(access_token)).status, 401)
      const { id: dataSubject, access_token: last } = await issued()
      await shop.admin.request('DELETE', `/users/${dataSubject}`)
      assert.equal((await orders(last)).status, 401)
      const left = shop.db.selectFrom('oauth_artefacts').where('user_id', 'in', [id, dataSubject])
      assert.deepEqual(await left.select('kind').execute(), [])
    })

    test('a token is refused with 4013 once it has expired, and forgotten by the jobs', async (t) => {
      const began = shop.now
      t.after(() => {
        shop.now = began
      })
      const { access_token } = await issued()
      shop.now = began + hourMs
      assert.equal((await orders(access_token)).json.error_code, '4013')
      await runJobs(shop.paymentDependencies, shop.db)
      const kept = shop.db.selectFrom('oauth_artefacts').where('kind', '=', 'AccessToken')
      assert.deepEqual(await kept.select('kind').execute(), [])
    })
  })

  test('nothing that could be used is readable in the database', async () => {
    const client = await shop.register({ grant_types: ['password', 'refresh_token'] })
    const { username } = await shop.signUp()
    const { json } = await byPassword(client, username)
    const rows = [
      ...(await shop.db.selectFrom('oauth_artefacts').selectAll().execute()),
      ...(await shop.db.selectFrom('oauth_keys').selectAll().execute()),
      ...(await shop.db.selectFrom('oauth_clients').selectAll().execute()),
    ]
    const text = JSON.stringify(rows)
    for (const secret of [json.refresh_token, json.access_token, client.client_secret, '"d":']) {
      assert.ok(!text.includes(secret))
    }
  })

  test('keys turn over: a new one is told of before it signs, an old one until all has expired', async (t) => {
    const began = shop.now
    t.after(() => {
      shop.now = began
    })
    const client = await shop.register({ grant_types: ['password'] })
    const { username } = await shop.signUp()
    const signed = async () => {
      const { json } = await byPassword(client, username)
      const [head = ''] = json.access_token.split('.')
      return { access: json.access_token, kid: JSON.parse(atob(head)).kid as string }
    }
    const kids = async (): Promise<readonly string[]> => {
      const answer = await fetch(`${shop.issuer}/oauth/jwks`)
      const { keys } = (await answer.json()) as { keys: readonly Record<string, string>[] }
      for (const key of keys)
        assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
      return keys.map(({ kid = '' }) => kid)
    }
    const first = await signed()
    assert.equal(await shop.oauth.rotateKeys(), false)
    assert.equal(await shop.oauth.rotateKeys(true), true)
    assert.equal((await kids()).length, 2)
    assert.equal((await signed()).kid, first.kid)
    // Past the notice of a new key, and before a token of now expires by the clock of the library.
    shop.now = began + 11 * minuteMs
    const second = await signed()
    assert.notEqual(second.kid, first.kid)
    assert.equal((await orders(second.access)).status, 200)
    shop.now = began
    assert.equal((await orders(first.access)).status, 200)
    shop.now = began + 2 * dayMs
    await shop.oauth.rotateKeys()
    shop.now += hourMs
    assert.deepEqual(await kids(), [second.kid])
    shop.now = began + 91 * dayMs
    await runJobs(shop.paymentDependencies, shop.db, { rotateKeys: shop.oauth.rotateKeys })
    assert.equal((await kids()).length, 2)
  })

  describe('what is refused', () => {
    test('is told in the words of OAuth, and kept by nobody', async () => {
      const client = await shop.register({ grant_types: every, scope: 'orders:read openid' })
      const cases = [
        [{ grant_type: 'nothing' }, 400, 'unsupported_grant_type'],
        [{}, 400, 'invalid_request'],
        [
          { grant_type: 'authorization_code', code: 'x', redirect_uri: callback },
          400,
          'invalid_grant',
        ],
        [{ grant_type: 'refresh_token', refresh_token: 'x' }, 400, 'invalid_grant'],
        [{ grant_type: 'client_credentials', scope: 'users:read' }, 400, 'invalid_scope'],
        [
          { grant_type: 'client_credentials', resource: 'https://x.example' },
          400,
          'invalid_target',
        ],
      ] as const
      for (const [form, status, error] of cases) {
        const answer = await token(client, form)
        assert.equal(`${answer.status} ${answer.json.error}`, `${status} ${error}`)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
      }
      const wrong = { ...client, client_secret: 'wrong' }
      const answer = await token(wrong, { grant_type: 'client_credentials' })
      assert.equal(`${answer.status} ${answer.json.error}`, '401 invalid_client')
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic /)
    })

    test('is never sent to an address that is not registered', async () => {
      const client = await shop.register()
      const code = { response_type: 'code', scope: 'openid' }
      for (const redirect_uri of [`${callback}/more`, 'https://evil.example/', `${callback}?x`]) {
        const { url, answer } = await new Visitor().open(
          authorize(client, { ...code, redirect_uri }),
        )
        assert.ok(url.startsWith(shop.issuer))
        assert.equal(answer.status, 400)
        assert.match(await answer.text(), /<html lang="en">[\s\S]*invalid_redirect_uri/)
        assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      }
    })

    test('a code is not given without PKCE, nor redeemed without its verifier', async () => {
      const client = await shop.register()
      const bare = authorize(client, { response_type: 'code', scope: 'openid' })
      const { url } = await new Visitor().open(bare)
      assert.equal(new URL(url).searchParams.get('error'), 'invalid_request')
      const plain = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }
      const refused = await new Visitor().open(`${bare}&${new URLSearchParams(plain)}`)
      assert.equal(new URL(refused.url).searchParams.get('error'), 'invalid_request')
      const { username } = await shop.signUp()
      const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
      const asked = `${bare}&${new URLSearchParams(challenge)}`
      const back = new URL(await signInAndConsent(new Visitor(), asked, username))
      const code = back.searchParams.get('code') ?? ''
      for (const more of [{}, { code_verifier: 'y'.repeat(43) }]) {
        const form = { grant_type: 'authorization_code', code, redirect_uri: callback, ...more }
        assert.equal((await token(client, form)).json.error, 'invalid_grant')
      }
    })
  })

  test('pages of the origins that are allowed may read, and no others', async () => {
    for (const path of ['/oauth/jwks', '/.well-known/openid-configuration']) {
      for (const [origin, allowed] of [
        ['https://app.example', 'https://app.example'],
        ['https://evil.example', null],
      ] as const) {
        const answer = await fetch(shop.issuer + path, { headers: { origin } })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('access-control-allow-origin'), allowed)
      }
    }
  })

  test('a form that was not made for who sends it changes nothing', async () => {
    const client = await shop.register()
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    const asked = authorize(client, { response_type: 'code', scope: 'openid', ...challenge })
    const visitor = new Visitor()
    const { url } = await visitor.open(asked)
    const { username } = await shop.signUp()
    const fields = { act: 'sign-in', username, password: testPassword }
    for (const csrf of ['', 'x', 'x'.repeat(43)]) {
      const answer = await visitor.post(url, { ...fields, csrf })
      assert.equal(answer.status, 400)
    }
    // Somebody else's browser has no part in it.
    const page = await (await visitor.get(url)).text()
    const stranger = await new Visitor().submit(url, page, fields)
    assert.equal(stranger.answer.status, 400)
  })
})
