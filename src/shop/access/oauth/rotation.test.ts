import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as oidc from 'openid-client'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'
import {
  callback,
  createRelyingParty,
  signInAndConsent,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'

const oldSecret = 'the secret key before the rotation'
const newSecret = 'the secret key after the rotation'

/** How far a user has come when the server restarts with another secret. */
type Stage = 'at the sign-in page' | 'at the consent page' | 'back at the client'
const openPages: readonly Stage[] = ['at the sign-in page', 'at the consent page']

/** A server that can restart at its address and database with other secrets. */
async function startRestartable(kind: StoreKind) {
  const store = await openTemporaryStore(kind)
  const temporary = { ...store, dispose: async () => undefined }
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const start = async (secretKeys: SecretKeys): Promise<TestApp> => {
    const app = await startTestApp(kind, { temporary, issuer, secretKeys })
    app.now = Date.now()
    await app.app.listen({ port, host: '127.0.0.1' })
    return app
  }
  let app = await start([oldSecret])
  return {
    issuer,
    first: app,
    restart: async (...secretKeys: SecretKeys): Promise<TestApp> => {
      await app.app.close()
      app = await start(secretKeys)
      await dropConnections(issuer)
      return app
    },
    stop: async (): Promise<void> => {
      await app.app.close()
      await store.dispose()
    },
  }
}

/** Makes fetch drop its pooled connections, which the server has closed. */
async function dropConnections(issuer: string): Promise<void> {
  const request = async () => (await fetch(`${issuer}/health/live`)).arrayBuffer()
  await request().catch(request)
}

/** A user who has signed in up to a stage, under the old secret. */
async function signInUpTo(
  stage: Stage,
  { issuer, first }: Pick<Awaited<ReturnType<typeof startRestartable>>, 'issuer' | 'first'>,
) {
  const admin = await first.signInAs('admin', { username: 'administrator' })
  const { json: client } = await admin.request('POST', '/oauth-clients', {
    client_name: 'Parcel Tracker',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid orders:read',
  })
  const { username } = await first.signUp({ username: 'ada' })
  const party = await createRelyingParty(issuer, client)
  const { url, checks } = party.createAuthorizationRequest('openid orders:read')
  const browser = new TestBrowser()
  const form = { act: 'sign-in', username, password: testPassword }
  let { url: at, response } = await browser.open(url)
  let page = await response.text()
  if (stage !== 'at the sign-in page') {
    ;({ url: at, response } = await browser.submit(at, page, form))
    page = await response.text()
  }
  if (stage === 'back at the client') {
    ;({ url: at } = await browser.submit(at, page, { act: 'allow' }))
  }
  const next = stage === 'at the sign-in page' ? form : { act: 'allow' }
  return { client, party, browser, checks, username, at, page, form: next }
}

const listOrders = (app: TestApp, token: string) =>
  app.request('GET', '/orders', undefined, { authorization: `Bearer ${token}` })

eachDatabase((kind) => {
  describe('when SECRET_KEY is replaced and the previous one is configured', () => {
    for (const stage of openPages) {
      test(`a user ${stage} can continue`, async (t) => {
        const server = await startRestartable(kind)
        t.after(server.stop)
        const { party, browser, checks, at, page, form } = await signInUpTo(stage, server)
        const restarted = await server.restart(newSecret, oldSecret)
        let submitted = await browser.submit(at, page, form)
        if (stage === 'at the sign-in page') {
          assert.equal(submitted.response.status, 200)
          submitted = await browser.submit(submitted.url, await submitted.response.text(), {
            act: 'allow',
          })
        }
        const tokens = await oidc.authorizationCodeGrant(
          party.config,
          new URL(submitted.url),
          checks,
        )
        assert.equal((await listOrders(restarted, tokens.access_token)).status, 200)
      })
    }

    test('codes, tokens, browser sessions and the published keys stay valid', async (t) => {
      const server = await startRestartable(kind)
      t.after(server.stop)
      const { party, browser, checks, at } = await signInUpTo('back at the client', server)
      const keysBefore = (await server.first.request('GET', '/oauth/jwks')).json.keys
      const restarted = await server.restart(newSecret, oldSecret)
      assert.deepEqual((await restarted.request('GET', '/oauth/jwks')).json.keys, keysBefore)
      const tokens = await oidc.authorizationCodeGrant(party.config, new URL(at), checks)
      assert.equal((await listOrders(restarted, tokens.access_token)).status, 200)
      const renewed = await oidc.refreshTokenGrant(party.config, String(tokens.refresh_token))
      assert.equal((await listOrders(restarted, renewed.access_token)).status, 200)
      const silent = party.createAuthorizationRequest('openid orders:read', { prompt: 'none' })
      const back = new URL((await browser.open(silent.url)).url)
      assert.ok(back.searchParams.has('code'), 'the browser is still signed in')
    })
  })

  describe('when SECRET_KEY is replaced and the previous one is not configured', () => {
    for (const stage of openPages) {
      test(`a user ${stage} gets an error page, and can start again`, async (t) => {
        const server = await startRestartable(kind)
        t.after(server.stop)
        const { client, party, browser, username, at, page, form } = await signInUpTo(stage, server)
        const restarted = await server.restart(newSecret)
        for (const { response } of [await browser.submit(at, page, form), await browser.open(at)]) {
          assert.equal(response.status, 400)
          assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
          assert.match(await response.text(), /<h1>/)
        }
        const resumed = await browser.open(at.replace('/interaction/', '/authorize/'))
        assert.equal(resumed.response.status, 400)
        assert.match(await resumed.response.text(), /<h1>/)
        const { url, checks: newChecks } = party.createAuthorizationRequest('openid orders:read')
        const back = new URL(await signInAndConsent(browser, url, username))
        // The first party has cached the old keys and would refetch them at most once a minute.
        const { config } = await createRelyingParty(server.issuer, client)
        const tokens = await oidc.authorizationCodeGrant(config, back, newChecks)
        assert.equal((await listOrders(restarted, tokens.access_token)).status, 200)
      })
    }

    test('codes, tokens and browser sessions become invalid', async (t) => {
      const server = await startRestartable(kind)
      t.after(server.stop)
      const { party, browser, checks, at } = await signInUpTo('back at the client', server)
      const tokens = await oidc.authorizationCodeGrant(party.config, new URL(at), checks)
      const second = party.createAuthorizationRequest('openid orders:read')
      const code = new URL((await browser.open(second.url)).url)
      const restarted = await server.restart(newSecret)
      const { status, json } = await listOrders(restarted, tokens.access_token)
      assert.equal(`${status} ${json.error_code}`, '401 4012')
      const expected = { error: 'invalid_grant', status: 400 }
      const refresh = String(tokens.refresh_token)
      await assert.rejects(oidc.refreshTokenGrant(party.config, refresh), expected)
      const redeem = oidc.authorizationCodeGrant(party.config, code, second.checks)
      await assert.rejects(redeem, expected)
      const { url } = party.createAuthorizationRequest('openid orders:read', { prompt: 'none' })
      const back = new URL((await browser.open(url)).url)
      assert.equal(back.searchParams.get('error'), 'login_required')
    })
  })
})
