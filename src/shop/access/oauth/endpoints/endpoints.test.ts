import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, testPassword } from '#test/support/app.ts'
import {
  callback,
  type OauthShop,
  postForm,
  signInAndConsent,
  startOauthShop,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'
import { dayMs, hourMs, minuteMs } from '#values/instant.ts'

const everyGrantType = [
  'authorization_code',
  'implicit',
  'password',
  'client_credentials',
  'refresh_token',
]

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

  const send = (path: string, form: Readonly<Record<string, string>>, client?: Client) =>
    postForm(shop.issuer + path, form, client)
  const requestToken = (client: Client, form: Readonly<Record<string, string>>) =>
    send('/oauth/token', form, client)
  const passwordGrant = (client: Client, username: string, more: object = {}) =>
    requestToken(client, { grant_type: 'password', username, password: testPassword, ...more })
  const listOrders = (token: string) =>
    shop.request('GET', '/orders', undefined, { authorization: `Bearer ${token}` })
  const authorizationUrl = (client: Client, more: Readonly<Record<string, string>>) =>
    `${shop.issuer}/oauth/authorize?${new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: callback,
      state: 'state of the client',
      ...more,
    })}`

  const code_verifier = 'v'.repeat(43)
  /** Returns what a new user's code is redeemed with, after an authorization request with these parameters. */
  const authorize = async (client: Client, more: Readonly<Record<string, string>>) => {
    const { username } = await shop.signUp()
    const query = new URLSearchParams({
      ...{ client_id: client.client_id, response_type: 'code', scope: 'orders:read' },
      ...{ code_challenge_method: 'S256' },
      code_challenge: hash('sha256', code_verifier, 'base64url'),
      ...more,
    })
    const url = `${shop.issuer}/oauth/authorize?${query}`
    const back = new URL(await signInAndConsent(new TestBrowser(), url, username))
    assert.equal(back.origin + back.pathname, callback)
    const code = back.searchParams.get('code') ?? ''
    return { grant_type: 'authorization_code', code, code_verifier }
  }

  test('a code is not taken without the redirect_uri of its authorization request', async () => {
    const client = await shop.register()
    const form = await authorize(client, { redirect_uri: callback, omitted_redirect_uri: 'true' })
    for (const redirect_uri of [undefined, '']) {
      const fields = redirect_uri === undefined ? form : { ...form, redirect_uri }
      const without = await requestToken(client, fields)
      assert.deepEqual([without.status, without.json.error], [400, 'invalid_request'])
    }
    const other = await requestToken(client, { ...form, redirect_uri: `${callback}/other` })
    assert.deepEqual([other.status, other.json.error], [400, 'invalid_grant'])
    assert.equal((await requestToken(client, { ...form, redirect_uri: callback })).status, 200)
  })

  test('a client with one registered address may leave out redirect_uri', async () => {
    const client = await shop.register()
    const again = [{}, { redirect_uri: callback }]
    for (const more of again) {
      const form = await authorize(client, {})
      assert.equal((await requestToken(client, { ...form, ...more })).status, 200)
    }
    const form = await authorize(client, {})
    const other = await requestToken(client, { ...form, redirect_uri: `${callback}/other` })
    assert.deepEqual([other.status, other.json.error], [400, 'invalid_grant'])
    const several = await shop.register({ redirect_uris: [callback, `${callback}/other`] })
    const url = `${shop.issuer}/oauth/authorize?response_type=code&client_id=${several.client_id}`
    const { response } = await new TestBrowser().open(url)
    assert.equal(response.status, 400)
    assert.match(await response.text(), /redirect_uri/)
  })

  describe('the implicit grant', () => {
    test('returns a token in the fragment to a client that is registered for it', async () => {
      const client = await shop.register({ grant_types: ['implicit'] })
      const { username } = await shop.signUp()
      const browser = new TestBrowser()
      for (const response_type of ['token', 'id_token token']) {
        const scope = 'openid orders:read'
        const url = authorizationUrl(client, { response_type, scope, nonce: 'n' })
        const back = new URL(await signInAndConsent(browser, url, username))
        const params = new URLSearchParams(back.hash.slice(1))
        assert.equal(params.get('state'), 'state of the client')
        assert.equal(params.has('id_token'), response_type !== 'token')
        assert.equal(back.search, '')
        assert.equal((await listOrders(params.get('access_token') ?? '')).status, 200)
      }
    })

    test('issues a token to a client that is registered for nothing else', async () => {
      const grants = { grant_types: ['implicit'], response_types: ['token'] }
      const client = await shop.register(grants)
      const { username } = await shop.signUp()
      const requested = authorizationUrl(client, { response_type: 'token', scope: 'orders:read' })
      const back = new URL(await signInAndConsent(new TestBrowser(), requested, username))
      const { access_token = '', ...rest } = Object.fromEntries(
        new URLSearchParams(back.hash.slice(1)),
      )
      assert.deepEqual(rest, {
        expires_in: '900',
        token_type: 'Bearer',
        scope: 'orders:read',
        state: 'state of the client',
        iss: shop.issuer,
      })
      assert.equal((await listOrders(access_token)).status, 200)
    })

    test('rejects a client that is not registered for it', async () => {
      const client = await shop.register()
      const url = authorizationUrl(client, { response_type: 'token', scope: 'orders:read' })
      const back = new URL((await new TestBrowser().open(url)).url)
      const params = new URLSearchParams(back.hash.slice(1))
      assert.equal(params.get('error'), 'invalid_request')
    })

    test('sends a token by form_post, never in the query', async () => {
      const client = await shop.register({ grant_types: ['implicit'] })
      const { username } = await shop.signUp()
      const browser = new TestBrowser()
      const request = { response_type: 'token', scope: 'orders:read' }
      await signInAndConsent(browser, authorizationUrl(client, request), username)
      const byForm = await browser.open(
        authorizationUrl(client, { ...request, response_mode: 'form_post' }),
      )
      assert.match(await byForm.response.text(), /name="access_token" value="[^"]+"/)
      const byQuery = await browser.open(
        authorizationUrl(client, { ...request, response_mode: 'query' }),
      )
      const { searchParams, hash } = new URL(byQuery.url)
      assert.equal(searchParams.get('error'), 'invalid_request')
      assert.equal(hash, '')
    })

    test('rejects the response type none and does not advertise it', async () => {
      const client = await shop.register({ grant_types: ['implicit'] })
      for (const response_type of ['none', 'none none', 'none token']) {
        const asked = authorizationUrl(client, { response_type, scope: 'orders:read' })
        const { url } = await new TestBrowser().open(asked)
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
    test('returns tokens to a client that is registered for it', async () => {
      const client = await shop.register({ grant_types: ['password', 'refresh_token'] })
      const { id, username } = await shop.signUp()
      const scope = 'openid orders:read products:write'
      assert.equal((await passwordGrant(client, username, { scope })).json.error, 'invalid_scope')
      const { status, json, headers } = await passwordGrant(client, username, {
        scope: 'openid orders:read',
      })
      assert.equal(status, 200, JSON.stringify(json))
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(json.token_type, 'Bearer')
      assert.equal(json.expires_in, 900)
      const [, claims = ''] = json.id_token.split('.')
      assert.equal(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub, String(id))
      assert.equal((await listOrders(json.access_token)).status, 200)
      const { refresh_token } = json
      const renewed = await requestToken(client, { grant_type: 'refresh_token', refresh_token })
      assert.equal((await listOrders(renewed.json.access_token)).status, 200)
    })

    test('rejects a wrong password, and a client that is not registered for it', async () => {
      const client = await shop.register({ grant_types: ['password'] })
      const { username } = await shop.signUp()
      const wrong = await passwordGrant(client, username, { password: 'wrong' })
      assert.equal(`${wrong.status} ${wrong.json.error}`, '400 invalid_grant')
      const unknown = await passwordGrant(client, 'unknown user')
      assert.deepEqual(unknown.json, wrong.json)
      const other = await passwordGrant(await shop.register(), username)
      assert.equal(`${other.status} ${other.json.error}`, '400 unauthorized_client')
    })

    test('omits scopes that the role of the user does not have', async () => {
      const scope = 'orders:read products:write'
      const client = await shop.register({ grant_types: ['password'], scope })
      const { username } = await shop.signUp()
      assert.equal((await passwordGrant(client, username)).json.scope, 'orders:read')
    })
  })

  describe('introspection and revocation', () => {
    const issueTokens = async () => {
      const client = await shop.register({ grant_types: ['password', 'refresh_token'] })
      const { username, id } = await shop.signUp()
      const { json } = await passwordGrant(client, username, { scope: 'orders:read' })
      return { client, id, ...json }
    }

    test('introspection describes a valid token, and returns inactive for any other', async () => {
      const { client, id, access_token, refresh_token } = await issueTokens()
      const { json } = await send('/oauth/introspect', { token: access_token }, client)
      const { exp, iat, ...rest } = json
      assert.equal(exp - iat, 900)
      assert.deepEqual(rest, {
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
        const response = await send('/oauth/introspect', { token: unknown }, client)
        assert.deepEqual(response.json, { active: false })
      }
      await shop.admin.request('PATCH', `/users/${id}`, { status: 'suspended' })
      const suspended = await send('/oauth/introspect', { token: access_token }, client)
      assert.deepEqual(suspended.json, { active: false })
      assert.equal((await send('/oauth/introspect', { token: access_token })).status, 400)
    })

    test('a revoked token is rejected at once; revoking a refresh token revokes the grant', async () => {
      const one = await issueTokens()
      const revoked = await send('/oauth/revoke', { token: one.access_token }, one.client)
      assert.equal(revoked.status, 200)
      assert.equal((await listOrders(one.access_token)).json.error_code, '4012')
      const other = await issueTokens()
      await send('/oauth/revoke', { token: other.refresh_token }, other.client)
      assert.equal((await listOrders(other.access_token)).status, 401)
      const stranger = await issueTokens()
      await send('/oauth/revoke', { token: stranger.access_token }, one.client)
      assert.equal((await listOrders(stranger.access_token)).status, 200)
    })

    test('a password change and the erasure of the user revoke every token', async () => {
      const { id, access_token } = await issueTokens()
      await shop.admin.request('PATCH', `/users/${id}`, { password: 'another password' })
      assert.equal((await listOrders(access_token)).status, 401)
      const { id: erasedId, access_token: last } = await issueTokens()
      await shop.admin.request('DELETE', `/users/${erasedId}`)
      assert.equal((await listOrders(last)).status, 401)
      const remaining = shop.db.selectFrom('oauth_artefacts').where('user_id', 'in', [id, erasedId])
      assert.deepEqual(await remaining.select('kind').execute(), [])
    })

    test('an expired token is rejected with 4013, and deleted by the jobs', async (t) => {
      const start = shop.now
      t.after(() => {
        shop.now = start
      })
      const { access_token } = await issueTokens()
      shop.now = start + hourMs
      assert.equal((await listOrders(access_token)).json.error_code, '4013')
      await runJobs(shop.parts, shop.db)
      const stored = shop.db.selectFrom('oauth_artefacts').where('kind', '=', 'AccessToken')
      assert.deepEqual(await stored.select('kind').execute(), [])
    })
  })

  test('the database contains no token, secret or private key in clear text', async () => {
    const client = await shop.register({ grant_types: ['password', 'refresh_token'] })
    const { username } = await shop.signUp()
    const { json } = await passwordGrant(client, username)
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

  test('key rotation publishes a new key before it signs, and an old one until its tokens expired', async (t) => {
    const start = shop.now
    t.after(() => {
      shop.now = start
    })
    const client = await shop.register({ grant_types: ['password'] })
    const { username } = await shop.signUp()
    const issueToken = async () => {
      const { json } = await passwordGrant(client, username)
      const [header = ''] = json.access_token.split('.')
      return { token: json.access_token, kid: JSON.parse(atob(header)).kid as string }
    }
    const publishedKids = async (): Promise<readonly string[]> => {
      const response = await fetch(`${shop.issuer}/oauth/jwks`)
      const { keys } = (await response.json()) as { keys: readonly Record<string, string>[] }
      for (const key of keys)
        assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
      return keys.map(({ kid = '' }) => kid)
    }
    const first = await issueToken()
    assert.equal(await shop.oauth.rotateKeys(), false)
    assert.equal(await shop.oauth.rotateKeys(true), true)
    assert.equal((await publishedKids()).length, 2)
    assert.equal((await issueToken()).kid, first.kid)
    // The new key signs by now; the first token has not expired by the real clock of oidc-provider.
    shop.now = start + 11 * minuteMs
    const second = await issueToken()
    assert.notEqual(second.kid, first.kid)
    assert.equal((await listOrders(second.token)).status, 200)
    shop.now = start
    assert.equal((await listOrders(first.token)).status, 200)
    shop.now = start + 2 * dayMs
    await shop.oauth.rotateKeys()
    shop.now += hourMs
    assert.deepEqual(await publishedKids(), [second.kid])
    shop.now = start + 91 * dayMs
    await runJobs(shop.parts, shop.db, { rotateKeys: shop.oauth.rotateKeys })
    assert.equal((await publishedKids()).length, 2)
  })

  describe('errors', () => {
    test('of the token endpoint are those of RFC 6749 and not cached', async () => {
      const client = await shop.register({
        grant_types: everyGrantType,
        scope: 'orders:read openid',
      })
      const cases = [
        [{ grant_type: 'unknown' }, 400, 'unsupported_grant_type'],
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
        const response = await requestToken(client, form)
        assert.equal(`${response.status} ${response.json.error}`, `${status} ${error}`)
        assert.equal(response.headers.get('cache-control'), 'no-store')
      }
      const wrong = { ...client, client_secret: 'wrong' }
      const response = await requestToken(wrong, { grant_type: 'client_credentials' })
      assert.equal(`${response.status} ${response.json.error}`, '401 invalid_client')
      assert.match(response.headers.get('www-authenticate') ?? '', /^Basic /)
    })

    test('never redirect to an unregistered URI', async () => {
      const client = await shop.register()
      const code = { response_type: 'code', scope: 'openid' }
      for (const redirect_uri of [`${callback}/more`, 'https://evil.example/', `${callback}?x`]) {
        const { url, response } = await new TestBrowser().open(
          authorizationUrl(client, { ...code, redirect_uri }),
        )
        assert.ok(url.startsWith(shop.issuer))
        assert.equal(response.status, 400)
        assert.match(await response.text(), /<html lang="en">[\s\S]*invalid_redirect_uri/)
        assert.match(
          response.headers.get('content-security-policy') ?? '',
          /frame-ancestors 'none'/,
        )
      }
    })

    test('a code needs PKCE, and its verifier to be redeemed', async () => {
      const client = await shop.register()
      const withoutPkce = authorizationUrl(client, { response_type: 'code', scope: 'openid' })
      const { url } = await new TestBrowser().open(withoutPkce)
      assert.equal(new URL(url).searchParams.get('error'), 'invalid_request')
      const plain = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }
      const rejected = await new TestBrowser().open(`${withoutPkce}&${new URLSearchParams(plain)}`)
      assert.equal(new URL(rejected.url).searchParams.get('error'), 'invalid_request')
      const { username } = await shop.signUp()
      const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
      const withPkce = `${withoutPkce}&${new URLSearchParams(challenge)}`
      const back = new URL(await signInAndConsent(new TestBrowser(), withPkce, username))
      const code = back.searchParams.get('code') ?? ''
      for (const more of [{}, { code_verifier: 'y'.repeat(43) }]) {
        const form = { grant_type: 'authorization_code', code, redirect_uri: callback, ...more }
        assert.equal((await requestToken(client, form)).json.error, 'invalid_grant')
      }
    })
  })

  test('metadata and keys have a strong ETag and answer 304 to a client that has them', async () => {
    const paths = [
      '/oauth/jwks',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
    ]
    for (const path of paths) {
      const read = (headers: Readonly<Record<string, string>>, method = 'GET') =>
        fetch(shop.issuer + path, { method, headers: { 'cache-control': 'max-age=0', ...headers } })
      const first = await read({})
      const etag = first.headers.get('etag') ?? ''
      assert.match(etag, /^"[\w-]+"$/)
      assert.equal((await read({}, 'HEAD')).headers.get('etag'), etag)
      assert.equal((await read({ 'if-none-match': '"other"' })).status, 200)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { status, headers, body } = await read({ 'if-none-match': known })
        assert.deepEqual([status, body, headers.get('content-type')], [304, null, null])
        for (const name of ['etag', 'cache-control', 'vary']) {
          assert.equal(headers.get(name), first.headers.get(name), name)
        }
      }
    }
  })

  test('CORS allows only the configured origins', async () => {
    for (const path of ['/oauth/jwks', '/.well-known/openid-configuration']) {
      for (const [origin, allowed] of [
        ['https://app.example', 'https://app.example'],
        ['https://evil.example', null],
      ] as const) {
        const response = await fetch(shop.issuer + path, { headers: { origin } })
        assert.equal(response.status, 200)
        assert.equal(response.headers.get('access-control-allow-origin'), allowed)
      }
    }
  })

  test('a form with a wrong CSRF token, or from another browser, is rejected', async () => {
    const client = await shop.register()
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    const authorization = authorizationUrl(client, {
      response_type: 'code',
      scope: 'openid',
      ...challenge,
    })
    const browser = new TestBrowser()
    const { url } = await browser.open(authorization)
    const { username } = await shop.signUp()
    const fields = { act: 'sign-in', username, password: testPassword }
    for (const csrf of ['', 'x', 'x'.repeat(43)]) {
      const response = await browser.post(url, { ...fields, csrf })
      assert.equal(response.status, 400)
    }
    // The interaction belongs to the browser that started it.
    const page = await (await browser.get(url)).text()
    const stranger = await new TestBrowser().submit(url, page, fields)
    assert.equal(stranger.response.status, 400)
  })
})
