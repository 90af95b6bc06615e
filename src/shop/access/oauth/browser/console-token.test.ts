import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { eachDatabase, testPassword } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import {
  createRelyingParty,
  hiddenField,
  TestBrowser,
} from '#test/support/callers/relying-party.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { createTestMailer } from '#test/support/mailer.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let count = 0
  before(async () => {
    shop = await startPayingApp(kind, 1000, { isIssuer: true, hasConsole: true })
    shop.now = Date.now()
  })
  after(() => shop.dispose())

  const scope = 'openid users:read products:write imports:write'

  /** Signs an administrator in at the console, which gets a token for the API. */
  async function signInAtConsole() {
    count += 1
    const email = `admin-${count}@example.com`
    const admin = await shop.signInAs('admin', { email })
    const { issuer } = shop.parts
    const redirect_uri = `${issuer}/console/callback`
    const party = await createRelyingParty(issuer, { client_id: 'cartwright-console' })
    const { url, checks } = party.createAuthorizationRequest(scope, { redirect_uri })
    const browser = new TestBrowser()
    const page = await browser.open(url)
    const csrf = hiddenField(await page.response.text(), 'csrf')
    const fields = { csrf, act: 'sign-in', username: admin.username, password: testPassword }
    let response = await browser.post(page.url, fields)
    let back = page.url
    while (!back.startsWith(redirect_uri)) {
      back = new URL(response.headers.get('location') ?? '', back).href
      if (!back.startsWith(redirect_uri)) response = await browser.get(back)
    }
    const { access_token } = await oidc.authorizationCodeGrant(party.config, new URL(back), checks)
    const authorization = `Bearer ${access_token}`
    const ask = async () =>
      (await shop.request('GET', '/users', undefined, { authorization })).status
    assert.equal(await ask(), 200)
    return { admin, email, browser, ask, operation: await startImport(authorization) }
  }
  async function startImport(authorization: string): Promise<number> {
    const { statusCode, payload } = await shop.app.inject({
      method: 'POST',
      url: '/imports?resource=products',
      headers: { authorization, 'content-type': 'text/csv' },
      payload: `sku,name,price\nCONSOLE-${count},Pan,5\n`,
    })
    assert.equal(statusCode, 202, payload)
    return JSON.parse(payload).id
  }
  const statusOf = async ({ operation }: SignedIn) => {
    const query = shop.db.selectFrom('operations').select('status').where('id', '=', operation)
    return (await query.executeTakeFirst())?.status
  }
  type SignedIn = Awaited<ReturnType<typeof signInAtConsole>>

  const browserSession = async ({ admin }: SignedIn) => {
    const { json } = await admin.request('GET', '/sessions')
    return json.data.find((session: { readonly kind: string }) => session.kind === 'browser')
  }

  const ends: Readonly<Record<string, (signedIn: SignedIn) => Promise<void>>> = {
    'a sign-out': async ({ browser }) => {
      const { issuer } = shop.parts
      const page = await (await browser.get(`${issuer}/oauth/logout`)).text()
      const form = { xsrf: hiddenField(page, 'xsrf'), logout: 'yes' }
      assert.equal((await browser.post(`${issuer}/oauth/logout/confirm`, form)).status, 303)
    },
    'the end of its session by the user': async (signedIn) => {
      const { id } = await browserSession(signedIn)
      assert.equal((await signedIn.admin.request('DELETE', `/sessions/${id}`)).status, 204)
    },
    'a recovery': async ({ email }) => {
      const tokens: string[] = []
      await shop.request('POST', '/password-resets', { email })
      await createTestMailer(shop, '', {
        send: async (_key, { to, text }) => {
          const [, token] = /password-resets\/([\w-]+)/.exec(text) ?? []
          if (to === email && token !== undefined) tokens.push(token)
          return { kind: 'sent' }
        },
      }).run()
      const password = 'another orange kettle'
      const { status } = await shop.request('PUT', `/password-resets/${tokens[0]}`, { password })
      assert.equal(status, 204)
    },
    'the expiry of its session': async (signedIn) => {
      const { id } = await browserSession(signedIn)
      const ended = { expires_at: shop.now }
      await shop.db.updateTable('sessions').set(ended).where('id', '=', id).execute()
    },
    'the suspension of the user': async ({ admin }) => {
      const other = await shop.signInAs('admin')
      const { status } = await other.request('PATCH', `/users/${admin.id}`, { status: 'suspended' })
      assert.equal(status, 200)
    },
  }
  for (const [name, end] of Object.entries(ends)) {
    test(`the token of the console and its imports end with ${name}, and others go on`, async () => {
      const [signedIn, other] = [await signInAtConsole(), await signInAtConsole()]
      await end(signedIn)
      assert.equal(await signedIn.ask(), 401)
      assert.equal(await other.ask(), 200)
      await runWaitingImports(shop)
      assert.deepEqual(
        [await statusOf(signedIn), await statusOf(other)],
        ['cancelled', 'succeeded'],
      )
    })
  }
})
