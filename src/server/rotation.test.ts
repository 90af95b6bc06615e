import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import type { SecretKeys } from '#src/secrets/keys.ts'
import { eachDatabase, startTestApp, type TestApp, type TestResponse } from '#test/support/app.ts'
import {
  requestDigestNonce,
  requestDigestOpaque,
  requestWithDigest,
} from '#test/support/callers/digest-caller.ts'
import type { TemporaryStore } from '#test/support/services/databases.ts'
import { openTemporaryStore } from '#test/support/services/databases.ts'
import { reencryptAll } from './re-encryption.ts'

const oldKey = 'a secret key that has been in use for long'
const newKey = 'a secret key that takes its place from now'

const statusAndCode = ({ status, json }: TestResponse): unknown[] => [status, json?.error_code]
const bearerHeaders = (token: string) => ({ authorization: `Bearer ${token}` })

// Four processes on one database: before, during and after the replacement of SECRET_KEY.
eachDatabase((kind) => {
  let temporaryDb: TemporaryStore
  let withOld: TestApp
  let withOldThenNew: TestApp
  let withNewThenOld: TestApp
  let withNew: TestApp
  before(async () => {
    temporaryDb = await openTemporaryStore(kind)
    const temporary = { ...temporaryDb, dispose: async () => undefined }
    const start = (...secretKeys: SecretKeys) => startTestApp(kind, { temporary, secretKeys })
    withOld = await start(oldKey)
    withOldThenNew = await start(oldKey, newKey)
    withNewThenOld = await start(newKey, oldKey)
    withNew = await start(newKey)
  })
  after(async () => {
    for (const app of [withOld, withOldThenNew, withNewThenOld, withNew]) await app.dispose()
    await temporaryDb.dispose()
  })
  const profile = (app: TestApp, token: string) =>
    app.request('GET', '/profile', undefined, bearerHeaders(token))
  let signUps = 0
  const signInAt = (app: TestApp, role: 'customer' | 'admin' = 'customer') => {
    signUps += 1
    return app.signInAs(role, { username: `rotated-${signUps}` })
  }

  test('a token is accepted where its key is the current or a previous one', async () => {
    const { token } = await signInAt(withOld)
    assert.equal((await profile(withOldThenNew, token)).status, 200)
    assert.equal((await profile(withNewThenOld, token)).status, 200)
    assert.deepEqual(statusAndCode(await profile(withNew, token)), [401, '4012'])
  })

  test('a new token names the current key, and a process without that key rejects it', async () => {
    const { token, username } = await signInAt(withNewThenOld)
    const other = await signInAt(withOld)
    assert.notEqual(decodeProtectedHeader(token).kid, decodeProtectedHeader(other.token).kid)
    assert.deepEqual(statusAndCode(await profile(withOld, token)), [401, '4012'])
    for (const app of [withOldThenNew, withNewThenOld, withNew]) {
      assert.equal((await profile(app, token)).json.username, username)
    }
  })

  test('a session continues after a rotation', async () => {
    const { refreshToken } = await signInAt(withOld)
    const renewed = await withNew.request('POST', '/login', { refresh_token: refreshToken })
    assert.equal(renewed.status, 200)
    assert.equal((await profile(withNew, renewed.json.token)).status, 200)
  })

  test('Digest works with the previous key, and without it after a sign-in', async () => {
    const { username } = await withOld.signUp({ username: `digest-${kind}` })
    const status = async (app: TestApp) =>
      (await requestWithDigest(app, { username, nonce: await requestDigestNonce(app) })).status
    assert.equal(await status(withNewThenOld), 200)
    assert.equal(await status(withNew), 401)
    const body = { username, password: 'correct horse battery staple' }
    assert.equal((await withNewThenOld.request('POST', '/login', body)).status, 200)
    assert.equal(await status(withNew), 200)
  })

  test('a challenge under the previous key is accepted only by a process with that key', async () => {
    const { username } = await withNewThenOld.signUp({ username: `challenged-${kind}` })
    const proof = {
      username,
      nonce: await requestDigestNonce(withOld),
      opaque: await requestDigestOpaque(withOld),
    }
    assert.deepEqual(statusAndCode(await requestWithDigest(withNew, proof)), [401, '4012'])
    assert.equal((await requestWithDigest(withNewThenOld, proof)).status, 200)
  })

  test('a stored response is replayed, and its Idempotency-Key still stands for one request', async () => {
    const { token } = await signInAt(withOld)
    const headers = { ...bearerHeaders(token), 'idempotency-key': 'made before' }
    const created = await withOld.request('POST', '/api-keys', { name: 'Reader' }, headers)
    const replayed = await withNewThenOld.request('POST', '/api-keys', { name: 'Reader' }, headers)
    assert.equal(replayed.headers['idempotent-replayed'], 'true')
    assert.deepEqual([replayed.json.id, replayed.json.key], [created.json.id, created.json.key])
    const other = await withNewThenOld.request('POST', '/api-keys', { name: 'Desk' }, headers)
    assert.deepEqual(statusAndCode(other), [422, '4222'])
  })

  test('after re-encryption, no stored value needs the previous key', async () => {
    const { username } = await withOld.signUp({ username: `encrypted-${kind}` })
    const oauth = await clientToken(withOld)
    const { id, request } = await signInAt(withOld)
    const headers = { 'idempotency-key': 'made long before' }
    const changed = await request('PATCH', `/users/${id}`, { age: 40 }, headers)
    assert.equal(changed.status, 200)
    const digestStatus = async () =>
      (await requestWithDigest(withNew, { username, nonce: await requestDigestNonce(withNew) }))
        .status
    assert.deepEqual([await digestStatus(), (await orders(withNew, oauth)).status], [401, 401])

    const { reencrypted, unreadable } = await reencryptAll(temporaryDb.store.db, [newKey, oldKey])
    assert.ok(reencrypted >= 4, `only ${reencrypted}`)
    assert.equal(unreadable, 0)
    assert.deepEqual(await reencryptAll(temporaryDb.store.db, [newKey, oldKey]), {
      reencrypted: 0,
      unreadable: 0,
    })
    assert.deepEqual(await reencryptAll(temporaryDb.store.db, [newKey]), {
      reencrypted: 0,
      unreadable: 0,
    })
    assert.equal(await digestStatus(), 200)
    const restarted = await startWithNew()
    assert.equal((await orders(restarted, oauth)).status, 200)
    await restarted.dispose()
  })

  /** Starts a process that has not read the signing keys before the re-encryption. */
  const startWithNew = () =>
    startTestApp(kind, {
      temporary: { ...temporaryDb, dispose: async () => undefined },
      secretKeys: [newKey],
    })
  const orders = (app: TestApp, token: string) =>
    app.request('GET', '/orders', undefined, bearerHeaders(token))

  /** Returns the access token of an OAuth client that acts as the admin who registered it. */
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
