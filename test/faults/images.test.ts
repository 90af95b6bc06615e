import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { sendRequest } from '#test/support/services/caches.ts'
import { skipReason } from '#test/support/services/databases.ts'
import {
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import { type LoadBalancer, loadBalancerSkipReason, startLoadBalancer } from './scenarios/front.ts'

const skip = skipReason('postgres') || loadBalancerSkipReason()
const portOf = (url: string): number => Number(new URL(url).port)

/** A photo of 4 to 10 MiB: noise cannot be compressed. */
const makePhoto = (): Promise<Buffer> =>
  sharp(randomBytes(1400 * 1000 * 3), { raw: { width: 1400, height: 1000, channels: 3 } })
    .png()
    .toBuffer()

describe('images of two processes behind nginx', { skip }, () => {
  let deployment: Deployment
  let loadBalancer: LoadBalancer
  let ports: readonly number[]
  let token: string
  let images: string
  const upload = (body: Buffer) =>
    fetch(`${loadBalancer.url}${images}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
      body: Uint8Array.from(body),
    })

  before(async () => {
    deployment = await openDeployment('postgres', {
      settings: { TRUST_PROXY: 'loopback', BASE_URL: 'https://shop.example.com' },
    })
    const urls = await Promise.all([deployment.start().url, deployment.start().url])
    ports = urls.map(portOf)
    loadBalancer = await startLoadBalancer(ports)
    const anonymous = createCaller(loadBalancer.url)
    token = await signIn(anonymous.request, shopAdmin)
    anonymous.close()
    const { request, close } = createCaller(loadBalancer.url, token)
    const { json } = await request('POST', '/products', { name: 'Kettle', price: 5 })
    close()
    images = `/products/${json.id}/images`
  })
  after(async () => {
    await loadBalancer?.stop()
    await deployment?.dispose()
  })

  test('are uploaded, and served as each process serves them', async () => {
    const photo = await makePhoto()
    assert.ok(photo.length > 4 * 1024 ** 2 && photo.length < 10 * 1024 ** 2)
    const response = await upload(photo)
    assert.equal(response.status, 201, await response.clone().text())
    const { urls } = (await response.json()) as { urls: Record<string, string> }
    for (const each of Object.values(urls)) {
      const { pathname } = new URL(each)
      const forwarded = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '127.0.0.1' }
      // Each process serves some of them.
      for (const port of [...ports, ...ports]) {
        const [proxied, direct] = await Promise.all([
          sendRequest(portOf(loadBalancer.url), pathname),
          sendRequest(port, pathname, forwarded),
        ])
        assert.equal(proxied.status, 200)
        assert.deepEqual(proxied.body, direct.body)
        assert.equal((await sharp(proxied.body).metadata()).format, 'webp')
        assert.deepEqual(comparable(proxied.headers), comparable(direct.headers))
        assert.equal(proxied.headers['content-type'], 'image/webp')
        assert.equal(proxied.headers['cache-control'], 'public, max-age=31536000, immutable')
        assert.equal(proxied.headers['x-content-type-options'], 'nosniff')
        assert.match(String(proxied.headers['content-security-policy']), /default-src 'none'/)
        const known = { 'if-none-match': String(proxied.headers['etag']) }
        const again = await sendRequest(portOf(loadBalancer.url), pathname, known)
        assert.deepEqual([again.status, again.body.length], [304, 0])
      }
    }
  })

  test('that are too large are rejected by the server, as a problem', async () => {
    const response = await upload(Buffer.alloc(10.9 * 1024 ** 2))
    assert.equal(response.status, 413)
    assert.match(await response.text(), /"error_code":"4131"/)
  })

  test('lead to no other file, no metrics and no listing', async () => {
    const paths = [
      '/files',
      '/files/',
      '/files/..',
      '/files/../package.json',
      '/files/../../../../etc/passwd',
      '/files/%2e%2e/package.json',
      '/files/%2e%2e%2fpackage.json',
      '/files/..%2f..%2f..%2f..%2fetc%2fpasswd',
      '/files/%252e%252e%252fpackage.json',
      '/files/..%5cpackage.json',
      '/files/%00',
      '/files/../metrics',
      '/files/%2e%2e/metrics',
    ]
    for (const path of paths) {
      const { status, headers, body } = await sendRequest(portOf(loadBalancer.url), path)
      assert.ok(status === 400 || status === 404, `${path}: ${status}`)
      assert.equal(headers['set-cookie'], undefined)
      assert.doesNotMatch(body.toString(), /root:|"dependencies"|# HELP|<a href/, path)
    }
  })
})

/** The headers of a response without those that name the request or the connection. */
function comparable(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const varying = ['date', 'connection', 'keep-alive', 'server', 'x-request-id']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !varying.includes(name)))
}
