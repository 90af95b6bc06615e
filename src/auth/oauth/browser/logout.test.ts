import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as oidc from 'openid-client'
import { eachDatabase } from '#test/support/app.ts'
import {
  type OauthShop,
  relyingParty,
  signInAndConsent,
  startOauthShop,
  Visitor,
} from '#test/support/callers/relying-party.ts'

const goodbye = 'http://127.0.0.1:9/goodbye'

eachDatabase((kind) => {
  let shop: OauthShop
  before(async () => {
    shop = await startOauthShop(kind)
  })
  after(() => shop.dispose())

  /** Somebody whose browser is signed in, and the ID token of the client. */
  const signedIn = async () => {
    const user = await shop.signInAs('customer', { name: 'Ada Lovelace' })
    const client = await shop.register({ post_logout_redirect_uris: [goodbye] })
    const party = await relyingParty(shop.issuer, client)
    const visitor = new Visitor()
    const { url, checks } = party.ask('openid orders:read')
    const back = await signInAndConsent(visitor, url, user.username)
    const tokens = await oidc.authorizationCodeGrant(party.config, new URL(back), checks)
    return { user, client, party, visitor, hint: String(tokens.id_token), tokens }
  }
  const isSignedIn = async ({ party, visitor }: Awaited<ReturnType<typeof signedIn>>) => {
    const { url } = party.ask('openid orders:read', { prompt: 'none' })
    return new URL((await visitor.open(url)).url).searchParams.has('code')
  }
  const logout = (query: Readonly<Record<string, string>>) =>
    `${shop.issuer}/oauth/logout?${new URLSearchParams(query)}`
  const confirmPlace = () => `${shop.issuer}/oauth/logout/confirm`
  const secretIn = (page: string): string => /name="xsrf" value="([^"]*)"/.exec(page)?.[1] ?? ''

  test('a user who confirms it is signed out, and sent on with the state of the client', async () => {
    const there = await signedIn()
    const { party, visitor, hint, user } = there
    const asked = oidc.buildEndSessionUrl(party.config, {
      id_token_hint: hint,
      post_logout_redirect_uri: goodbye,
      state: 'state of the client',
    })
    const { answer, url } = await visitor.open(asked.href)
    assert.ok(url.startsWith(shop.issuer))
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('x-frame-options'), 'DENY')
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action 'self' http:\/\/127\.0\.0\.1:9;/)
    assert.doesNotMatch(policy, /script-src/)
    const page = await answer.text()
    assert.match(page, /Ada Lovelace, and Parcel Tracker asks to sign you out/)
    assert.doesNotMatch(page, /<script/)
    assert.equal(await isSignedIn(there), true, 'asking alone signs nobody out')
    const again = await (await visitor.get(asked.href)).text()
    const form = { xsrf: secretIn(again), logout: 'yes' }
    const gone = await visitor.post(confirmPlace(), form)
    assert.equal(gone.status, 303)
    const expected = `${goodbye}?state=state+of+the+client`
    assert.equal(gone.headers.get('location'), expected)
    assert.equal(await isSignedIn(there), false)
    const { json } = await user.request('GET', '/sessions')
    assert.deepEqual(
      json.data.map(({ kind }: { kind: string }) => kind),
      ['token'],
    )
    const events = shop.db.selectFrom('audit_events').select(['action', 'credential', 'address'])
    const [last] = await events.where('subject_id', '=', user.id).orderBy('id', 'desc').execute()
    assert.deepEqual(last, { action: 'signed_out', credential: 'cookie', address: '127.0.0.1' })
    // What the client was allowed goes on until it is withdrawn.
    const refresh = String(there.tokens.refresh_token)
    assert.ok((await oidc.refreshTokenGrant(party.config, refresh)).access_token)
  })

  test('without a client, a page in the language of the user says that it is done', async () => {
    const there = await signedIn()
    const german = { 'accept-language': 'de' }
    const page = await (await there.visitor.get(logout({}), german)).text()
    assert.match(page, /<html lang="de">[\s\S]*Abmelden\?/)
    assert.match(await (await there.visitor.get(logout({ ui_locales: 'fr' }))).text(), /lang="fr"/)
    const fresh = await (await there.visitor.get(logout({}))).text()
    const gone = await there.visitor.post(confirmPlace(), {
      xsrf: secretIn(fresh),
      logout: 'yes',
    })
    const next = new URL(gone.headers.get('location') ?? '', shop.issuer)
    assert.equal(next.pathname, '/oauth/logout/success')
    const done = await there.visitor.get(next.href, german)
    assert.match(await done.text(), /Sie sind abgemeldet/)
    assert.match(done.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(await isSignedIn(there), false)
  })

  test('who declines stays signed in, with all that was allowed', async () => {
    const there = await signedIn()
    const { visitor, hint } = there
    const query = { id_token_hint: hint, post_logout_redirect_uri: goodbye }
    const page = await (await visitor.get(logout(query))).text()
    const answer = await visitor.post(confirmPlace(), { xsrf: secretIn(page), logout: 'no' })
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /You are still signed in/)
    assert.equal(await isSignedIn(there), true)
    const bearer = { authorization: `Bearer ${there.tokens.access_token}` }
    assert.equal((await shop.request('GET', '/orders', undefined, bearer)).status, 200)
  })

  test('a request that was posted is asked about as one by GET is', async () => {
    const there = await signedIn()
    const answer = await there.visitor.post(`${shop.issuer}/oauth/logout`, {
      client_id: there.client.client_id,
      post_logout_redirect_uri: goodbye,
    })
    assert.equal(answer.status, 303)
    const next = new URL(answer.headers.get('location') ?? '', shop.issuer)
    assert.match(await (await there.visitor.get(next.href)).text(), /Sign out\?/)
  })

  test('whom nobody knows is sent on at once, to where the client has registered alone', async () => {
    const client = await shop.register({ post_logout_redirect_uris: [goodbye] })
    const { client_id } = client
    const query = { client_id, post_logout_redirect_uri: goodbye, state: 's' }
    const answer = await new Visitor().get(logout(query))
    assert.equal(`${answer.status} ${answer.headers.get('location')}`, `303 ${goodbye}?state=s`)
    const bare = await new Visitor().open(logout({}))
    assert.match(await bare.answer.text(), /You are signed out/)
  })

  describe('what an attacker tries', () => {
    test('another address than those registered is never led to', async () => {
      const there = await signedIn()
      const { client_id } = there.client
      for (const post_logout_redirect_uri of [
        'https://evil.example/',
        `${goodbye}/more`,
        `${goodbye}?next=https://evil.example`,
        'http://127.0.0.1:9/callback',
        'http://127.0.0.1:8/goodbye',
      ]) {
        for (const visitor of [there.visitor, new Visitor()]) {
          const answer = await visitor.get(logout({ client_id, post_logout_redirect_uri }))
          assert.equal(answer.status, 400, post_logout_redirect_uri)
          assert.equal(answer.headers.get('location'), null)
        }
        // Of no client, no address is registered: it is left out, and the state with it.
        const query = { post_logout_redirect_uri, state: 'secret' }
        const anonymous = await new Visitor().get(logout(query))
        assert.equal(anonymous.headers.get('location'), '/oauth/logout/success')
      }
      assert.equal(await isSignedIn(there), true)
    })

    test('an ID token of another client or another user leads nowhere', async () => {
      const there = await signedIn()
      const other = await signedIn()
      const refused = async (query: Readonly<Record<string, string>>) => {
        const answer = await there.visitor.get(logout(query))
        assert.equal(answer.status, 400)
        assert.equal(answer.headers.get('location'), null)
      }
      const { client_id } = there.client
      await refused({ client_id, id_token_hint: other.hint, post_logout_redirect_uri: goodbye })
      await refused({ id_token_hint: other.hint, post_logout_redirect_uri: goodbye })
      await refused({ id_token_hint: `${there.hint}x`, post_logout_redirect_uri: goodbye })
      const [head = '', , signature = ''] = there.hint.split('.')
      const claims = { sub: String(other.user.id), aud: client_id, iss: shop.issuer }
      const forged = Buffer.from(JSON.stringify(claims)).toString('base64url')
      await refused({ id_token_hint: `${head}.${forged}.${signature}` })
      assert.equal(await isSignedIn(there), true)
      assert.equal(await isSignedIn(other), true)
    })

    test('a form of another site or another browser signs nobody out', async () => {
      const there = await signedIn()
      const stranger = new Visitor()
      const theirs = await signedIn()
      const rawRoutes = secretIn(await (await theirs.visitor.get(logout({}))).text())
      assert.match(rawRoutes, /^\w{48}$/)
      // Before any page was shown there is nothing to confirm.
      assert.equal((await there.visitor.post(confirmPlace(), { logout: 'yes' })).status, 400)
      const own = secretIn(await (await there.visitor.get(logout({}))).text())
      for (const xsrf of ['', 'x', rawRoutes]) {
        const answer = await there.visitor.post(confirmPlace(), { xsrf, logout: 'yes' })
        assert.equal(answer.status, 400)
        assert.match(await answer.text(), /expired/)
      }
      const answer = await stranger.post(confirmPlace(), { xsrf: own, logout: 'yes' })
      assert.equal(answer.status, 400)
      assert.equal(await isSignedIn(there), true)
    })

    test('the name of a client cannot become part of the page', async () => {
      const client_name = '<img src=x onerror=alert(1)>'
      const there = await signedIn()
      const { client_id } = await shop.register({ client_name })
      const page = await (await there.visitor.get(logout({ client_id }))).text()
      assert.ok(!page.includes(client_name))
      assert.match(page, /&lt;img src=x/)
    })

    test('the cookie of before is worth nothing once somebody has signed out', async () => {
      const there = await signedIn()
      const thief = there.visitor.copy()
      const xsrf = secretIn(await (await there.visitor.get(logout({}))).text())
      await there.visitor.post(confirmPlace(), { xsrf, logout: 'yes' })
      assert.equal(await isSignedIn({ ...there, visitor: thief }), false)
    })
  })
})
