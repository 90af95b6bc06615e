import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { slidingWindow } from '#http/rate-limit/algorithms/sliding-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'
import { minuteMs } from '#values/instant.ts'

const overHttps = { 'x-forwarded-proto': 'https' }

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    const counters = memoryCounters(slidingWindow)
    const limits = { defaultAllowance: { limit: 1000, windowMs: minuteMs }, counters }
    const loginLimits = { defaultAllowance: { limit: 5, windowMs: minuteMs }, counters }
    const httpsPolicy = { plain: 'loopback', isTrustedProxy: () => true } as const
    shop = await startTestApp(kind, { composition: { limits, loginLimits, httpsPolicy } })
  })
  after(() => shop.dispose())

  const signUp = async (remoteAddress: string, fields: object) => {
    const payload = { name: 'Ada', password: testPassword, ...fields }
    const options = { method: 'POST', url: '/users', remoteAddress, payload } as const
    return (await shop.app.inject({ ...options, headers: overHttps })).statusCode
  }

  test('a network has 60 new passwords hashed a minute; those that the rules reject cost none', async () => {
    const user = await shop.signInAs('customer', { username: 'taken' })
    const guest = (await shop.request('POST', '/guests', {})).json
    const authorization = `Bearer ${guest.token}`
    shop.now += 2 * minuteMs
    const { key } = (await user.request('POST', '/api-keys', { name: 'key' })).json
    const rejected = [
      () =>
        shop.request('POST', '/users', { name: 'X', username: 'taken', password: testPassword }),
      () => shop.request('POST', '/users', { name: 'X', password: testPassword }),
      () =>
        shop.request(
          'PATCH',
          `/users/${idOf(guest.token)}`,
          { password: testPassword },
          { authorization },
        ),
      () => user.request('PATCH', `/users/${user.id}`, { password: 'another long one' }),
      () =>
        shop.request(
          'PATCH',
          `/users/${user.id}`,
          { password: 'another long one' },
          { authorization: `Api-Key ${key}` },
        ),
    ]
    for (const [at, send] of rejected.entries()) {
      for (let turn = 0; turn < 15; turn += 1) {
        const { status } = await send()
        assert.ok([400, 403, 409, 422].includes(status), `${at}: ${status}`)
      }
    }
    for (let at = 0; at < 60; at += 1) {
      assert.equal(await signUp('127.0.0.1', { username: `new-${at}` }), 201)
    }
    assert.equal(await signUp('127.0.0.1', { username: 'one-too-many' }), 429)
    assert.equal(await signUp('203.0.113.7', { username: 'elsewhere' }), 201)
    shop.now += 2 * minuteMs
    assert.equal(await signUp('127.0.0.1', { username: 'later' }), 201)
  })

  test('wrong current passwords are recorded and spend the budget of the account', async () => {
    shop.now += 90 * minuteMs
    const user = await shop.signInAs('customer')
    const url = `/users/${user.id}`
    const guess = (at: number) =>
      user.request('PATCH', url, { password: 'a new long one', current_password: `wrong ${at}` })
    for (let at = 0; at < 5; at += 1) assert.equal((await guess(at)).status, 403)
    assert.equal((await guess(5)).status, 429)
    const recorded = await shop.db
      .selectFrom('audit_events')
      .select('actor_id')
      .where('action', '=', 'sign_in_failed')
      .where('subject_id', '=', user.id)
      .execute()
    assert.deepEqual(
      recorded.map(({ actor_id }) => actor_id),
      Array(5).fill(user.id),
    )
    const login = { username: user.username, password: testPassword }
    assert.equal((await shop.request('POST', '/login', login)).status, 429)
  })

  test('the username and the email of an account count together', async () => {
    shop.now += 90 * minuteMs
    const email = `both-${kind}@example.com`
    await shop.signUp({ username: 'both', email })
    const login = (username: string) =>
      shop.request('POST', '/login', { username, password: 'wrong password' })
    for (let at = 0; at < 3; at += 1) assert.equal((await login('both')).status, 401)
    for (let at = 0; at < 2; at += 1) assert.equal((await login(email)).status, 401)
    assert.equal((await login(email)).status, 429)
  })
})

const idOf = (token: string): number =>
  Number(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub)
