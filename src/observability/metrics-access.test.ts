import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '#test/support/app.ts'

const token = 'a token of thirty-two characters'

describe('GET /metrics', () => {
  let guarded: TestApp
  let local: TestApp
  before(async () => {
    guarded = await startTestApp('memory', { composition: { metricsToken: token } })
    local = await startTestApp('memory')
  })
  after(() => Promise.all([guarded.dispose(), local.dispose()]))

  const getMetrics = async (
    shop: TestApp,
    remoteAddress: string,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await shop.app.inject({ url: '/metrics', remoteAddress, headers })
    const code = answer.statusCode === 200 ? undefined : answer.json().error_code
    return { status: answer.statusCode, code, challenge: answer.headers['www-authenticate'] }
  }

  test('answers only clients on this machine without a token', async () => {
    for (const address of ['127.0.0.1', '127.0.0.9', '::1', '::ffff:127.0.0.1']) {
      assert.equal((await getMetrics(local, address)).status, 200, address)
    }
    for (const address of ['203.0.113.9', '10.0.0.1', '2001:db8::1']) {
      const { status, code } = await getMetrics(local, address)
      assert.deepEqual([status, code], [403, '4031'], address)
    }
  })

  test('answers 403 to requests forwarded by a proxy on this machine', async () => {
    for (const name of ['forwarded', 'x-forwarded-for', 'x-real-ip']) {
      assert.equal(
        (await getMetrics(local, '127.0.0.1', { [name]: '127.0.0.1' })).status,
        403,
        name,
      )
    }
  })

  test('answers 403 to a host that is neither this machine nor that of BASE_URL', async (t) => {
    const named = await startTestApp('memory', {
      composition: { baseUrl: 'https://shop.example.com' },
    })
    t.after(() => named.dispose())
    for (const [shop, host, status] of [
      [local, 'localhost:3000', 200],
      [local, '127.0.0.1:3000', 200],
      [local, '[::1]:3000', 200],
      [local, 'rebound.example:3000', 403],
      [local, '127.0.0.1.rebound.example', 403],
      [local, 'shop.example.com', 403],
      [named, 'shop.example.com', 200],
      [named, 'rebound.example', 403],
    ] as const) {
      assert.equal((await getMetrics(shop, '127.0.0.1', { host })).status, status, host)
    }
  })

  test('requires the token from every address when one is set', async () => {
    for (const address of ['127.0.0.1', '203.0.113.9']) {
      assert.equal(
        (await getMetrics(guarded, address, { authorization: `Bearer ${token}` })).status,
        200,
        address,
      )
      const challenge = 'Bearer realm="cartwright metrics"'
      assert.deepEqual(await getMetrics(guarded, address), { status: 401, code: '4011', challenge })
      for (const authorization of [
        'Bearer wrong',
        `Bearer ${token}x`,
        `bearer ${token.slice(1)}`,
      ]) {
        const answer = await getMetrics(guarded, address, { authorization })
        assert.deepEqual(answer, { status: 401, code: '4012', challenge }, authorization)
      }
      const admin = await guarded.signInAs('admin')
      const signedIn = { authorization: `Bearer ${admin.token}` }
      assert.equal((await getMetrics(guarded, address, signedIn)).status, 401)
      const basic = { authorization: `Basic ${Buffer.from(token).toString('base64')}` }
      assert.equal((await getMetrics(guarded, address, basic)).code, '4011')
    }
  })

  test('is described with its security requirement', () => {
    const operationOf = ({ describe }: TestApp) => describe().paths['/metrics']?.['get']
    assert.deepEqual(operationOf(guarded)?.['security'], [{ 'metrics-token': [] }])
    assert.deepEqual(operationOf(local)?.['security'], [])
    const statuses = (shop: TestApp) => Object.keys(operationOf(shop)?.['responses'] as object)
    assert.ok(statuses(guarded).includes('401') && !statuses(guarded).includes('403'))
    assert.ok(statuses(local).includes('403') && !statuses(local).includes('401'))
    assert.match(JSON.stringify(guarded.describe()), /"securitySchemes":\{.*"metrics-token"/)
  })
})
