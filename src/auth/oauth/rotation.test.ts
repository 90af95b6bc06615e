import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as oidc from 'openid-client'
import type { SecretKeys } from '#auth/keys.ts'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'
import { relyingParty, signInAndConsent, Visitor } from '#test/support/callers/relying-party.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { temporaryStore } from '#test/support/services/databases.ts'
import { findLastingPort } from '#test/support/services/server.ts'

const old = 'a secret key that has been in use for long'
const young = 'a secret key that takes its place from now'

/** How far somebody is in signing in when the server is restarted under another secret. */
type Middleware = 'at the sign-in page' | 'at the consent page' | 'back at the client'
const inFlight: readonly Middleware[] = ['at the sign-in page', 'at the consent page']

/** One server at one address, which can be started again under other secrets. */
async function startRestartable(kind: StoreKind) {
  const place = await temporaryStore(kind)
  const temporary = { ...place, dispose: async () => undefined }
  const port = await findLastingPort()
  const issuer = `http://127.0.0.1:${port}`
  const under = async (secretKeys: SecretKeys): Promise<TestApp> => {
    const app = await startTestApp(kind, { temporary, issuer, secretKeys })
    app.now = Date.now()
    await app.app.listen({ port, host: '127.0.0.1' })
    return app
  }
  let app = await under([old])
  return {
    issuer,
    first: app,
    restart: async (...secretKeys: SecretKeys): Promise<TestApp> => {
      await app.app.close()
      app = await under(secretKeys)
      await dropConnections(issuer)
      return app
    },
    stop: async (): Promise<void> => {
      await app.app.close()
      await place.dispose()
    },
  }
}

/** Has fetch notice that the connections it has kept open were closed by the server. */
async function dropConnections(issuer: string): Promise<void> {
  const ask = async () => (await fetch(`${issuer}/health/live`)).arrayBuffer()
  await ask().catch(ask)
}

/** Somebody who has come so far, under the old secret. */
async function comeTo(
  middleware: Middleware,
  { issuer, first }: Pick<Awaited<ReturnType<typeof startRestartable>>, 'issuer' | 'first'>,
) {
  const admin = await first.signInAs('admin', { username: 'administrator' })
  const { json: client } = await admin.request('POST', '/oauth-clients', {
    client_name: 'Parcel Tracker',
    redirect_uris: ['http://127.0.0.1:9/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid orders:read',
  })
  const { username } = await first.signUp({ username: 'ada' })
  const party = await relyingParty(issuer, client)
  const { url, checks } = party.ask('openid orders:read')
  const visitor = new Visitor()
  const form = { act: 'sign-in', username, password: testPassword }
  let { url: at, answer } = await visitor.open(url)
  let page = await answer.text()
  if (middleware !== 'at the sign-in page') {
    ;({ url: at, answer } = await visitor.submit(at, page, form))
    page = await answer.text()
  }
  if (middleware === 'back at the client') {
    ;({ url: at } = await visitor.submit(at, page, { act: 'allow' }))
  }
  const next = middleware === 'at the sign-in page' ? form : { act: 'allow' }
  return { client, party, visitor, checks, username, at, page, form: next }
}

const ordersBy = (app: TestApp, token: string) =>
  app.request('GET', '/orders', undefined, { authorization: `Bearer ${token}` })

eachDatabase((kind) => {
  describe('where SECRET_KEY is replaced and the previous one named', () => {
    for (const middleware of inFlight) {
      test(`whoever is ${middleware} signs in all the same`, async (t) => {
        const server = await startRestartable(kind)
        t.after(server.stop)
        const { party, visitor, checks, at, page, form } = await comeTo(middleware, server)
        const later = await server.restart(young, old)
        let went = await visitor.submit(at, page, form)
        if (middleware === 'at the sign-in page') {
          assert.equal(went.answer.status, 200)
          went = await visitor.submit(went.url, await went.answer.text(), { act: 'allow' })
        }
        const tokens = await oidc.authorizationCodeGrant(party.config, new URL(went.url), checks)
        assert.equal((await ordersBy(later, tokens.access_token)).status, 200)
      })
    }

    test('a code is redeemed, its tokens are good, and the keys that clients know stay', async (t) => {
      const server = await startRestartable(kind)
      t.after(server.stop)
      const { party, visitor, checks, at } = await comeTo('back at the client', server)
      const known = (await server.first.request('GET', '/oauth/jwks')).json.keys
      const later = await server.restart(young, old)
      assert.deepEqual((await later.request('GET', '/oauth/jwks')).json.keys, known)
      const tokens = await oidc.authorizationCodeGrant(party.config, new URL(at), checks)
      assert.equal((await ordersBy(later, tokens.access_token)).status, 200)
      const renewed = await oidc.refreshTokenGrant(party.config, String(tokens.refresh_token))
      assert.equal((await ordersBy(later, renewed.access_token)).status, 200)
      const silent = party.ask('openid orders:read', { prompt: 'none' })
      const back = new URL((await visitor.open(silent.url)).url)
      assert.ok(back.searchParams.has('code'), 'the browser is still signed in')
    })
  })

  describe('where SECRET_KEY is replaced and the previous one forgotten', () => {
    for (const middleware of inFlight) {
      test(`whoever is ${middleware} is shown a page that says to begin again, and can`, async (t) => {
        const server = await startRestartable(kind)
        t.after(server.stop)
        const { client, party, visitor, username, at, page, form } = await comeTo(
          middleware,
          server,
        )
        const later = await server.restart(young)
        for (const { answer } of [await visitor.submit(at, page, form), await visitor.open(at)]) {
          assert.equal(answer.status, 400)
          assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
          assert.match(await answer.text(), /<h1>/)
        }
        const resumed = await visitor.open(at.replace('/interaction/', '/authorize/'))
        assert.equal(resumed.answer.status, 400)
        assert.match(await resumed.answer.text(), /<h1>/)
        const { url, checks: fresh } = party.ask('openid orders:read')
        const back = new URL(await signInAndConsent(visitor, url, username))
        // A client that has kept the keys of before would look for the new one, at most once a minute.
        const { config } = await relyingParty(server.issuer, client)
        const tokens = await oidc.authorizationCodeGrant(config, back, fresh)
        assert.equal((await ordersBy(later, tokens.access_token)).status, 200)
      })
    }

    test('codes and tokens of before are refused as if they had never been', async (t) => {
      const server = await startRestartable(kind)
      t.after(server.stop)
      const { party, visitor, checks, at } = await comeTo('back at the client', server)
      const tokens = await oidc.authorizationCodeGrant(party.config, new URL(at), checks)
      const second = party.ask('openid orders:read')
      const code = new URL((await visitor.open(second.url)).url)
      const later = await server.restart(young)
      const { status, json } = await ordersBy(later, tokens.access_token)
      assert.equal(`${status} ${json.error_code}`, '401 4012')
      const refused = { error: 'invalid_grant', status: 400 }
      const refresh = String(tokens.refresh_token)
      await assert.rejects(oidc.refreshTokenGrant(party.config, refresh), refused)
      const redeem = oidc.authorizationCodeGrant(party.config, code, second.checks)
      await assert.rejects(redeem, refused)
      const { url } = party.ask('openid orders:read', { prompt: 'none' })
      const back = new URL((await visitor.open(url)).url)
      assert.equal(back.searchParams.get('error'), 'login_required')
    })
  })
})
