import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { slidingWindow } from '#http/rate-limit/algorithms/sliding-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import { httpProvider } from '#shop/providers/http/http-provider.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { minuteMs, secondMs } from '#values/instant.ts'

const secret = 'the secret of the provider'
const charge = { key: 'order-1-1', status: 'succeeded', reference: 'ch_1', sequence: 1 }
const notification = JSON.stringify({ ...charge, amount: 100, currency: 'USD' })

describe('notifications of the payment provider', () => {
  let shop: TestApp
  before(async () => {
    const defaultAllowance = { limit: 5, windowMs: minuteMs }
    const limits = { defaultAllowance, counters: memoryCounters(slidingWindow) }
    // Notifications of unknown payments never reach the provider.
    const endpoint = { baseUrl: 'http://127.0.0.1:9', timeoutMs: 100, name: 'sandbox' }
    const provider = httpProvider({ ...endpoint, secret })
    shop = await startTestApp('memory', { provider, composition: { limits } })
  })
  after(() => shop.dispose())

  const send = async (payload: string, address: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: answered } = await shop.app.inject({
      method: 'POST',
      url: '/payment-notifications',
      remoteAddress: address,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })
    return { status: statusCode, headers: answered }
  }
  const signed = (
    address: string,
    headers: Record<string, string> = {},
    payload = notification,
  ) => {
    const seconds = Math.floor(shop.now / secondMs)
    const mac = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex')
    return send(payload, address, {
      'sandbox-signature': `t=${seconds},v1=${mac}`,
      ...headers,
    })
  }
  const forged = (address: string) => send(notification, address)
  const malformed = (address: string) => send('{"key":', address)

  test('that are signed are accepted in any number, also while others are rejected', async () => {
    const address = '192.0.2.1'
    for (let turn = 0; turn < 20; turn += 1) {
      const { status, headers } = await signed(address)
      assert.deepEqual([status, headers['ratelimit']], [200, undefined])
    }
    const rejected = []
    for (let turn = 0; turn < 4; turn += 1) {
      rejected.push((await forged(address)).status, (await malformed(address)).status)
    }
    assert.deepEqual(rejected, [400, 400, 400, 400, 400, 429, 429, 429])
    const { headers } = await forged(address)
    assert.equal(headers['retry-after'], '60')
    assert.equal((await signed(address)).status, 200)
    assert.equal((await forged('192.0.2.2')).status, 400)
    shop.now += minuteMs
    assert.equal((await forged(address)).status, 400)
  })

  test('that are signed, but about nothing of the shop, are accepted and ignored', async () => {
    for (const payload of ['{}', '{"type":"payout.paid"}', '{"key":5}', notification]) {
      assert.equal((await signed('192.0.2.4', {}, payload)).status, 200, payload)
    }
  })

  test('ignore an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'one and the same' }
    assert.equal((await signed('192.0.2.3', key)).status, 200)
    assert.equal((await send(notification, '192.0.2.3', key)).status, 400)
    const again = await signed('192.0.2.3', key)
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, undefined])
    const long = await signed('192.0.2.3', { 'idempotency-key': 'x'.repeat(300) })
    assert.equal(long.status, 200)
    const rows = await shop.db.selectFrom('idempotency_keys').select('name').execute()
    assert.deepEqual(rows, [])
  })
})
