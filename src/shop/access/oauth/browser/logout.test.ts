import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as oidc from 'openid-client'
import { eachDatabase } from '#test/support/app.ts'
import {
  authorizeClient,
  hiddenField,
  isSignedIn,
  type OauthShop,
  startOauthShop,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'

const goodbye = 'http://127.0.0.1:9/goodbye'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  /** A new user whose browser is signed in at a new client, and the tokens of the client. */
  const signIn = async () => {
    const user = await shop.signInAs('customer', { name: 'Ada Lovelace' })
    const client = await shop.register({ post_logout_redirect_uris: [goodbye] })
    const authorized = await authorizeClient(shop, user.username, { client })
    const tokens = await authorized.redeem()
    return { ...authorized, user, tokens, hint: String(tokens.id_token) }
  }
  const logoutUrl = (query: Readonly<Record<string, string>>) =>
    `${shop.issuer}/oauth/logout?${new URLSearchParams(query)}`
  const confirmUrl = () => `${shop.issuer}/oauth/logout/confirm`
  const csrfToken = (page: string): string => hiddenField(page, 'xsrf')

  test('confirming the logout ends the session and redirects to the client with its state', async () => {
    const signedIn = await signIn()
    const { party, browser, hint, user } = signedIn
    const logoutRequest = oidc.buildEndSessionUrl(party.config, {
      id_token_hint: hint,
      post_logout_redirect_uri: goodbye,
      state: 'state of the client',
    })
    const { response, url } = await browser.open(logoutRequest.href)
    assert.ok(url.startsWith(shop.issuer))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-frame-options'), 'DENY')
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action 'self' http:\/\/127\.0\.0\.1:9;/)
    assert.doesNotMatch(policy, /script-src/)
    const page = await response.text()
    assert.match(page, /Ada Lovelace\. Parcel Tracker requests to sign you out/)
    assert.doesNotMatch(page, /<script/)
    assert.equal(await isSignedIn(signedIn), true, 'the request alone does not sign out')
    const again = await (await browser.get(logoutRequest.href)).text()
    const form = { xsrf: csrfToken(again), logout: 'yes' }
    const confirmed = await browser.post(confirmUrl(), form)
    assert.equal(confirmed.status, 303)
    const expected = `${goodbye}?state=state+of+the+client`
    assert.equal(confirmed.headers.get('location'), expected)
    assert.equal(await isSignedIn(signedIn), false)
    const { json } = await user.request('GET', '/sessions')
    assert.deepEqual(
      json.data.map(({ kind }: { kind: string }) => kind),
      ['token'],
    )
    const events = shop.db.selectFrom('audit_events').select(['action', 'credential', 'address'])
    const [last] = await events.where('subject_id', '=', user.id).orderBy('id', 'desc').execute()
    assert.deepEqual(last, { action: 'signed_out', credential: 'cookie', address: '127.0.0.1' })
    // The consent to the client outlives the session.
    const refresh = String(signedIn.tokens.refresh_token)
    assert.ok((await oidc.refreshTokenGrant(party.config, refresh)).access_token)
  })

  test('without a client, a page in the language of the user confirms the logout', async () => {
    const signedIn = await signIn()
    const german = { 'accept-language': 'de' }
    const page = await (await signedIn.browser.get(logoutUrl({}), german)).text()
    assert.match(page, /<html lang="de">[\s\S]*Abmelden\?/)
    assert.match(
      await (await signedIn.browser.get(logoutUrl({ ui_locales: 'fr' }))).text(),
      /lang="fr"/,
    )
    const english = await (await signedIn.browser.get(logoutUrl({}))).text()
    const confirmed = await signedIn.browser.post(confirmUrl(), {
      xsrf: csrfToken(english),
      logout: 'yes',
    })
    const next = new URL(confirmed.headers.get('location') ?? '', shop.issuer)
    assert.equal(next.pathname, '/oauth/logout/success')
    const done = await signedIn.browser.get(next.href, german)
    assert.match(await done.text(), /Sie sind abgemeldet/)
    assert.match(done.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(await isSignedIn(signedIn), false)
  })

  test('a user who declines stays signed in, and the tokens stay valid', async () => {
    const signedIn = await signIn()
    const { browser, hint } = signedIn
    const query = { id_token_hint: hint, post_logout_redirect_uri: goodbye }
    const page = await (await browser.get(logoutUrl(query))).text()
    const response = await browser.post(confirmUrl(), { xsrf: csrfToken(page), logout: 'no' })
    assert.equal(response.status, 200)
    assert.match(await response.text(), /You are still signed in/)
    assert.equal(await isSignedIn(signedIn), true)
    const bearer = { authorization: `Bearer ${signedIn.tokens.access_token}` }
    assert.equal((await shop.request('GET', '/orders', undefined, bearer)).status, 200)
  })

  test('a posted logout request asks for confirmation like one by GET', async () => {
    const signedIn = await signIn()
    const response = await signedIn.browser.post(`${shop.issuer}/oauth/logout`, {
      client_id: signedIn.client.client_id,
      post_logout_redirect_uri: goodbye,
    })
    assert.equal(response.status, 303)
    const next = new URL(response.headers.get('location') ?? '', shop.issuer)
    assert.match(await (await signedIn.browser.get(next.href)).text(), /Sign out\?/)
  })

  test('without a session, a logout request redirects at once, only to a registered URI', async () => {
    const client = await shop.register({ post_logout_redirect_uris: [goodbye] })
    const { client_id } = client
    const query = { client_id, post_logout_redirect_uri: goodbye, state: 's' }
    const response = await new TestBrowser().get(logoutUrl(query))
    assert.equal(`${response.status} ${response.headers.get('location')}`, `303 ${goodbye}?state=s`)
    const bare = await new TestBrowser().open(logoutUrl({}))
    assert.match(await bare.response.text(), /You are signed out/)
  })

  describe('attacks', () => {
    test('no redirect goes to an unregistered URI', async () => {
      const signedIn = await signIn()
      const { client_id } = signedIn.client
      for (const post_logout_redirect_uri of [
        'https://evil.example/',
        `${goodbye}/more`,
        `${goodbye}?next=https://evil.example`,
        'http://127.0.0.1:9/callback',
        'http://127.0.0.1:8/goodbye',
      ]) {
        for (const browser of [signedIn.browser, new TestBrowser()]) {
          const response = await browser.get(logoutUrl({ client_id, post_logout_redirect_uri }))
          assert.equal(response.status, 400, post_logout_redirect_uri)
          assert.equal(response.headers.get('location'), null)
        }
        // Without a client no URI is registered, so the URI and the state are ignored.
        const query = { post_logout_redirect_uri, state: 'secret' }
        const anonymous = await new TestBrowser().get(logoutUrl(query))
        assert.equal(anonymous.headers.get('location'), '/oauth/logout/success')
      }
      assert.equal(await isSignedIn(signedIn), true)
    })

    test('an ID token of another client or another user is rejected', async () => {
      const signedIn = await signIn()
      const other = await signIn()
      const requireRefused = async (query: Readonly<Record<string, string>>) => {
        const response = await signedIn.browser.get(logoutUrl(query))
        assert.equal(response.status, 400)
        assert.equal(response.headers.get('location'), null)
      }
      const { client_id } = signedIn.client
      await requireRefused({
        client_id,
        id_token_hint: other.hint,
        post_logout_redirect_uri: goodbye,
      })
      await requireRefused({ id_token_hint: other.hint, post_logout_redirect_uri: goodbye })
      await requireRefused({
        id_token_hint: `${signedIn.hint}x`,
        post_logout_redirect_uri: goodbye,
      })
      const [header = '', , signature = ''] = signedIn.hint.split('.')
      const claims = { sub: String(other.user.id), aud: client_id, iss: shop.issuer }
      const forged = Buffer.from(JSON.stringify(claims)).toString('base64url')
      await requireRefused({ id_token_hint: `${header}.${forged}.${signature}` })
      assert.equal(await isSignedIn(signedIn), true)
      assert.equal(await isSignedIn(other), true)
    })

    test('a form from another site or another browser is rejected', async () => {
      const signedIn = await signIn()
      const stranger = new TestBrowser()
      const other = await signIn()
      const otherToken = csrfToken(await (await other.browser.get(logoutUrl({}))).text())
      assert.match(otherToken, /^\w{48}$/)
      // No page was shown yet, so there is nothing to confirm.
      assert.equal((await signedIn.browser.post(confirmUrl(), { logout: 'yes' })).status, 400)
      const own = csrfToken(await (await signedIn.browser.get(logoutUrl({}))).text())
      for (const xsrf of ['', 'x', otherToken]) {
        const response = await signedIn.browser.post(confirmUrl(), { xsrf, logout: 'yes' })
        assert.equal(response.status, 400)
        assert.match(await response.text(), /expired/)
      }
      const response = await stranger.post(confirmUrl(), { xsrf: own, logout: 'yes' })
      assert.equal(response.status, 400)
      assert.equal(await isSignedIn(signedIn), true)
    })

    test('the name of a client is escaped', async () => {
      const client_name = '<img src=x onerror=alert(1)>'
      const signedIn = await signIn()
      const { client_id } = await shop.register({ client_name })
      const page = await (await signedIn.browser.get(logoutUrl({ client_id }))).text()
      assert.ok(!page.includes(client_name))
      assert.match(page, /&lt;img src=x/)
    })

    test('after a logout, a copy of the session cookie is worthless', async () => {
      const signedIn = await signIn()
      const thief = signedIn.browser.copy()
      const xsrf = csrfToken(await (await signedIn.browser.get(logoutUrl({}))).text())
      await signedIn.browser.post(confirmUrl(), { xsrf, logout: 'yes' })
      assert.equal(await isSignedIn({ ...signedIn, browser: thief }), false)
    })
  })
})
