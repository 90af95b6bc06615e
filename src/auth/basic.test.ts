import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openStore } from '#db/database.ts'
import { algorithms } from '#http/rate-limit/algorithms/algorithms.ts'
import { openLoginThrottle } from '#http/rate-limit/login-throttle.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestResponse,
  testPassword,
} from '#test/support/app.ts'
import { minuteMs } from '#values/instant.ts'
import { openPasswordCheck } from './passwords/check.ts'

const pair = (name: string, password = testPassword): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
const refused = ({ status, json }: TestResponse): unknown[] => [status, json?.error_code]

const inMemory = (algorithm: keyof typeof algorithms = 'sliding-window') => ({
  usual: { limit: 10, windowMs: minuteMs },
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

  test('username and password are a credential with every scope of the role', async () => {
    const { username, token } = await shop.signInAs('customer')
    const { json: told } = await profile(`Bearer ${token}`)
    const { status, json } = await profile(pair(username))
    // There is no session to sign out of.
    const { logout: _, ...links } = told._links
    assert.deepEqual([status, json], [200, { ...told, _links: links }])
  })

  test('the name is the username or the email, in any case, and both may be Unicode', async () => {
    const password = 'contraseña: ключ 鍵'
    await shop.signUp({ username: 'José', email: 'jose@example.com', password })
    for (const name of ['José', 'JOSÉ', 'jose\u0301', 'Jose@Example.com']) {
      assert.equal((await profile(pair(name, password))).status, 200, name)
    }
  })

  test('what is wrong is not told: name, password, or the lack of one', async () => {
    const { username } = await shop.signUp()
    const { email } = await shop.signUp({
      username: undefined,
      password: undefined,
      email: `none-${kind}@example.com`,
    })
    const answers = await Promise.all([
      profile(pair(username, 'wrong password')),
      profile(pair('nobody of this name')),
      profile(pair(email)),
      profile(pair(username, '')),
      profile(pair('')),
    ])
    for (const answer of answers) {
      assert.deepEqual(refused(answer), [401, '4012'])
      assert.equal(answer.json.details, answers[0]?.json.details)
      assert.match(
        answer.headers['www-authenticate'] ?? '',
        /(^|, )Basic realm="cartwright", charset="UTF-8"(, |$)/,
      )
    }
  })

  test('a wrong password is written down once a try that is allowed, without a word of what was sent', async () => {
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
    const answers = []
    for (let at = 0; at < 13; at += 1) {
      answers.push((await profile(pair(username, `guess number ${at}`))).status)
    }
    assert.deepEqual(answers, [...Array(10).fill(401), ...Array(3).fill(429)])
    const written = (await failures()).slice(before)
    assert.equal(written.length, 10)
    for (const { subject_id, actor_id, address, details, request_id } of written) {
      assert.deepEqual([subject_id, actor_id, address, details], [id, null, '127.0.0.1', null])
      assert.ok(request_id)
    }
    assert.equal((await profile(pair('nobody at all', 'a password of mine'))).status, 401)
    assert.equal((await failures()).at(-1)?.subject_id, null)
    const everything = JSON.stringify(await failures())
    assert.doesNotMatch(everything, /guess|nobody at all|password of mine|watched/)
  })

  test('what is no pair in Base64 and UTF-8 answers 401', async () => {
    const latin1 = Buffer.from('jos\xe9:x', 'latin1').toString('base64')
    const bad = ['', 'x', 'no colon', '!!!!', `${pair('a').slice(6)} x`, '=', latin1, 'AAA6AAA=']
    for (const text of bad) {
      assert.deepEqual(refused(await profile(`Basic ${text}`)), [401, '4012'], text)
    }
  })

  test('over plain HTTP from elsewhere it is refused, right or wrong', async () => {
    const { username } = await shop.signUp()
    const from = (remoteAddress: string, authorization: string) =>
      shop.app.inject({ url: '/profile', remoteAddress, headers: { authorization } })
    for (const password of [testPassword, 'wrong password']) {
      const answer = await from('203.0.113.9', pair(username, password))
      assert.deepEqual([answer.statusCode, answer.json().error_code], [403, '4031'])
    }
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      assert.equal((await from(address, pair(username))).statusCode, 200, address)
    }
  })

  test('a suspension, a removal and a new password hold at once, in another process too', async (t) => {
    const secondStore = kind === 'memory' ? shop.store : await openStore(shop.url)
    const other = await startTestApp('memory', { composition: { store: secondStore } })
    t.after(async () => {
      await other.dispose()
      if (kind !== 'memory') await secondStore.close()
    })
    const admin = await shop.signInAs('admin')
    const { id, username } = await shop.signUp()
    const both = async (password = testPassword) => {
      const answers = [await profile(pair(username, password))]
      answers.push(await profile(pair(username, password), other))
      return answers.map(refused)
    }
    const twice = (answer: unknown) => [answer, answer]
    const change = (body: object) => admin.request('PATCH', `/users/${id}`, body)
    assert.deepEqual(await both(), twice([200, undefined]))
    await change({ status: 'suspended' })
    assert.deepEqual(await both(), twice([403, '4032']))
    assert.deepEqual(await both('wrong password'), twice([401, '4012']))
    await change({ status: 'active', password: 'another password' })
    assert.deepEqual(await both(), twice([401, '4012']))
    assert.deepEqual(await both('another password'), twice([200, undefined]))
    await admin.request('DELETE', `/users/${id}`)
    assert.deepEqual(await both('another password'), twice([401, '4012']))
  })

  test('a request takes one statement for its caller', async () => {
    const { username } = await shop.signUp()
    shop.takeCount()
    const answer = await shop.request('GET', '/users', undefined, { authorization: pair(username) })
    assert.equal(answer.status, 403)
    assert.equal(shop.takeCount(), 1)
  })

  test('ten wrong passwords a minute are looked at, and no right one after them', async (t) => {
    const began = shop.now
    t.after(() => {
      shop.now = began
    })
    const { username } = await shop.signUp()
    const wrong = await Promise.all(
      Array.from({ length: 14 }, (_, at) => profile(pair(username, `wrong password ${at}`))),
    )
    assert.deepEqual(wrong.map(({ status }) => status).toSorted(), [
      ...Array(10).fill(401),
      ...Array(4).fill(429),
    ])
    const answer = await profile(pair(username))
    assert.deepEqual(refused(answer), [429, '4291'])
    assert.match(answer.headers['retry-after'] ?? '', /^\d+$/)
    const login = { username, password: testPassword }
    assert.equal((await shop.request('POST', '/login', login)).status, 429)
    shop.now = began + minuteMs + 1
    assert.equal((await profile(pair(username))).status, 200)
  })

  test('who was let in before is stopped by the guesses of the same address too', async () => {
    const { username } = await shop.signUp()
    assert.equal((await profile(pair(username))).status, 200)
    for (let turn = 0; turn < 10; turn += 1) await profile(pair(username, `wrong ${turn}`))
    assert.equal((await profile(pair(username))).status, 429)
  })

  test('right passwords spend nothing, however many are sent at once', async () => {
    const { username } = await shop.signUp()
    for (let turn = 0; turn < 2; turn += 1) {
      const answers = await Promise.all(Array.from({ length: 30 }, () => profile(pair(username))))
      assert.ok(answers.every(({ status }) => status === 200))
    }
    const wrong = await profile(pair(username, 'wrong password'))
    assert.equal(wrong.status, 401)
  })
})

