import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { slidingWindow } from '#http/rate-limit/algorithms/sliding-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'
import { requestDigestNonce, requestWithDigest } from '#test/support/callers/digest-caller.ts'
import { hourMs, minuteMs } from '#values/instant.ts'

const headersOf = (name: string, password = testPassword) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})
// From other machines, passwords are accepted over HTTPS only.
const overHttps = { 'x-forwarded-proto': 'https' }

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    const counters = memoryCounters(slidingWindow)
    const loginLimits = { defaultAllowance: { limit: 10, windowMs: minuteMs }, counters }
    const httpsPolicy = { plain: 'loopback', isTrustedProxy: () => true } as const
    shop = await startTestApp(kind, { composition: { loginLimits, httpsPolicy } })
  })
  after(() => shop.dispose())
  // Refills the budgets for the next test.
  afterEach(() => {
    shop.now += 2 * hourMs
  })

  const requestFrom = async (
    address: string,
    options: {
      readonly url: string
      readonly payload?: object
      readonly headers?: Record<string, string>
    },
  ) => {
    const { statusCode, headers } = await shop.app.inject({
      method: options.payload ? 'POST' : 'GET',
      remoteAddress: address,
      ...options,
      headers: { ...overHttps, ...options.headers },
    })
    return { status: statusCode, retryAfter: headers['retry-after'] }
  }
  const login = (address: string, username: string, password = testPassword) =>
    requestFrom(address, { url: '/login', payload: { username, password } })
  const renew = (address: string, refresh_token: string) =>
    requestFrom(address, { url: '/login', payload: { refresh_token } })
  const basic = (address: string, name: string, password = testPassword) =>
    requestFrom(address, { url: '/profile', headers: headersOf(name, password) })
  const digest = async (username: string, password = testPassword) =>
    (await requestWithDigest(shop, { username, password, nonce: await requestDigestNonce(shop) }))
      .status

  let guess = 0
  /** Fails as often as one network may, by login, Basic and refresh token. */
  async function exhaust(address: string): Promise<void> {
    for (let at = 0; at < 50; at += 1) {
      guess += 1
      const name = `nobody-${guess}`
      const fail = guess % 3 === 0 ? login : guess % 3 === 1 ? basic : renew
      const { status } = await fail(address, name, 'wrong password')
      assert.equal(status, 401)
    }
  }

  test('after fifty failures, every sign-in from the network answers 429 and no password is hashed', async (t) => {
    const { username, refreshToken } = await shop.signInAs('customer')
    const address = '192.0.2.1'
    await exhaust(address)
    const { mock } = t.mock.method(shop.passwords, 'matches')
    const responses = [
      await login(address, username),
      await login(address, username, 'wrong password'),
      await login(address, 'nobody at all'),
      await basic(address, username),
      await basic(address, username, 'wrong password'),
      await basic(address, 'nobody at all'),
      await renew(address, refreshToken),
      await renew(address, 'no such token'),
    ]
    for (const each of responses) assert.deepEqual(each, { status: 429, retryAfter: '60' })
    assert.equal(mock.callCount(), 0)
    assert.equal((await login('192.0.2.2', username)).status, 200)
    const payload = { username, password: testPassword }
    const { headers } = await shop.app.inject({
      method: 'POST',
      url: '/login',
      remoteAddress: address,
      headers: overHttps,
      payload,
    })
    assert.equal(headers['ratelimit-policy'], '"failures";q=50;w=60')
    assert.equal(headers['ratelimit'], '"failures";r=0;t=60')
    shop.now += minuteMs
    assert.equal((await login(address, username)).status, 200)
  })

  test('all addresses of an IPv6 network share one budget', async () => {
    for (let at = 0; at < 50; at += 1) {
      assert.equal((await login(`2001:db8::${at + 1}`, `name ${at}`, 'wrong')).status, 401)
    }
    assert.equal((await login('2001:db8::ffff', 'another', 'wrong')).status, 429)
    assert.equal((await login('2001:db8:0:1::1', 'another', 'wrong')).status, 401)
  })

  test('Digest answers 429 once the network has failed too often', async () => {
    const { username } = await shop.signUp()
    assert.equal(await digest(username), 200)
    await exhaust('127.0.0.1')
    assert.equal(await digest(username), 429)
    assert.equal(await digest(username, 'wrong password'), 429)
    assert.equal(await digest('nobody at all'), 429)
  })

  test('correct sign-ins from one network spend nothing, at once or in sequence', async () => {
    const names: string[] = []
    for (let at = 0; at < 24; at += 1) names.push((await shop.signUp()).username)
    const address = '192.0.2.3'
    for (let round = 0; round < 4; round += 1) {
      const responses = await Promise.all(names.map((name) => login(address, name)))
      assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    }
    const responses = await Promise.all(names.map((name) => basic(address, name)))
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    assert.equal((await login(address, 'nobody', 'wrong')).status, 401)
  })

  test('concurrent guesses get as many attempts as sequential ones', async () => {
    const { username } = await shop.signUp()
    const guesses = Array.from({ length: 30 }, (_, at) => basic('192.0.2.4', username, `g${at}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 401).length, 10)
    assert.equal(statuses.filter((status) => status === 429).length, 20)
  })

  test('guesses from many networks block an account everywhere but in its known networks', async (t) => {
    const { username, refreshToken, request } = await shop.signInAs('customer')
    assert.equal((await login('198.51.100.7', username)).status, 200)
    assert.equal((await basic('2001:db8:7::1', username)).status, 200)
    await shop.knownNetworks.record(shop.db, shop.now)
    const guessAt = async (name: string) => {
      for (let at = 0; at < 100; at += 1) {
        assert.equal((await login(`10.1.${at}.1`, name, 'wrong')).status, 401, `${at}`)
      }
      const { mock } = t.mock.method(shop.passwords, 'matches')
      for (const password of [testPassword, 'wrong']) {
        const response = await login('10.2.0.1', name.toUpperCase(), password)
        assert.deepEqual(response, { status: 429, retryAfter: '3600' })
        assert.equal((await basic('10.2.0.2', name, password)).status, 429)
      }
      assert.equal(mock.callCount(), 0)
      mock.restore()
    }
    await guessAt(username)
    await guessAt('nobody of this name')
    for (const known of ['198.51.100.7', '127.0.0.1', '2001:db8:7::2']) {
      assert.equal((await login(known, username)).status, 200, known)
      assert.equal((await basic(known, username)).status, 200, known)
      assert.equal((await login(known, username, 'wrong')).status, 401, known)
    }
    assert.equal((await renew('10.2.0.3', refreshToken)).status, 200)
    assert.equal((await request('GET', '/profile')).status, 200)
    const other = await shop.signUp()
    assert.equal((await login('10.2.0.4', other.username)).status, 200)
    shop.now += hourMs
    assert.equal((await login('10.2.0.1', username)).status, 200)
  })

  test('a password sent to delete the account counts as a sign-in attempt', async (t) => {
    const { request } = await shop.signInAs('customer')
    await exhaust('127.0.0.1')
    const { mock } = t.mock.method(shop.passwords, 'matches')
    for (const password of [testPassword, 'wrong']) {
      const { status, headers } = await request('POST', '/user/delete', { password })
      assert.deepEqual([status, headers['retry-after']], [429, '60'])
    }
    assert.equal(mock.callCount(), 0)
    assert.equal((await request('POST', '/user/delete', {})).status, 202)
  })

  test('known networks are exported, and deleted after 90 days', async () => {
    const { id, username, request } = await shop.signInAs('customer')
    await login('198.51.100.9', username)
    await shop.knownNetworks.record(shop.db, shop.now)
    const { json } = await request('GET', `/users/${id}?include=data`)
    const exported: { network: string }[] = json.data.known_networks
    const networks = exported.map(({ network }) => network)
    assert.deepEqual(networks.toSorted(), ['127.0.0.1', '198.51.100.9'])
    const rows = () =>
      shop.db.selectFrom('known_networks').selectAll().where('user_id', '=', id).execute()
    assert.equal((await rows()).length, 2)
    await shop.knownNetworks.record(shop.db, shop.now + 91 * 24 * hourMs)
    assert.equal((await rows()).length, 0)
  })
})
