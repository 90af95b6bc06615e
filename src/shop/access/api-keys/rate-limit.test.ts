import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { algorithms } from '#http/rate-limit/algorithms/algorithms.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestResponse,
} from '#test/support/app.ts'
import { minuteMs } from '#values/instant.ts'

const defaultAllowance = { limit: 50, windowMs: minuteMs }
const limitOf = ({ headers }: TestResponse) => headers['x-ratelimit-limit']

eachDatabase((kind) => {
  describe('the rate limit of a key', () => {
    let shop: TestApp
    let admin: TestCaller
    let customer: TestCaller
    before(async () => {
      const counters = memoryCounters(algorithms['sliding-window'])
      const limits = { defaultAllowance, counters }
      shop = await startTestApp(kind, { composition: { limits } })
      admin = await shop.signInAs('admin')
      customer = await shop.signInAs('customer')
    })
    after(() => shop.dispose())

    const createKey = async (fields: object = {}, as: Pick<TestCaller, 'request'> = admin) => {
      // Every request here counts towards the default limit.
      shop.now += minuteMs
      const response = await as.request('POST', '/api-keys', { name: 'Robot', ...fields })
      assert.equal(response.status, 201, response.text)
      return response.json
    }
    const withKey = ({ key }: { readonly key: string }): Pick<TestCaller, 'request'> => ({
      request: (method, url, body) =>
        shop.request(method, url, body, { authorization: `Api-Key ${key}` }),
    })
    const readProfile = (key: { readonly key: string }) => withKey(key).request('GET', '/profile')

    test('replaces the default, is shown in the headers and is counted for the key alone', async () => {
      const key = await createKey({ rate_limit: '3/60s' })
      assert.equal(key.rate_limit, '3/60s')
      const responses: TestResponse[] = []
      for (let sent = 0; sent < 4; sent += 1) responses.push(await readProfile(key))
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 200, 429],
      )
      const [first] = responses
      assert.equal(first?.headers['ratelimit-policy'], '"key";q=3;w=60')
      assert.equal(first?.headers['x-ratelimit-remaining'], '2')
      assert.equal(limitOf(await admin.request('GET', '/profile')), '50')
      const plain = await createKey()
      assert.equal(plain.rate_limit, null)
      assert.equal(limitOf(await readProfile(plain)), '50')
    })

    test('may be higher than the default, or off', async () => {
      const fast = await createKey({ rate_limit: '1000/60s' })
      assert.equal(limitOf(await readProfile(fast)), '1000')
      const free = await createKey({ rate_limit: 'off' })
      for (let sent = 0; sent < 60; sent += 1) {
        const { status, headers } = await readProfile(free)
        assert.equal(status, 200)
        assert.equal(headers['ratelimit'], undefined)
      }
    })

    test('is set by administrators only, for the keys of others too', async () => {
      const rejected = await customer.request('POST', '/api-keys', { name: 'x', rate_limit: 'off' })
      assert.equal(rejected.json.error_code, '4031')
      const key = await createKey({}, customer)
      const path = `/api-keys/${key.id}`
      const self = await customer.request('PATCH', path, { rate_limit: '1000/60s' })
      assert.equal(self.json.error_code, '4031')
      const set = await admin.request('PATCH', path, { rate_limit: '1000/60s' })
      assert.equal(set.json.rate_limit, '1000/60s')
      assert.equal(limitOf(await readProfile(key)), '1000')
      const renamed = await customer.request('PATCH', path, { ...set.json, name: 'Checkout' })
      assert.equal(renamed.status, 200, renamed.text)
      assert.equal(renamed.json.name, 'Checkout')
      assert.equal((await admin.request('PATCH', path, { rate_limit: null })).status, 200)
      assert.equal(limitOf(await readProfile(key)), '50')
    })

    test('is not widened by a key, nor by the keys it makes', async () => {
      const key = await createKey({ rate_limit: '9/60s' })
      const robot = withKey(key)
      const widen = await robot.request('PATCH', `/api-keys/${key.id}`, { rate_limit: 'off' })
      assert.equal(widen.json.error_code, '4033')
      const wide = await robot.request('POST', '/api-keys', { name: 'x', rate_limit: 'off' })
      assert.equal(wide.json.error_code, '4033')
      const child = await createKey({}, robot)
      const grandchild = await createKey({}, withKey(child))
      assert.equal(grandchild.rate_limit, '9/60s')
      const remaining: (string | undefined)[] = []
      for (const each of [key, child, grandchild]) {
        remaining.push((await readProfile(each)).headers['x-ratelimit-remaining'])
      }
      assert.deepEqual(remaining, ['8', '7', '6'])
      await admin.request('PATCH', `/api-keys/${key.id}`, { rate_limit: '4/60s' })
      assert.equal(limitOf(await readProfile(grandchild)), '4')
    })

    test('of a wrong form is rejected with 422', async () => {
      for (const rate_limit of ['100', '0/60s', '5/0s', '5/2h', 'OFF', '1/60', '5/60s ']) {
        const { status, json } = await admin.request('POST', '/api-keys', { name: 'x', rate_limit })
        assert.equal(status, 422, rate_limit)
        assert.equal(json.errors[0]?.field, 'rate_limit')
      }
    })

    test('of another time than a minute is accepted', async () => {
      for (const rate_limit of ['5/1s', '10000/1h', '100/5m']) {
        assert.equal(
          (await createKey({ rate_limit, current_password: 'correct horse battery staple' }))
            .rate_limit,
          rate_limit,
        )
      }
    })
  })
})
