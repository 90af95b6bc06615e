import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { CachePurger } from '#http/cache/purger.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import {
  cacheSkipReason,
  type RunningCache,
  sendRequest,
  shippedVarnish,
  startCache,
} from '#test/support/services/caches.ts'
import { freePort } from '#test/support/services/ports.ts'
import { createCaller, shopAdmin, signIn } from '#test/support/services/server.ts'
import { type ServerProcess, start } from '#test/support/services/server-process.ts'

describe('behind the shipped configuration of Varnish', {
  skip: cacheSkipReason(shippedVarnish),
}, () => {
  let folder: string
  let varnish: RunningCache
  let server: ServerProcess
  let token: string
  let origin: number

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cartwright-purges-'))
    origin = await freePort()
    varnish = await startCache(shippedVarnish, origin)
    server = start(folder, {
      PORT: String(origin),
      DEMO_DATA: 'off',
      ADMIN_PASSWORD: shopAdmin.password,
      RATE_LIMIT: 'off',
      CACHE_TAGS: 'surrogate-key',
      CACHE_PURGE_URL: `http://127.0.0.1:${varnish.port}/.cache-purge`,
    })
    const caller = createCaller(await server.url)
    token = await signIn(caller.request, shopAdmin)
    caller.close()
  })
  after(async () => {
    await server?.stop()
    await varnish?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const read = (path: string, headers = {}) => sendRequest(varnish.port, path, headers)
  const write = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await sendRequest(varnish.port, path, headers, method, JSON.stringify(body))
    assert.ok(answer.status < 300, answer.body.toString())
    return JSON.parse(answer.body.toString())
  }
  const isHit = ({ headers }: { headers: IncomingHttpHeaders }) => headers['x-cache'] === 'HIT'

  test('a change of a price drops the product and the lists that show it, and nothing else', async () => {
    const { id } = await write('POST', '/products', { name: 'Kettle', price: 5 })
    const other = await write('POST', '/products', { name: 'Cup', price: 5 })
    const changed = [`/products/${id}`, '/products', `/products/${id}?include=related`]
    const kept = `/products/${other.id}`
    // Products are purged twice, so wait until all are kept.
    await pollUntil(
      () => Promise.all([...changed, kept].map((path) => read(path))),
      (answers) => answers.every(isHit),
    )
    await write('PATCH', `/products/${id}`, { price: 7 })
    for (const path of changed) {
      await pollUntil(
        async () => (await read(path)).body.toString(),
        (body) => /"price":7\b/.test(body),
      )
    }
    assert.ok(isHit(await read(kept)))
  })

  test('keys are not shown to clients, and only the server may purge', async () => {
    const { headers } = await read('/products')
    assert.equal(headers['surrogate-key'] ?? headers['x-keys'], undefined)
    const purge = (fields: Record<string, string>) =>
      sendRequest(varnish.port, '/.cache-purge', fields, 'POST')
    assert.equal(
      (await purge({ 'surrogate-key': 'a', 'x-forwarded-for': '192.0.2.1' })).status,
      403,
    )
    assert.equal((await purge({ 'surrogate-key': 'a)||(b' })).status, 400)
  })

  test('a private response is not kept, nor has it keys', async () => {
    for (const path of ['/profile', '/products']) {
      const headers = { authorization: `Bearer ${token}` }
      await read(path, headers)
      assert.ok(!isHit(await read(path, headers)), path)
      const direct = await sendRequest(origin, path, headers)
      assert.equal(direct.headers['surrogate-key'], undefined, path)
      assert.doesNotMatch(String(direct.headers['cache-control']), /public/)
    }
    assert.equal((await read('/profile')).status, 401)
    const keys = (await sendRequest(origin, '/products')).headers['surrogate-key']
    assert.match(String(keys), /^all catalogue .*product-\d+/)
  })
})

test('a purge as Cloudflare takes it is sent again until it is taken, with thirty keys at most', async (t) => {
  const seen: { readonly authorization: string | undefined; readonly tags: readonly string[] }[] =
    []
  const failures: unknown[] = []
  const cache = createServer(async (request, response) => {
    const { tags } = JSON.parse(await text(request))
    seen.push({ authorization: request.headers.authorization, tags })
    response.writeHead(seen.length === 1 ? 500 : 200).end('{}')
  })
  await new Promise<void>((resolve) => cache.listen(0, '127.0.0.1', resolve))
  const { port } = cache.address() as { port: number }
  const purger = new CachePurger({
    url: `http://127.0.0.1:${port}/purge_cache`,
    style: 'cache-tag',
    token: 'secret',
    onFailure: (error) => failures.push(error),
  })
  t.after(() => {
    purger.stop()
    cache.closeAllConnections()
    cache.close()
  })
  const tags = Array.from({ length: 40 }, (_, index) => `product ${index}`)
  purger.purge(tags)
  await pollUntil(
    async () => new Set(seen.slice(1).flatMap((purge) => purge.tags)),
    (found) => found.size === 41,
  )
  assert.equal(failures.length, 1)
  assert.ok(seen.every((purge) => purge.tags.length <= 30))
  assert.equal(seen[0]?.authorization, 'Bearer secret')
  assert.ok(seen.some((purge) => purge.tags.includes('any')))
  purger.purge(Array.from({ length: 1001 }, (_, index) => `user ${index}`))
  await pollUntil(
    async () => seen.at(-1)?.tags.join(),
    (last) => last === 'all',
  )
  assert.ok(!seen.some((purge) => purge.tags.includes('user-0')))
})
