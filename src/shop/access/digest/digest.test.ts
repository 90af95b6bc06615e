import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { openStore } from '#store/database.ts'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'
import {
  type DigestProof,
  requestDigestNonce,
  requestWithDigest,
} from '#test/support/callers/digest-caller.ts'
import { readFailedSignIns } from '#test/support/failed-sign-ins.ts'
import { minuteMs } from '#values/instant.ts'

const run = promisify(execFile)

eachDatabase((kind) => {
  let shop: TestApp
  let base: string
  before(async () => {
    shop = await startTestApp(kind)
    base = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => shop.dispose())

  const newNonce = () => requestDigestNonce(shop)
  const request = (proof: DigestProof, url?: string, at: Pick<TestApp, 'request'> = shop) =>
    requestWithDigest(at, proof, url)

  test('a correct response in SHA-256 or MD5 is accepted, and the server proves itself too', async () => {
    const { username } = await shop.signUp()
    for (const algorithm of ['SHA-256', 'MD5'] as const) {
      const { status, headers, json } = await request({
        username,
        nonce: await newNonce(),
        algorithm,
      })
      assert.deepEqual([status, json.username], [200, username])
      assert.match(headers['authentication-info'] ?? '', /^rspauth="[\da-f]{32,64}", qop=auth,/)
    }
  })

  test('a nonce count is accepted once over all processes, and never a lower one', async (t) => {
    const secondStore = await openStore(shop.url)
    const other = await startTestApp('memory', { composition: { store: secondStore } })
    t.after(async () => {
      await other.dispose()
      await secondStore.close()
    })
    const { username } = await shop.signUp()
    const nonce = await newNonce()
    const status = async (nc: string, at?: Pick<TestApp, 'request'>) =>
      (await request({ username, nonce, nc }, '/profile', at)).status
    assert.equal(await status('00000002'), 200)
    assert.equal(await status('00000002', other), 401)
    assert.equal(await status('00000001', other), 401)
    assert.equal(await status('00000003', other), 200)
    const replayed = await request({ username, nonce, nc: '00000003' })
    assert.match(replayed.headers['www-authenticate'] ?? '', /Digest .*stale=true/)
    const many = await Promise.all(Array.from({ length: 6 }, () => status('00000009')))
    assert.equal(many.filter((each) => each === 200).length, 1)
  })

  test('an expired nonce is stale, and a nonce of another server is invalid', async (t) => {
    const startedAt = shop.now
    t.after(() => {
      shop.now = startedAt
    })
    const { username } = await shop.signUp()
    const nonce = await newNonce()
    shop.now = startedAt + 5 * minuteMs
    const stale = await request({ username, nonce })
    assert.deepEqual([stale.status, stale.json.error_code], [401, '4013'])
    assert.match(stale.headers['www-authenticate'] ?? '', /stale=true/)
    const wrong = await request({ username, nonce, password: 'wrong password' })
    assert.doesNotMatch(wrong.headers['www-authenticate'] ?? '', /stale=true/)
    const forged = await request({ username, nonce: `${nonce.slice(0, -2)}AA` })
    assert.equal(forged.json.error_code, '4012')
  })

  test('a response is valid for one URI, username and password, and a change of them ends it', async () => {
    const customer = await shop.signInAs('customer')
    const { id, username } = customer
    const status = async (proof: Partial<DigestProof>, url?: string) =>
      (await request({ username, nonce: await newNonce(), ...proof }, url)).status
    assert.equal(await status({ uri: '/v1/profile?version=1' }), 200)
    assert.equal(await status({ uri: '/profile' }, '/profile?version=1'), 401)
    assert.equal(await status({ password: 'wrong password' }), 401)
    assert.equal(await status({ username: 'nobody' }), 401)
    const change = { password: 'another password', current_password: testPassword }
    await customer.request('PATCH', `/users/${id}`, change)
    assert.equal(await status({}), 401)
    assert.equal(await status({ password: 'another password' }), 200)
    const login = { username, password: 'another password' }
    const { json } = await shop.request('POST', '/login', login)
    const authorization = `Bearer ${json.token}`
    const renamed = `renamed-${kind}`
    const renaming = { username: renamed, current_password: 'another password' }
    await shop.request('PATCH', `/users/${id}`, renaming, { authorization })
    assert.equal(await status({ ...login, username: renamed }), 401)
    await shop.request('POST', '/login', { ...login, username: renamed })
    assert.equal(await status({ ...login, username: renamed }), 200)
  })

  test('without a Digest secret, the response says how to get one, as for any wrong response', async () => {
    const { id, username } = await shop.signUp()
    const erased = { digest_secret: null }
    await shop.db.updateTable('users').set(erased).where('id', '=', id).execute()
    const responses = [
      await request({ username, nonce: await newNonce() }),
      await request({ username, nonce: await newNonce(), password: 'wrong password' }),
      await request({ username: 'nobody of this name', nonce: await newNonce() }),
    ]
    for (const { status, json } of responses) {
      assert.deepEqual([status, json.error_code], [401, '4012'])
      assert.match(json.details, /must first sign in once with POST \/login/)
      assert.equal(json.details, responses[0]?.json.details)
    }
    await shop.request('POST', '/login', { username, password: testPassword })
    assert.equal((await request({ username, nonce: await newNonce() })).status, 200)
  })

  test('an aging nonce is answered with the next one before it is stale', async (t) => {
    const startedAt = shop.now
    t.after(() => {
      shop.now = startedAt
    })
    const { username } = await shop.signUp()
    const nonce = await newNonce()
    const infoOf = async (nc: string) =>
      (await request({ username, nonce, nc })).headers['authentication-info'] ?? ''
    assert.doesNotMatch(await infoOf('00000001'), /nextnonce/)
    shop.now = startedAt + 3 * minuteMs
    const [, next = ''] = /nextnonce="([^"]+)"/.exec(await infoOf('00000002')) ?? []
    shop.now = startedAt + 6 * minuteMs
    assert.equal((await request({ username, nonce: next })).status, 200)
    const stale = await request({ username, nonce, nc: '00000003' })
    assert.match(stale.headers['www-authenticate'] ?? '', /stale=true/)
  })

  test('a wrong response is recorded as a failed sign-in, an invalid nonce is not', async () => {
    const { id, username } = await shop.signUp()
    const failures = () => readFailedSignIns(shop.db, 'digest')
    const before = (await failures()).length
    const proof = { username, nonce: await newNonce(), password: 'wrong password' }
    assert.equal((await request(proof)).status, 401)
    assert.equal((await request({ ...proof, username: 'nobody of that name' })).status, 401)
    assert.equal((await request({ ...proof, nonce: 'made up' })).status, 401)
    assert.equal((await request({ username, nonce: proof.nonce })).status, 200)
    assert.deepEqual((await failures()).slice(before), [
      [id, null, '127.0.0.1', null],
      [null, null, '127.0.0.1', null],
    ])
  })

  const skip = spawnSync('curl', ['--version']).status !== 0 && 'curl cannot be run here'
  test('curl signs in with --digest, --basic and --anyauth', { skip }, async () => {
    const { username } = await shop.signUp()
    for (const option of ['--digest', '--basic', '--anyauth']) {
      const options = ['-s', option, '-u', `${username}:${testPassword}`, `${base}/profile`]
      const { stdout } = await run('curl', options)
      assert.equal(JSON.parse(stdout).username, username, option)
    }
  })
})
