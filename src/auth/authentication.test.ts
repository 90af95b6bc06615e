import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { startTestApp } from '#test/support/app.ts'

test('a request with two Authorization fields is refused with 400, whatever they are', async (t) => {
  const shop = await startTestApp('memory')
  t.after(() => shop.dispose())
  const { token } = await shop.signInAs('customer')
  const address = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  const answerTo = async (...credentials: string[]): Promise<[unknown, unknown]> => {
    const fields = credentials.flatMap((each) => ['Authorization', each])
    const headers = ['Host', 'shop.test', ...fields, 'Connection', 'close']
    const [answer] = (await once(request(`${address}/profile`, { headers }).end(), 'response')) as [
      IncomingMessage,
    ]
    const text = (await answer.setEncoding('utf8').toArray()).join('')
    return [answer.statusCode, JSON.parse(text).error_code]
  }
  assert.deepEqual(await answerTo(`Bearer ${token}`), [200, undefined])
  assert.deepEqual(await answerTo(`Bearer ${token}`, `Bearer ${token}`), [400, '4001'])
  assert.deepEqual(await answerTo(`Bearer ${token}`, 'Bearer x'), [400, '4001'])
  assert.deepEqual(await answerTo('', ''), [400, '4001'])
})
