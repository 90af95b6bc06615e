import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { sendBytes, validUpload } from '#test/support/images/uploads.ts'
import {
  type S3Fault,
  type S3Server,
  s3Credentials,
  s3Region,
  startS3Server,
} from '#test/support/services/doubles/s3-server.ts'
import { createS3Storage } from './s3.ts'
import { createScaler } from './scale.ts'
import type { FileStorage } from './storage.ts'

const object = { bytes: Buffer.from('bytes'), type: 'image/webp' }

describe('a bucket', () => {
  let s3: S3Server
  let storage: FileStorage
  let impatient: FileStorage
  let reported: unknown[] = []
  before(async () => {
    s3 = await startS3Server()
    const options = { ...s3Credentials, region: s3Region, url: s3.url }
    const report = (error: unknown) => reported.push(error)
    storage = createS3Storage({ ...options, timeoutMs: 10_000 }, report)
    impatient = createS3Storage({ ...options, timeoutMs: 300 }, report)
  })
  after(() => s3.close())
  beforeEach(() => {
    s3.fault = () => false
    s3.objects.clear()
    reported = []
  })

  const rejectsAsUnavailable = async (work: Promise<unknown>) => {
    await assert.rejects(work, { code: '5031', headers: { 'retry-after': '5' } })
    assert.ok(reported.length > 0)
  }

  test('keeps, returns and removes objects, with signed requests', async () => {
    await storage.write('a-320.webp', object)
    assert.deepEqual(await storage.read('a-320.webp'), object.bytes)
    await storage.remove('a-320.webp')
    assert.equal(await storage.read('a-320.webp'), undefined)
    await storage.remove('a-320.webp')
    assert.deepEqual(reported, [])
  })

  test('of other credentials is unavailable', async () => {
    const options = { ...s3Credentials, region: s3Region, timeoutMs: 10_000, url: s3.url }
    const other = createS3Storage({ ...options, secretAccessKey: 'other' }, (e) => reported.push(e))
    await rejectsAsUnavailable(other.write('a', object))
    assert.equal(s3.objects.size, 0)
  })

  const answer =
    (status: number, body = '', headers = {}): S3Fault =>
    (_, response) => {
      response.writeHead(status, headers).end(body)
      return true
    }
  const faults: readonly (readonly [string, S3Fault])[] = [
    ['fails', answer(500)],
    ['throttles', answer(503, '<Error><Code>SlowDown</Code></Error>')],
    ['redirects', answer(307, '', { location: 'http://127.0.0.1:9/other' })],
    ['answers in another way', answer(204)],
    ['never answers', () => true],
    ['closes the connection', ({ socket }) => Boolean(socket.destroy())],
    [
      'ends in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('x')
        setImmediate(() => response.destroy())
        return true
      },
    ],
  ]
  for (const [name, fault] of faults) {
    test(`that ${name} is unavailable`, async () => {
      s3.fault = fault
      await rejectsAsUnavailable(impatient.read('a'))
      await rejectsAsUnavailable(impatient.write('a', object))
    })
  }

  test('that acknowledges what it has not stored is unavailable', async () => {
    s3.fault = (request, response) => request.method === 'PUT' && Boolean(response.end())
    await rejectsAsUnavailable(storage.write('a', object))
  })
})

describe('an upload to a bucket', () => {
  let s3: S3Server
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    s3 = await startS3Server()
    const options = { ...s3Credentials, region: s3Region, timeoutMs: 10_000, url: s3.url }
    const storage = createS3Storage(options, () => undefined)
    shop = await startTestApp('sqlite', {
      files: { storage, scaler: createScaler(() => assert.fail()) },
    })
    admin = await shop.signInAs('admin')
  })
  after(async () => {
    await shop.dispose()
    await s3.close()
  })

  test('is done or leaves nothing, and is served only as it was stored', async () => {
    const { id } = await addProduct(admin, {})
    const url = `/products/${id}/images`
    const send = () => sendBytes(shop, admin, url, validUpload.payload, validUpload.headers)
    let writes = 0
    s3.fault = (request, response) => {
      if (request.method !== 'PUT' || ++writes < 3) return false
      response.writeHead(500).end()
      return true
    }
    const failed = await send()
    assert.deepEqual([failed.status, failed.headers['retry-after']], [503, '5'])
    assert.equal((await shop.request('GET', url)).json.pagination.total_items, 0)
    s3.fault = () => false
    const { json, status } = await send()
    assert.equal(status, 201)
    const { pathname } = new URL(json.urls['640'])
    const get = async () => (await shop.app.inject({ url: pathname })).statusCode
    assert.equal(await get(), 200)
    s3.fault = (_, response) => Boolean(response.end('<html>a page of a proxy</html>'))
    assert.equal(await get(), 503)
    s3.fault = () => false
    for (const name of s3.objects.keys()) s3.objects.set(name, Buffer.from('other'))
    assert.equal(await get(), 503)
    s3.objects.clear()
    assert.equal(await get(), 503)
  })
})
