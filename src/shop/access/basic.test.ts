import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { algorithms } from '#http/rate-limit/algorithms/algorithms.ts'
import { createLoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { createPasswordCheck } from '#shop/accounts/passwords/check.ts'
import { openStore } from '#store/database.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import { minuteMs } from '#values/instant.ts'

const basicOf = (name: string, password = testPassword): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
const statusAndCode = ({ status, json }: TestResponse): unknown[] => [status, json?.error_code]

const inMemory = (algorithm: keyof typeof algorithms = 'sliding-window') => ({
  defaultAllowance: { limit: 10, windowMs: minuteMs },
  counters: memoryCounters(algorithms[algorithm]),
})

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind, { composition: { loginLimits: inMemory() } })
  })
  after(() => shop.dispose())

  const profile = (authorization: string, at: Pick<TestApp, 'request'> = shop) =>
    at.request('GET', '/profile', undefined, { authorization })

  test('username and password give every scope of the role', async () => {
    const { username, token } = await shop.signInAs('customer')
    const { json: bearerJson } = await profile(`Bearer ${token}`)
    const { status, json } = await profile(basicOf(username))
    // Basic has no session to sign out of.
    const { logout: _, ...links } = bearerJson._links
    assert.deepEqual([status, json], [200, { ...bearerJson, _links: links }])
  })

  test('the name is the username or the email in any case, and name and password may be Unicode', async () => {
    const password = 'contraseña: ключ 鍵'
    await shop.signUp({ username: 'José', email: 'jose@example.com', password })
    for (const name of ['José', 'JOSÉ', 'jose\u0301', 'Jose@Example.com']) {
      assert.equal((await profile(basicOf(name, password))).status, 200, name)
    }
  })

  test('a wrong name, a wrong password and an account without a password answer alike', async () => {
    const { username } = await shop.signUp()
    const { email } = await shop.signUp({
      username: undefined,
      password: undefined,
      email: `none-${kind}@example.com`,
    })
    const responses = await Promise.all([
      profile(basicOf(username, 'wrong password')),
      profile(basicOf('nobody of this name')),
      profile(basicOf(email)),
      profile(basicOf(username, '')),
      profile(basicOf('')),
    ])
    for (const response of responses) {
      assert.deepEqual(statusAndCode(response), [401, '4012'])
      assert.equal(response.json.details, responses[0]?.json.details)
      assert.match(
        response.headers['www-authenticate'] ?? '',
        /(^|, )Basic realm="cartwright", charset="UTF-8"(, |$)/,
      )
    }
  })

  test('each allowed attempt with a wrong password is recorded once, without what was sent', async () => {
    const { id, username } = await shop.signUp({ username: 'watched' })
    const failures = () =>
      shop.db
        .selectFrom('audit_events')
        .selectAll()
        .where('action', '=', 'sign_in_failed')
        .where('credential', '=', 'basic')
        .orderBy('id')
        .execute()
    const before = (await failures()).length
    const statuses = []
    for (let at = 0; at < 13; at += 1) {
      statuses.push((await profile(basicOf(username, `guess number ${at}`))).status)
    }
    assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(3).fill(429)])
    const recorded = (await failures()).slice(before)
    assert.equal(recorded.length, 10)
    for (const { subject_id, actor_id, address, details, request_id } of recorded) {
      assert.deepEqual([subject_id, actor_id, address, details], [id, null, '127.0.0.1', null])
      assert.ok(request_id)
    }
    assert.equal((await profile(basicOf('nobody at all', 'a password of mine'))).status, 401)
    assert.equal((await failures()).at(-1)?.subject_id, null)
    const everything = JSON.stringify(await failures())
    assert.doesNotMatch(everything, /guess|nobody at all|password of mine|watched/)
  })

  test('a credential that is not a pair in Base64 and UTF-8 answers 401', async () => {
    const latin1 = Buffer.from('jos\xe9:x', 'latin1').toString('base64')
    const malformed = [
      '',
      'x',
      'no colon',
      '!!!!',
      `${basicOf('a').slice(6)} x`,
      '=',
      latin1,
      'AAA6AAA=',
    ]
    for (const text of malformed) {
      assert.deepEqual(statusAndCode(await profile(`Basic ${text}`)), [401, '4012'], text)
    }
  })

  test('over plain HTTP from another machine, correct and wrong passwords answer 403', async () => {
    const { username } = await shop.signUp()
    const from = (remoteAddress: string, authorization: string) =>
      shop.app.inject({ url: '/profile', remoteAddress, headers: { authorization } })
    for (const password of [testPassword, 'wrong password']) {
      const answer = await from('203.0.113.9', basicOf(username, password))
      assert.deepEqual([answer.statusCode, answer.json().error_code], [403, '4031'])
    }
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      assert.equal((await from(address, basicOf(username))).statusCode, 200, address)
    }
  })

  test('a suspension, a removal and a new password take effect at once, in every process', async (t) => {
    const secondStore = await openStore(shop.url)
    const other = await startTestApp('memory', { composition: { store: secondStore } })
    t.after(async () => {
      await other.dispose()
      await secondStore.close()
    })
    const admin = await shop.signInAs('admin')
    const { id, username } = await shop.signUp()
    const inBoth = async (password = testPassword) => {
      const responses = [await profile(basicOf(username, password))]
      responses.push(await profile(basicOf(username, password), other))
      return responses.map(statusAndCode)
    }
    const twice = (expected: unknown) => [expected, expected]
    const change = (body: object) => admin.request('PATCH', `/users/${id}`, body)
    assert.deepEqual(await inBoth(), twice([200, undefined]))
    await change({ status: 'suspended' })
    assert.deepEqual(await inBoth(), twice([403, '4032']))
    assert.deepEqual(await inBoth('wrong password'), twice([401, '4012']))
    await change({ status: 'active', password: 'another password' })
    assert.deepEqual(await inBoth(), twice([401, '4012']))
    assert.deepEqual(await inBoth('another password'), twice([200, undefined]))
    await admin.request('DELETE', `/users/${id}`)
    assert.deepEqual(await inBoth('another password'), twice([401, '4012']))
  })

  test('a request reads its caller in one statement', async () => {
    const { username } = await shop.signUp()
    shop.takeCount()
    const answer = await shop.request('GET', '/users', undefined, {
      authorization: basicOf(username),
    })
    assert.equal(answer.status, 403)
    assert.equal(shop.takeCount(), 1)
  })

  test('ten wrong passwords a minute are verified, then even the correct one answers 429', async (t) => {
    const startedAt = shop.now
    t.after(() => {
      shop.now = startedAt
    })
    const { username } = await shop.signUp()
    const wrong = await Promise.all(
      Array.from({ length: 14 }, (_, at) => profile(basicOf(username, `wrong password ${at}`))),
    )
    assert.deepEqual(wrong.map(({ status }) => status).toSorted(), [
      ...Array(10).fill(401),
      ...Array(4).fill(429),
    ])
    const answer = await profile(basicOf(username))
    assert.deepEqual(statusAndCode(answer), [429, '4291'])
    assert.match(answer.headers['retry-after'] ?? '', /^\d+$/)
    const login = { username, password: testPassword }
    assert.equal((await shop.request('POST', '/login', login)).status, 429)
    shop.now = startedAt + minuteMs + 1
    assert.equal((await profile(basicOf(username))).status, 200)
  })

  test('wrong passwords from an address also block a remembered password from it', async () => {
    const { username } = await shop.signUp()
    assert.equal((await profile(basicOf(username))).status, 200)
    for (let turn = 0; turn < 10; turn += 1) await profile(basicOf(username, `wrong ${turn}`))
    assert.equal((await profile(basicOf(username))).status, 429)
  })

  test('correct passwords spend no attempts, even when many are sent at once', async () => {
    const { username } = await shop.signUp()
    for (let turn = 0; turn < 2; turn += 1) {
      const responses = await Promise.all(
        Array.from({ length: 30 }, () => profile(basicOf(username))),
      )
      assert.ok(responses.every(({ status }) => status === 200))
    }
    const wrong = await profile(basicOf(username, 'wrong password'))
    assert.equal(wrong.status, 401)
  })
})

