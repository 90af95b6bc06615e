import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import type { SecretKeys } from '#auth/keys.ts'
import { eachDatabase, startTestApp, type TestApp, type TestResponse } from '#test/support/app.ts'
import { askByDigest, digestNonce, digestOpaque } from '#test/support/callers/digest-caller.ts'
import type { TemporaryStore } from '#test/support/services/databases.ts'
import { temporaryStore } from '#test/support/services/databases.ts'
import { reencryptAll } from './re-encrypt.ts'

const old = 'a secret key that has been in use for long'
const young = 'a secret key that takes its place from now'

const codeOf = ({ status, json }: TestResponse): unknown[] => [status, json?.error_code]
const bearing = (token: string) => ({ authorization: `Bearer ${token}` })

// Four processes on one database: before, on the way, and after SECRET_KEY was replaced.
eachDatabase((kind) => {
  let place: TemporaryStore
  let earlier: TestApp
  let forewarned: TestApp
  let between: TestApp
  let afterwards: TestApp
  before(async () => {
    place = await temporaryStore(kind)
    const temporary = { ...place, dispose: async () => undefined }
    const under = (...secretKeys: SecretKeys) => startTestApp(kind, { temporary, secretKeys })
    earlier = await under(old)
    forewarned = await under(old, young)
    between = await under(young, old)
    afterwards = await under(young)
  })
  after(async () => {
    for (const app of [earlier, forewarned, between, afterwards]) await app.dispose()
    await place.dispose()
  })
  const profile = (app: TestApp, token: string) =>
    app.request('GET', '/profile', undefined, bearing(token))
  let signUps = 0
  const signInAt = (app: TestApp, role: 'customer' | 'admin' = 'customer') => {
    signUps += 1
    return app.signInAs(role, { username: `rotated-${signUps}` })
  }

  test('a token is taken where its key is known, as the newest or as a previous one', async () => {
    const { token } = await signInAt(earlier)
    assert.equal((await profile(forewarned, token)).status, 200)
    assert.equal((await profile(between, token)).status, 200)
    assert.deepEqual(codeOf(await profile(afterwards, token)), [401, '4012'])
  })

  test('a new token names the newest key, and whoever does not know that one refuses it', async () => {
    const { token, username } = await signInAt(between)
    const other = await signInAt(earlier)
    assert.notEqual(decodeProtectedHeader(token).kid, decodeProtectedHeader(other.token).kid)
    assert.deepEqual(codeOf(await profile(earlier, token)), [401, '4012'])
    for (const app of [forewarned, between, afterwards]) {
      assert.equal((await profile(app, token)).json.username, username)
    }
  })

  test('a session goes on over a rotation, whichever key its tokens name', async () => {
    const { refreshToken } = await signInAt(earlier)
    const renewed = await afterwards.request('POST', '/login', { refresh_token: refreshToken })
    assert.equal(renewed.status, 200)
    assert.equal((await profile(afterwards, renewed.json.token)).status, 200)
  })

  test('Digest works while the previous key is known, and after it, once somebody signed in', async () => {
    const { username } = await earlier.signUp({ username: `digest-${kind}` })
    const status = async (app: TestApp) =>
      (await askByDigest(app, { username, nonce: await digestNonce(app) })).status
    assert.equal(await status(between), 200)
    assert.equal(await status(afterwards), 401)
    const body = { username, password: 'correct horse battery staple' }
    assert.equal((await between.request('POST', '/login', body)).status, 200)
    assert.equal(await status(afterwards), 200)
  })

  test('a challenge of before is met afterwards, and by no process that does not know its key', async () => {
    const { username } = await between.signUp({ username: `challenged-${kind}` })
    const proof = {
      username,
      nonce: await digestNonce(earlier),
      opaque: await digestOpaque(earlier),
    }
    assert.deepEqual(codeOf(await askByDigest(afterwards, proof)), [401, '4012'])
    assert.equal((await askByDigest(between, proof)).status, 200)
  })

  test('an answer that was kept is given again, and its key still holds for one request alone', async () => {
    const { token } = await signInAt(earlier)
    const headers = { ...bearing(token), 'idempotency-key': 'made before' }
    const made = await earlier.request('POST', '/api-keys', { name: 'Till' }, headers)
    const again = await between.request('POST', '/api-keys', { name: 'Till' }, headers)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual([again.json.id, again.json.key], [made.json.id, undefined])
    const other = await between.request('POST', '/api-keys', { name: 'Desk' }, headers)
    assert.deepEqual(codeOf(other), [422, '4222'])
  })

  test('after sealing anew, nothing that is kept needs the previous key any more', async () => {
    const { username } = await earlier.signUp({ username: `sealed-${kind}` })
    const oauth = await clientToken(earlier)
    const { id, request } = await signInAt(earlier)
    const headers = { 'idempotency-key': 'made long before' }
    const made = await request('PATCH', `/users/${id}`, { age: 40 }, headers)
    assert.equal(made.status, 200)
    const byDigest = async () =>
      (await askByDigest(afterwards, { username, nonce: await digestNonce(afterwards) })).status
    assert.deepEqual([await byDigest(), (await orders(afterwards, oauth)).status], [401, 401])

    const { reencrypted, unreadable } = await reencryptAll(place.store.db, [young, old])
    assert.ok(reencrypted >= 4, `only ${reencrypted}`)
    assert.equal(unreadable, 0)
    assert.deepEqual(await reencryptAll(place.store.db, [young, old]), {
      reencrypted: 0,
      unreadable: 0,
    })
    assert.deepEqual(await reencryptAll(place.store.db, [young]), { reencrypted: 0, unreadable: 0 })
    assert.equal(await byDigest(), 200)
    const fresh = await anotherProcess()
    assert.equal((await orders(fresh, oauth)).status, 200)
    await fresh.dispose()
  })

  /** One that has not read the signing keys before they were sealed anew. */
  const anotherProcess = () =>
    startTestApp(kind, {
      temporary: { ...place, dispose: async () => undefined },
      secretKeys: [young],
    })
  const orders = (app: TestApp, token: string) =>
    app.request('GET', '/orders', undefined, bearing(token))

  /** The access token of an OAuth client that acts as whoever has registered it. */
  async function clientToken(app: TestApp): Promise<string> {
    const admin = await signInAt(app, 'admin')
    const { json } = await admin.request('POST', '/oauth-clients', {
      client_name: 'Tracker',
      grant_types: ['client_credentials'],
      scope: 'orders:read',
    })
    const pair = Buffer.from(`${json.client_id}:${json.client_secret}`).toString('base64')
    const { payload } = await app.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: {
        authorization: `Basic ${pair}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'grant_type=client_credentials',
    })
    return JSON.parse(payload).access_token
  }
})
