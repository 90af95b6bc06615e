import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { openStore } from '#db/database.ts'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'
import { askByDigest, type DigestProof, digestNonce } from '#test/support/callers/digest-caller.ts'
import { failedSignIns } from '#test/support/failed-sign-ins.ts'
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

  const nonceOf = () => digestNonce(shop)
  const ask = (proof: DigestProof, url?: string, at: Pick<TestApp, 'request'> = shop) =>
    askByDigest(at, proof, url)

  test('a proof of the password is a credential, in SHA-256 and MD5, and is answered by one', async () => {
    const { username } = await shop.signUp()
    for (const algorithm of ['SHA-256', 'MD5'] as const) {
      const { status, headers, json } = await ask({ username, nonce: await nonceOf(), algorithm })
      assert.deepEqual([status, json.username], [200, username])
      assert.match(headers['authentication-info'] ?? '', /^rspauth="[\da-f]{32,64}", qop=auth,/)
    }
  })

  test('a use of a nonce is taken once, by whichever process, and a lower count never', async (t) => {
    const secondStore = kind === 'memory' ? shop.store : await openStore(shop.url)
    const other = await startTestApp('memory', { composition: { store: secondStore } })
    t.after(async () => {
      await other.dispose()
      if (kind !== 'memory') await secondStore.close()
    })
    const { username } = await shop.signUp()
    const nonce = await nonceOf()
    const status = async (nc: string, at?: Pick<TestApp, 'request'>) =>
      (await ask({ username, nonce, nc }, '/profile', at)).status
    assert.equal(await status('00000002'), 200)
    assert.equal(await status('00000002', other), 401)
    assert.equal(await status('00000001', other), 401)
    assert.equal(await status('00000003', other), 200)
    const replayed = await ask({ username, nonce, nc: '00000003' })
    assert.match(replayed.headers['www-authenticate'] ?? '', /Digest .*stale=true/)
    const many = await Promise.all(Array.from({ length: 6 }, () => status('00000009')))
    assert.equal(many.filter((each) => each === 200).length, 1)
  })

  test('a nonce past its time is stale, and one that is not ours is no nonce', async (t) => {
    const began = shop.now
    t.after(() => {
      shop.now = began
    })
    const { username } = await shop.signUp()
    const nonce = await nonceOf()
    shop.now = began + 5 * minuteMs
    const stale = await ask({ username, nonce })
    assert.deepEqual([stale.status, stale.json.error_code], [401, '4013'])
    assert.match(stale.headers['www-authenticate'] ?? '', /stale=true/)
    const wrong = await ask({ username, nonce, password: 'wrong password' })
    assert.doesNotMatch(wrong.headers['www-authenticate'] ?? '', /stale=true/)
    const forged = await ask({ username, nonce: `${nonce.slice(0, -2)}AA` })
    assert.equal(forged.json.error_code, '4012')
  })

  test('a proof is for one address, name and password, and new ones end it', async () => {
    const { id, username, request } = await shop.signInAs('customer')
    const status = async (sent: Partial<DigestProof>, url?: string) =>
      (await ask({ username, nonce: await nonceOf(), ...sent }, url)).status
    assert.equal(await status({ uri: '/v1/profile?version=1' }), 200)
    assert.equal(await status({ uri: '/profile' }, '/profile?version=1'), 401)
    assert.equal(await status({ password: 'wrong password' }), 401)
    assert.equal(await status({ username: 'nobody' }), 401)
    const change = { password: 'another password', current_password: testPassword }
    await request('PATCH', `/users/${id}`, change)
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

  test('an account without what Digest needs is told how to come by it, as everybody is', async () => {
    const { id, username } = await shop.signUp()
    const blank = { digest_secret: null }
    await shop.db.updateTable('users').set(blank).where('id', '=', id).execute()
    const tries = [
      await ask({ username, nonce: await nonceOf() }),
      await ask({ username, nonce: await nonceOf(), password: 'wrong password' }),
      await ask({ username: 'nobody of this name', nonce: await nonceOf() }),
    ]
    for (const { status, json } of tries) {
      assert.deepEqual([status, json.error_code], [401, '4012'])
      assert.match(json.details, /signs in once by POST \/login/)
      assert.equal(json.details, tries[0]?.json.details)
    }
    await shop.request('POST', '/login', { username, password: testPassword })
    assert.equal((await ask({ username, nonce: await nonceOf() })).status, 200)
  })

  test('who uses an old nonce is given the next one, before it is stale', async (t) => {
    const began = shop.now
    t.after(() => {
      shop.now = began
    })
    const { username } = await shop.signUp()
    const nonce = await nonceOf()
    const infoOf = async (nc: string) =>
      (await ask({ username, nonce, nc })).headers['authentication-info'] ?? ''
    assert.doesNotMatch(await infoOf('00000001'), /nextnonce/)
    shop.now = began + 3 * minuteMs
    const [, next = ''] = /nextnonce="([^"]+)"/.exec(await infoOf('00000002')) ?? []
    shop.now = began + 6 * minuteMs
    assert.equal((await ask({ username, nonce: next })).status, 200)
    const stale = await ask({ username, nonce, nc: '00000003' })
    assert.match(stale.headers['www-authenticate'] ?? '', /stale=true/)
  })

  test('a wrong proof is written down as a failed sign-in, and a nonce that is not ours is not', async () => {
    const { id, username } = await shop.signUp()
    const failures = () => failedSignIns(shop.db, 'digest')
    const before = (await failures()).length
    const sent = { username, nonce: await nonceOf(), password: 'wrong password' }
    assert.equal((await ask(sent)).status, 401)
    assert.equal((await ask({ ...sent, username: 'nobody of that name' })).status, 401)
    assert.equal((await ask({ ...sent, nonce: 'made up' })).status, 401)
    assert.equal((await ask({ username, nonce: sent.nonce })).status, 200)
    assert.deepEqual((await failures()).slice(before), [
      [id, null, '127.0.0.1', null],
      [null, null, '127.0.0.1', null],
    ])
  })

  const skip = spawnSync('curl', ['--version']).status !== 0 && 'curl cannot be run here'
  test('curl signs in by --digest, --basic and --anyauth', { skip }, async () => {
    const { username } = await shop.signUp()
    for (const way of ['--digest', '--basic', '--anyauth']) {
      const options = ['-s', way, '-u', `${username}:${testPassword}`, `${base}/profile`]
      const { stdout } = await run('curl', options)
      assert.equal(JSON.parse(stdout).username, username, way)
    }
  })
})