describe('the password check', () => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp('memory')
  })
  after(() => shop.dispose())
  const attempt = { address: '192.0.2.1', name: 'ada', password: 'right', hash: 'hash of right' }
  const open = (limits = inMemory()) => {
    const hashed = { count: 0 }
    const matches = async (password: string, hash: string | null): Promise<boolean> => {
      hashed.count += 1
      return hash === `hash of ${password}`
    }
    const isCorrect = createPasswordCheck({
      passwords: { matches },
      loginThrottle: createLoginThrottle({ limits }),
    })
    const check = (
      sent: typeof attempt | (Omit<typeof attempt, 'hash'> & { hash: null }),
      at: number,
    ) => {
      const { address, name, password, hash } = sent
      const account = { id: Number.parseInt(name, 36), password_hash: hash, deleted_at: null }
      const auditActor = { actorId: null, credential: 'basic', address, requestId: null, at }
      return isCorrect(shop.db, { name, account, auditActor }, password)
    }
    return { hashed, check }
  }

  test('hashes a correct password once in five minutes, a wrong one every time', async () => {
    const { hashed, check } = open()
    for (const now of [0, 1, 5 * minuteMs - 1]) assert.equal(await check(attempt, now), true)
    assert.equal(hashed.count, 1)
    assert.equal(await check(attempt, 5 * minuteMs), true)
    assert.equal(hashed.count, 2)
    for (let turn = 0; turn < 3; turn += 1) {
      assert.equal(await check({ ...attempt, password: 'wrong' }, 0), false)
    }
    assert.equal(hashed.count, 5)
  })

  test('remembers nothing for another hash, name or address, nor when the clock is set back', async () => {
    const { hashed, check } = open()
    await check(attempt, 1000)
    assert.equal(await check({ ...attempt, hash: 'hash of another' }, 1000), false)
    assert.equal(await check({ ...attempt, hash: null }, 1000), false)
    await check({ ...attempt, name: 'eve' }, 1000)
    await check({ ...attempt, address: '192.0.2.2' }, 1000)
    await check(attempt, 999)
    assert.equal(hashed.count, 6)
  })

  test('an account is the same in every spelling of its name and from every address of its network', async () => {
    const { hashed, check } = open()
    const from = (name: string, host: number) =>
      check({ ...attempt, name, address: `2001:db8::${host}` }, 0)
    for (const name of ['ada', 'Ada', 'aDA', 'ADA']) assert.equal(await from(name, 1), true)
    assert.equal(await from('ada', 2), true)
    assert.equal(hashed.count, 1)
  })

  test('remembers the latest thousand passwords', async () => {
    const { hashed, check } = open()
    const from = (at: number) => check({ ...attempt, address: `10.0.${at >> 8}.${at & 255}` }, 0)
    for (let at = 0; at <= 1000; at += 1) await from(at)
    assert.equal(hashed.count, 1001)
    await from(1000)
    await from(1)
    assert.equal(hashed.count, 1001)
    await from(0)
    assert.equal(hashed.count, 1002)
  })

  for (const algorithm of Object.keys(algorithms) as (keyof typeof algorithms)[]) {
    test(`counts wrong passwords by ${algorithm}`, async () => {
      const { check } = open(inMemory(algorithm))
      for (let turn = 0; turn < 30; turn += 1) assert.equal(await check(attempt, 0), true)
      for (let turn = 0; turn < 10; turn += 1) {
        assert.equal(await check({ ...attempt, password: `wrong ${turn}` }, 0), false)
      }
      await assert.rejects(check(attempt, 0), /4291/)
      await assert.rejects(check({ ...attempt, password: 'wrong' }, 0), /4291/)
      assert.equal(await check({ ...attempt, name: 'bob' }, 0), true)
      assert.equal(await check(attempt, 2 * minuteMs), true)
    })
  }
})
