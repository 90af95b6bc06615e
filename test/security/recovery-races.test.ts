import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recoverUser } from '#shop/accounts/users/actions.ts'
import { findUser, lockUser } from '#shop/accounts/users/store.ts'
import { recoveries } from '#src/server/recoveries.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testPassword,
} from '#test/support/app.ts'
import { waitForLockWaiter } from '#test/support/services/databases.ts'
import { serverActor } from '#values/audit.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  /** Recovers an account, as a reset by mail does; `meanwhile` runs before the commit. */
  const recover = (id: number, meanwhile: () => Promise<unknown> = async () => undefined) =>
    shop.store.transaction(async (db) => {
      await lockUser(db, id)
      const user = await findUser(db, id)
      assert.ok(user)
      const ctx = { db, now: shop.now, auditActor: () => serverActor(shop.now) }
      await recoverUser(ctx, recoveries, user, { ...user, password_hash: 'another' })
      await meanwhile()
    })

  /** Makes what a thief with the password may change, and returns the changes. */
  async function prepare() {
    const user = await shop.signInAs('admin')
    const make = async (url: string, body: object) => {
      const { status, json, text } = await user.request('POST', url, body)
      assert.equal(status, 201, text)
      return json
    }
    const client = await make('/oauth-clients', {
      client_name: 'App',
      redirect_uris: ['https://app.example.com/callback'],
    })
    const key = await make('/api-keys', { name: 'key' })
    const hook = { url: 'https://93.184.215.14/', types: ['order.paid'] }
    const acting = { grant_types: ['client_credentials'], scope: 'users:read' }
    const changes = [
      ['POST', '/api-keys', { name: 'thief' }],
      ['PATCH', `/api-keys/${key.id}`, { name: 'thief' }],
      ['PATCH', `/users/${user.id}`, { email: `thief-${user.id}@example.com` }],
      ['POST', '/webhooks', hook],
      ['PATCH', `/oauth-clients/${client.id}`, acting],
      ['POST', '/oauth-clients', { client_name: 'Thief', ...acting }],
      ['POST', '/user/delete', {}],
    ] as const
    return { user, changes }
  }

  const headersOf = {
    bearer: ({ token }: TestCaller) => ({ authorization: `Bearer ${token}` }),
    basic: ({ username }: TestCaller) => ({
      authorization: `Basic ${btoa(`${username}:${testPassword}`)}`,
    }),
  }

  for (const [scheme, headers] of Object.entries(headersOf)) {
    test(`nothing that is written by ${scheme} while the account is recovered stays`, async () => {
      const { changes } = await prepare()
      for (const at of changes.keys()) {
        const { user, changes } = await prepare()
        const change = changes[at]
        assert.ok(change)
        const [method, url, body] = change
        // Basic remembers the password.
        await shop.request('GET', '/profile', undefined, headers(user))
        const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        const recovery = recover(user.id, () => {
          held.resolve()
          return release.promise
        })
        await held.promise
        const response = shop.request(method, url, body, headers(user))
        await waitForLockWaiter(shop.store)
        release.resolve()
        await recovery
        const { status, text } = await response
        assert.ok(status === 401 || status === 403, `${method} ${url}: ${status} ${text}`)
      }
    })
  }

  test('a password grant that verified the former password gives no tokens', async (t) => {
    const admin = await shop.signInAs('admin')
    const { json: client } = await admin.request('POST', '/oauth-clients', {
      client_name: 'Password',
      grant_types: ['password', 'refresh_token'],
      scope: 'users:read',
    })
    const user = await shop.signInAs('customer')
    const form = { grant_type: 'password', username: user.username, password: testPassword }
    const grant = () =>
      shop.app.inject({
        method: 'POST',
        url: '/oauth/token',
        headers: {
          authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: new URLSearchParams(form).toString(),
      })
    assert.equal((await grant()).statusCode, 200)
    const { matches } = shop.passwords
    t.after(() => Object.assign(shop.passwords, { matches }))
    const held = async (...parts: Parameters<typeof matches>) => {
      const isCorrect = await matches(...parts)
      await recover(user.id)
      return isCorrect
    }
    Object.assign(shop.passwords, { matches: held })
    const { statusCode, body } = await grant()
    assert.deepEqual([statusCode, JSON.parse(body).error], [400, 'invalid_grant'])
    const left = shop.db.selectFrom('oauth_artefacts').select('kind')
    assert.deepEqual(await left.where('user_id', '=', user.id).execute(), [])
  })
})
