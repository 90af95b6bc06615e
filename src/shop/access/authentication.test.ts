import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { startTestApp } from '#test/support/app.ts'

test('a request with two Authorization header fields answers 400, whatever their values', async (t) => {
  const shop = await startTestApp('memory')
  t.after(() => shop.dispose())
  const { token } = await shop.signInAs('customer')
  const address = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  const statusAndCode = async (...credentials: string[]): Promise<[unknown, unknown]> => {
    const fields = credentials.flatMap((each) => ['Authorization', each])
    const headers = ['Host', 'shop.test', ...fields, 'Connection', 'close']
    const sent = request(`${address}/profile`, { headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = (await response.setEncoding('utf8').toArray()).join('')
    return [response.statusCode, JSON.parse(text).error_code]
  }
  assert.deepEqual(await statusAndCode(`Bearer ${token}`), [200, undefined])
  assert.deepEqual(await statusAndCode(`Bearer ${token}`, `Bearer ${token}`), [400, '4001'])
  assert.deepEqual(await statusAndCode(`Bearer ${token}`, 'Bearer x'), [400, '4001'])
  assert.deepEqual(await statusAndCode('', ''), [400, '4001'])
})
