import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as oidc from 'openid-client'
import { openStore } from '#db/database.ts'
import { eachDatabase, startTestApp, testPassword } from '#test/support/app.ts'
import {
  type OauthShop,
  relyingParty,
  signInAndConsent,
  startOauthShop,
  Visitor,
} from '#test/support/callers/relying-party.ts'
import { dayMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  /** Somebody whose browser is signed in. */
  const signedIn = async (more: { readonly user?: { username: string }; scope?: string } = {}) => {
    const user = more.user ?? (await shop.signInAs('customer'))
    const client = await shop.register()
    const party = await relyingParty(shop.issuer, client)
    const visitor = new Visitor()
    const { url, checks } = party.ask(more.scope ?? 'openid orders:read')
    const back = await signInAndConsent(visitor, url, user.username)
    assert.match(back, /[?&]code=/)
    return { client, party, visitor, back, checks }
  }

  /** True while the browser needs no password: a client is answered without a page. */
  const isSignedIn = async ({
    party,
    visitor,
  }: Pick<Awaited<ReturnType<typeof signedIn>>, 'party' | 'visitor'>): Promise<boolean> => {
    const { url } = party.ask('openid orders:read', { prompt: 'none' })
    const told = new URL((await visitor.open(url)).url).searchParams
    assert.ok(told.has('code') || told.get('error') === 'login_required', String(told))
    return told.has('code')
  }

  const browserSessions = async (user: { readonly request: OauthShop['request'] }) => {
    const { json } = await user.request('GET', '/sessions?sort=id')
    return json.data.filter(({ kind }: { kind: string }) => kind === 'browser')
  }

  test('a browser session is listed to its user, and ends at once when the user ends it', async () => {
    const ada = await shop.signInAs('customer')
    const there = await signedIn({ user: ada })
    const other = await signedIn({ user: ada })
    const sessions = await browserSessions(ada)
    assert.equal(sessions.length, 2)
    const [first] = sessions
    const { id, created_at, updated_at, expires_at, ...told } = first
    assert.deepEqual(told, {
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
    assert.equal(await isSignedIn(there), true)
    assert.equal((await ada.request('DELETE', `/sessions/${id}`)).status, 204)
    assert.equal(await isSignedIn(there), false)
    assert.equal(await isSignedIn(other), true)
    assert.equal((await ada.request('GET', `/sessions/${id}`)).status, 410)
  })

  test('what ends the sessions of a user ends those of browsers too, for good', async () => {
    const ends = [
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
    for (const end of ends) {
      const ada = await shop.signInAs('customer')
      const there = await signedIn({ user: ada })
      assert.equal(await isSignedIn(there), true)
      await end(ada.id)
      assert.equal(await isSignedIn(there), false)
      const left = shop.db.selectFrom('sessions').select('id').where('user_id', '=', ada.id)
      assert.deepEqual(await left.where('ended_at', 'is', null).execute(), [])
    }
  })

  test('an erased user leaves no browser session behind', async () => {
    const ada = await shop.signInAs('customer')
    await signedIn({ user: ada })
    await shop.admin.request('DELETE', `/users/${ada.id}`)
    for (const table of ['sessions', 'oauth_artefacts'] as const) {
      const rows = shop.db.selectFrom(table).where('user_id', '=', ada.id).select('user_id')
      assert.deepEqual(await rows.execute(), [], table)
    }
  })

  test('a browser that was ended cannot go on at a page that it has open', async () => {
    const ada = await shop.signInAs('customer')
    const there = await signedIn({ user: ada })
    const { url } = there.party.ask('openid orders:read users:read', { prompt: 'consent' })
    const page = await there.visitor.open(url)
    const text = await page.answer.text()
    assert.match(text, /value="allow"/)
    const [session] = await browserSessions(ada)
    await ada.request('DELETE', `/sessions/${session.id}`)
    const sent = await there.visitor.submit(page.url, text, { act: 'allow' })
    assert.equal(sent.answer.status, 400)
    assert.ok(sent.url.startsWith(shop.issuer))
  })

  test('a password that was replaced signs nobody in who stopped half-way', async () => {
    const ada = await shop.signInAs('customer')
    const party = await relyingParty(shop.issuer, await shop.register())
    const visitor = new Visitor()
    const { url, answer } = await visitor.open(party.ask('openid').url)
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(await answer.text()) ?? []
    const fields = { act: 'sign-in', username: ada.username, password: testPassword, csrf }
    const sent = await visitor.post(url, fields)
    assert.equal(sent.status, 303)
    await shop.admin.request('PATCH', `/users/${ada.id}`, { password: 'another good password' })
    const next = await visitor.open(new URL(sent.headers.get('location') ?? '', url).href)
    assert.equal(next.answer.status, 400)
    assert.equal(await isSignedIn({ party, visitor }), false)
  })

  test('of two tabs that sign in as two users, the last one has the browser', async () => {
    const [ada, bob] = [await shop.signInAs('customer'), await shop.signInAs('customer')]
    const party = await relyingParty(shop.issuer, await shop.register())
    const visitor = new Visitor()
    const first = await visitor.open(party.ask('openid').url)
    const { url, checks } = party.ask('openid')
    const second = await visitor.open(url)
    const page = await second.answer.text()
    assert.match(await signInAndConsent(visitor, first.url, ada.username), /[?&]code=/)
    const fields = { act: 'sign-in', username: bob.username, password: testPassword }
    const { answer } = await visitor.submit(second.url, page, fields)
    const leaving = await answer.text()
    const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(leaving) ?? []
    const place = `${shop.issuer}/oauth/logout/confirm`
    const left = await visitor.post(place, { xsrf, logout: 'yes' })
    const next = new URL(left.headers.get('location') ?? '', shop.issuer).href
    const back = await signInAndConsent(visitor, next, bob.username)
    const tokens = await oidc.authorizationCodeGrant(party.config, new URL(back), checks)
    assert.equal(tokens.claims()?.sub, String(bob.id))
    assert.deepEqual(await browserSessions(ada), [])
    assert.equal((await browserSessions(bob)).length, 1)
  })

  test('signing in gives the browser a new name, and the one before is worth nothing', async () => {
    const ada = await shop.signInAs('customer')
    const there = await signedIn({ user: ada })
    const before = there.visitor.copy()
    const { url } = there.party.ask('openid orders:read', { prompt: 'login' })
    assert.match(await signInAndConsent(there.visitor, url, ada.username), /[?&]code=/)
    assert.equal(await isSignedIn({ ...there, visitor: before }), false)
    assert.equal(await isSignedIn(there), true)
    assert.equal((await browserSessions(ada)).length, 1)
  })

  test('a browser session ends 14 days after its last use, and after 90 days in any case', async (t) => {
    const began = shop.now
    t.after(() => {
      shop.now = began
    })
    const idle = await signedIn()
    const busy = await signedIn()
    shop.now = began + 14 * dayMs - 1
    assert.equal(await isSignedIn(busy), true)
    shop.now = began + 14 * dayMs
    assert.equal(await isSignedIn(idle), false)
    for (let day = 26; day < 90; day += 12) {
      shop.now = began + day * dayMs
      assert.equal(await isSignedIn(busy), true, `day ${day}`)
    }
    shop.now = began + 90 * dayMs
    assert.equal(await isSignedIn(busy), false)
  })

  test('no refresh token leads further than 90 days from the consent', async (t) => {
    const began = shop.now
    t.after(() => {
      shop.now = began
    })
    const { party, back, checks } = await signedIn({ scope: 'orders:read' })
    let tokens = await oidc.authorizationCodeGrant(party.config, new URL(back), checks)
    const refresh = async () => {
      tokens = await oidc.refreshTokenGrant(party.config, String(tokens.refresh_token))
    }
    for (const day of [25, 50, 75, 89]) {
      shop.now = began + day * dayMs
      await refresh()
    }
    shop.now = began + 90 * dayMs
    await assert.rejects(refresh(), { error: 'invalid_grant' })
  })

  test('a session that is renewed ends 90 days after it began, with every token of it', async (t) => {
    const began = shop.now
    t.after(() => {
      shop.now = began
    })
    let { refreshToken, id } = await shop.signInAs('customer')
    const renew = () => shop.request('POST', '/login', { refresh_token: refreshToken })
    for (const day of [29, 58, 87]) {
      shop.now = began + day * dayMs
      const { status, json } = await renew()
      assert.equal(status, 200, `day ${day}`)
      refreshToken = json.refresh_token
    }
    const row = shop.db.selectFrom('sessions').select('expires_at').where('user_id', '=', id)
    const { expires_at } = await row.executeTakeFirstOrThrow()
    assert.equal(expires_at, began + 90 * dayMs)
    shop.now = began + 90 * dayMs
    const { status, json } = await renew()
    assert.equal(`${status} ${json.error_code}`, '401 4012')
  })

  // A database in memory has but one process.
  if (kind !== 'memory') {
    test('a browser session that another process ends is over', async (t) => {
      const ada = await shop.signInAs('customer')
      const there = await signedIn({ user: ada })
      const store = await openStore(shop.url)
      const temporary = { store, url: shop.url, dispose: () => store.close() }
      const other = await startTestApp(kind, { temporary, issuer: shop.issuer })
      t.after(() => other.dispose())
      other.now = shop.now
      const headers = { authorization: `Bearer ${ada.token}` }
      const [session] = await browserSessions(ada)
      const place = `/sessions/${session.id}`
      assert.equal((await other.request('DELETE', place, undefined, headers)).status, 204)
      assert.equal(await isSignedIn(there), false)
    })
  }

  describe('cookies', () => {
    test('are plain over http, where a browser takes no prefix', async () => {
      const { visitor } = await signedIn()
      const session = visitor.lines.find((line) => line.startsWith('cartwright_session='))
      assert.match(session ?? '', /; path=\/; /)
      assert.match(session ?? '', /httponly/i)
      assert.match(session ?? '', /samesite=lax/i)
    })
  })
})