describe('a check of passwords', () => {
  const claim = { address: '192.0.2.1', name: 'ada', password: 'right', hash: 'hash of right' }
  const open = (limits = inMemory()) => {
    const seen = { count: 0 }
    const matches = async (password: string, hash: string | null): Promise<boolean> => {
      seen.count += 1
      return hash === `hash of ${password}`
    }
    return {
      seen,
      check: openPasswordCheck({
        passwords: { matches },
        loginThrottle: openLoginThrottle({ limits }),
      }),
    }
  }

  test('hashes a right password once in five minutes, a wrong one every time', async () => {
    const { seen, check } = open()
    for (const now of [0, 1, 5 * minuteMs - 1]) assert.equal(await check(claim, now), true)
    assert.equal(seen.count, 1)
    assert.equal(await check(claim, 5 * minuteMs), true)
    assert.equal(seen.count, 2)
    for (let turn = 0; turn < 3; turn += 1) {
      assert.equal(await check({ ...claim, password: 'wrong' }, 0), false)
    }
    assert.equal(seen.count, 5)
  })

  test('remembers nothing for another hash, name or address, nor for a clock set back', async () => {
    const { seen, check } = open()
    await check(claim, 1000)
    assert.equal(await check({ ...claim, hash: 'hash of another' }, 1000), false)
    assert.equal(await check({ ...claim, hash: null }, 1000), false)
    await check({ ...claim, name: 'ada@example.com' }, 1000)
    await check({ ...claim, address: '192.0.2.2' }, 1000)
    await check(claim, 999)
    assert.equal(seen.count, 6)
  })

  test('remembers a thousand, and the youngest of them', async () => {
    const { seen, check } = open()
    const from = (at: number) => check({ ...claim, address: `10.0.${at >> 8}.${at & 255}` }, 0)
    for (let at = 0; at <= 1000; at += 1) await from(at)
    assert.equal(seen.count, 1001)
    await from(1000)
    await from(1)
    assert.equal(seen.count, 1001)
    await from(0)
    assert.equal(seen.count, 1002)
  })

  for (const algorithm of Object.keys(algorithms) as (keyof typeof algorithms)[]) {
    test(`counts by ${algorithm} as any other`, async () => {
      const { check } = open(inMemory(algorithm))
      for (let turn = 0; turn < 30; turn += 1) assert.equal(await check(claim, 0), true)
      for (let turn = 0; turn < 10; turn += 1) {
        assert.equal(await check({ ...claim, password: `wrong ${turn}` }, 0), false)
      }
      await assert.rejects(check(claim, 0), /4291/)
      await assert.rejects(check({ ...claim, password: 'wrong' }, 0), /4291/)
      assert.equal(await check({ ...claim, name: 'bob' }, 0), true)
      assert.equal(await check(claim, 2 * minuteMs), true)
    })
  }
})
