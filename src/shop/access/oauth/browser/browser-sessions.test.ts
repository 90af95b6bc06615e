import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as oidc from 'openid-client'
import { openStore } from '#store/database.ts'
import { eachDatabase, startTestApp, testPassword } from '#test/support/app.ts'
import {
  authorizeClient,
  createRelyingParty,
  hiddenField,
  isSignedIn,
  type OauthShop,
  signInAndConsent,
  startOauthShop,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'
import { dayMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  /** A user whose browser is signed in at a new client; a new user by default. */
  const signIn = async (user?: { readonly username: string }, scope?: string) => {
    const { username } = user ?? (await shop.signUp())
    return authorizeClient(shop, username, scope === undefined ? {} : { scope })
  }

  const browserSessions = async (user: { readonly request: OauthShop['request'] }) => {
    const { json } = await user.request('GET', '/sessions?sort=id')
    return json.data.filter(({ kind }: { kind: string }) => kind === 'browser')
  }

  test('a user sees their browser sessions and can end them at once', async () => {
    const ada = await shop.signInAs('customer')
    const signedIn = await signIn(ada)
    const other = await signIn(ada)
    const sessions = await browserSessions(ada)
    assert.equal(sessions.length, 2)
    const [first] = sessions
    const { id, created_at, updated_at, expires_at, ...rest } = first
    assert.deepEqual(rest, {
      user_id: ada.id,
      kind: 'browser',
      address: '127.0.0.1',
      is_current: false,
      _links: {
        self: { href: `/sessions/${id}` },
        user: { href: `/users/${ada.id}` },
        delete: { href: `/sessions/${id}`, method: 'DELETE' },
      },
    })
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 14 * dayMs)
    const exported = await ada.request('GET', `/users/${ada.id}?include=data`)
    const kinds = exported.json.data.sessions.map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(kinds.sort(), ['browser', 'browser', 'token'])
    const stranger = await shop.signInAs('customer')
    assert.equal((await stranger.request('DELETE', `/sessions/${id}`)).status, 403)
    assert.equal(await isSignedIn(signedIn), true)
    assert.equal((await ada.request('DELETE', `/sessions/${id}`)).status, 204)
    assert.equal(await isSignedIn(signedIn), false)
    assert.equal(await isSignedIn(other), true)
    assert.equal((await ada.request('GET', `/sessions/${id}`)).status, 410)
  })

  test('a change that ends the sessions of a user ends the browser sessions too', async () => {
    const changes = [
      async (id: number) => {
        await shop.admin.request('PATCH', `/users/${id}`, { password: 'another good password' })
      },
      async (id: number) => {
        await shop.admin.request('PATCH', `/users/${id}`, { status: 'suspended' })
        await shop.admin.request('PATCH', `/users/${id}`, { status: 'active' })
      },
      async (id: number) => {
        await shop.admin.request('PATCH', `/users/${id}`, { role: 'admin' })
      },
      async (id: number) => {
        await shop.admin.request('DELETE', `/users/${id}`)
      },
    ]
    for (const change of changes) {
      const ada = await shop.signInAs('customer')
      const signedIn = await signIn(ada)
      assert.equal(await isSignedIn(signedIn), true)
      await change(ada.id)
      assert.equal(await isSignedIn(signedIn), false)
      const left = shop.db.selectFrom('sessions').select('id').where('user_id', '=', ada.id)
      assert.deepEqual(await left.where('ended_at', 'is', null).execute(), [])
    }
  })

  test('erasing a user deletes their browser sessions', async () => {
    const ada = await shop.signInAs('customer')
    await signIn(ada)
    await shop.admin.request('DELETE', `/users/${ada.id}`)
    for (const table of ['sessions', 'oauth_artefacts'] as const) {
      const rows = shop.db.selectFrom(table).where('user_id', '=', ada.id).select('user_id')
      assert.deepEqual(await rows.execute(), [], table)
    }
  })

  test('a browser whose session was ended cannot submit an open page', async () => {
    const ada = await shop.signInAs('customer')
    const signedIn = await signIn(ada)
    const { url } = signedIn.party.createAuthorizationRequest('openid orders:read users:read', {
      prompt: 'consent',
    })
    const page = await signedIn.browser.open(url)
    const text = await page.response.text()
    assert.match(text, /value="allow"/)
    const [session] = await browserSessions(ada)
    await ada.request('DELETE', `/sessions/${session.id}`)
    const sent = await signedIn.browser.submit(page.url, text, { act: 'allow' })
    assert.equal(sent.response.status, 400)
    assert.ok(sent.url.startsWith(shop.issuer))
  })

  test('a password change between sign-in and resume prevents the session', async () => {
    const ada = await shop.signInAs('customer')
    const party = await createRelyingParty(shop.issuer, await shop.register())
    const browser = new TestBrowser()
    const { url, response } = await browser.open(party.createAuthorizationRequest('openid').url)
    const csrf = hiddenField(await response.text(), 'csrf')
    const fields = { act: 'sign-in', username: ada.username, password: testPassword, csrf }
    const sent = await browser.post(url, fields)
    assert.equal(sent.status, 303)
    await shop.admin.request('PATCH', `/users/${ada.id}`, { password: 'another good password' })
    const next = await browser.open(new URL(sent.headers.get('location') ?? '', url).href)
    assert.equal(next.response.status, 400)
    assert.equal(await isSignedIn({ party, browser }), false)
  })

  test('when two tabs sign in as two users, the last one owns the browser session', async () => {
    const [ada, bob] = [await shop.signInAs('customer'), await shop.signInAs('customer')]
    const party = await createRelyingParty(shop.issuer, await shop.register())
    const browser = new TestBrowser()
    const first = await browser.open(party.createAuthorizationRequest('openid').url)
    const { url, checks } = party.createAuthorizationRequest('openid')
    const second = await browser.open(url)
    const page = await second.response.text()
    assert.match(await signInAndConsent(browser, first.url, ada.username), /[?&]code=/)
    const fields = { act: 'sign-in', username: bob.username, password: testPassword }
    const { response } = await browser.submit(second.url, page, fields)
    const xsrf = hiddenField(await response.text(), 'xsrf')
    const confirmUrl = `${shop.issuer}/oauth/logout/confirm`
    const confirmed = await browser.post(confirmUrl, { xsrf, logout: 'yes' })
    const next = new URL(confirmed.headers.get('location') ?? '', shop.issuer).href
    const back = await signInAndConsent(browser, next, bob.username)
    const tokens = await oidc.authorizationCodeGrant(party.config, new URL(back), checks)
    assert.equal(tokens.claims()?.sub, String(bob.id))
    assert.deepEqual(await browserSessions(ada), [])
    assert.equal((await browserSessions(bob)).length, 1)
  })

  test('signing in again changes the session cookie and invalidates the old one', async () => {
    const ada = await shop.signInAs('customer')
    const signedIn = await signIn(ada)
    const before = signedIn.browser.copy()
    const { url } = signedIn.party.createAuthorizationRequest('openid orders:read', {
      prompt: 'login',
    })
    assert.match(await signInAndConsent(signedIn.browser, url, ada.username), /[?&]code=/)
    assert.equal(await isSignedIn({ ...signedIn, browser: before }), false)
    assert.equal(await isSignedIn(signedIn), true)
    assert.equal((await browserSessions(ada)).length, 1)
  })

  test('a browser session ends 14 days after its last use, and after 90 days at most', async (t) => {
    const start = shop.now
    t.after(() => {
      shop.now = start
    })
    const idle = await signIn()
    const busy = await signIn()
    shop.now = start + 14 * dayMs - 1
    assert.equal(await isSignedIn(busy), true)
    shop.now = start + 14 * dayMs
    assert.equal(await isSignedIn(idle), false)
    for (let day = 26; day < 90; day += 12) {
      shop.now = start + day * dayMs
      assert.equal(await isSignedIn(busy), true, `day ${day}`)
    }
    shop.now = start + 90 * dayMs
    assert.equal(await isSignedIn(busy), false)
  })

  test('refresh tokens end 90 days after the consent', async (t) => {
    const start = shop.now
    t.after(() => {
      shop.now = start
    })
    const { party, redeem } = await signIn(undefined, 'orders:read')
    let tokens = await redeem()
    const refresh = async () => {
      tokens = await oidc.refreshTokenGrant(party.config, String(tokens.refresh_token))
    }
    for (const day of [25, 50, 75, 89]) {
      shop.now = start + day * dayMs
      await refresh()
    }
    shop.now = start + 90 * dayMs
    await assert.rejects(refresh(), { error: 'invalid_grant' })
  })

  test('a renewed session ends 90 days after it started, with all its tokens', async (t) => {
    const start = shop.now
    t.after(() => {
      shop.now = start
    })
    let { refreshToken, id } = await shop.signInAs('customer')
    const renew = () => shop.request('POST', '/login', { refresh_token: refreshToken })
    for (const day of [29, 58, 87]) {
      shop.now = start + day * dayMs
      const { status, json } = await renew()
      assert.equal(status, 200, `day ${day}`)
      refreshToken = json.refresh_token
    }
    const row = shop.db.selectFrom('sessions').select('expires_at').where('user_id', '=', id)
    const { expires_at } = await row.executeTakeFirstOrThrow()
    assert.equal(expires_at, start + 90 * dayMs)
    shop.now = start + 90 * dayMs
    const { status, json } = await renew()
    assert.equal(`${status} ${json.error_code}`, '401 4012')
  })

  test('a browser session ends when another process ends it', async (t) => {
    const ada = await shop.signInAs('customer')
    const signedIn = await signIn(ada)
    const store = await openStore(shop.url)
    const temporary = { store, url: shop.url, dispose: () => store.close() }
    const other = await startTestApp(kind, { temporary, issuer: shop.issuer })
    t.after(() => other.dispose())
    other.now = shop.now
    const headers = { authorization: `Bearer ${ada.token}` }
    const [session] = await browserSessions(ada)
    const path = `/sessions/${session.id}`
    assert.equal((await other.request('DELETE', path, undefined, headers)).status, 204)
    assert.equal(await isSignedIn(signedIn), false)
  })

  describe('cookies', () => {
    test('have no prefix over http, where browsers reject it', async () => {
      const { browser } = await signIn()
      const session = browser.setCookies.find((line) => line.startsWith('cartwright_session='))
      assert.match(session ?? '', /; path=\/; /)
      assert.match(session ?? '', /httponly/i)
      assert.match(session ?? '', /samesite=lax/i)
    })
  })
})
