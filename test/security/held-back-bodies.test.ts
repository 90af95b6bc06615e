import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'

/** Longer than a body may take without a second check of every credential. */
const heldBackMs = 150

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller

  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => shop.dispose())

  /** Sends the header fields of a write, runs `meanwhile`, and sends the body. */
  async function holdBack(
    caller: Pick<TestCaller, 'token'>,
    { method, path, body }: { method: string; path: string; body: object | string },
    meanwhile: () => Promise<unknown>,
  ): Promise<{ status: number; code: string | undefined }> {
    const { port } = shop.app.server.address() as AddressInfo
    const isText = typeof body === 'string'
    const content = isText ? body : JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${caller.token}`,
      'content-type': isText ? 'text/csv' : 'application/json',
      'content-length': Buffer.byteLength(content),
      connection: 'close',
    }
    const sent = request({ port, host: '127.0.0.1', method, path, headers })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject)
    })
    sent.flushHeaders()
    await sleep(heldBackMs)
    await meanwhile()
    sent.end(content)
    const response = await answered
    const answer = await text(response)
    const { error_code } = answer === '' ? {} : JSON.parse(answer)
    return { status: response.statusCode ?? 0, code: error_code }
  }

  const writesOf = ({ id }: TestCaller) => [
    { method: 'PATCH', path: `/users/${id}`, body: { role: 'admin', status: 'active' } },
    { method: 'POST', path: '/users', body: { name: 'Eve', username: 'eve', role: 'admin' } },
    { method: 'POST', path: '/api-keys', body: { name: 'Late' } },
    { method: 'POST', path: '/products', body: { name: 'Late', price: 1 } },
  ]

  const ends = {
    demoted: (id: number) => admin.request('PATCH', `/users/${id}`, { role: 'customer' }),
    suspended: (id: number) => admin.request('PATCH', `/users/${id}`, { status: 'suspended' }),
    erased: (id: number) => admin.request('DELETE', `/users/${id}`),
  }
  for (const [name, end] of Object.entries(ends)) {
    test(`an administrator who is ${name} before the body arrives changes nothing`, async () => {
      for (const at of [0, 1, 2, 3]) {
        const other = await shop.signInAs('admin')
        const write = writesOf(other)[at]
        assert.ok(write)
        const { status } = await holdBack(other, write, async () => {
          assert.ok((await end(other.id)).status < 300)
        })
        assert.ok(status === 401 || status === 403, `${write.method} ${write.path}: ${status}`)
      }
    })
  }

  test('a session that ends before the body arrives writes nothing', async () => {
    for (const [path, body] of [
      ['/api-keys', { name: 'Late' }],
      ['/products', { name: 'Late', price: 1 }],
      ['/imports?resource=products', 'sku,name,price\nLATE,Late,1\n'],
    ] as const) {
      const other = await shop.signInAs('admin')
      const write = { method: 'POST', path, body }
      const { status, code } = await holdBack(other, write, async () => {
        const ended = await other.request('DELETE', `/sessions/${other.sessionId}`)
        assert.equal(ended.status, 204)
      })
      assert.deepEqual([status, code], [401, '4012'], path)
    }
    const buyer = await shop.signInAs('customer')
    const item = { method: 'POST', path: '/cart', body: { product_id: 1, quantity: 1 } }
    const late = await holdBack(buyer, item, async () => {
      const ended = await buyer.request('DELETE', `/sessions/${buyer.sessionId}`)
      assert.equal(ended.status, 204)
    })
    assert.equal(late.status, 401)
  })

  test('a body that is late is read while the credential is unchanged', async () => {
    const body = { name: 'Held back', price: 1 }
    const late = { method: 'POST', path: '/products', body }
    assert.equal((await holdBack(admin, late, async () => undefined)).status, 201)
  })
})
