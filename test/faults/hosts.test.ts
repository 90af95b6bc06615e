import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openStore } from '#store/database.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import { validUpload } from '#test/support/images/uploads.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { type MailServer, startMailServer } from '#test/support/services/doubles/mail-server.ts'
import {
  type S3Server,
  s3Credentials,
  s3Region,
  startS3Server,
} from '#test/support/services/doubles/s3-server.ts'
import { type OwnRedis, redisServerSkipReason, startRedis } from '#test/support/services/redis.ts'
import {
  type Caller,
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import type { ServerProcess } from '#test/support/services/server-process.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { type LoadBalancer, loadBalancerSkipReason, startLoadBalancer } from './scenarios/front.ts'

const skip = skipReason('postgres') || loadBalancerSkipReason() || redisServerSkipReason()
const preload = import.meta.resolve('./scenarios/clock-preload.ts')
/** How late the clock of each host is. */
const clocks = [0, 5000, -5000]
const card = { method: 'card', token: 'tok_visa' }

describe('three hosts with clocks of their own that share PostgreSQL, Redis, a bucket and nginx', {
  skip,
}, () => {
  let redis: OwnRedis
  let bucket: S3Server
  let mail: MailServer
  let deployment: Deployment
  let loadBalancer: LoadBalancer
  let servers: readonly ServerProcess[]
  let token: string
  let product: number
  const folders: string[] = []
  const callers: Caller[] = []
  /** The administrator at each host, and behind nginx. */
  let hosts: readonly Caller['request'][]
  let front: Caller['request']
  const at = (index: number) => hosts[index] ?? front

  before(async () => {
    ;[redis, bucket, mail] = await Promise.all([startRedis(), startS3Server(), startMailServer()])
    const { origin, pathname } = new URL(bucket.url)
    deployment = await openDeployment('postgres', {
      settings: {
        REDIS_URL: redis.url,
        FILES_URL: `s3:/${pathname}?endpoint=${origin}&region=${s3Region}`,
        AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
        SMTP_URL: mail.url,
        TRUST_PROXY: 'loopback',
        BASE_URL: 'http://localhost:8080',
        NODE_OPTIONS: `--import ${preload}`,
      },
    })
    for (const _ of clocks) folders.push(await mkdtemp(join(tmpdir(), 'cartwright-host-')))
    servers = clocks.map((backMs, index) =>
      deployment.start(0, {
        folder: folders[index] ?? '',
        settings: { CLOCK_BACK_MS: String(backMs) },
      }),
    )
    const urls = await Promise.all(servers.map(({ url }) => url))
    loadBalancer = await startLoadBalancer(urls.map((url) => Number(new URL(url).port)))
    const anonymous = createCaller(loadBalancer.url)
    token = await signIn(anonymous.request, shopAdmin)
    callers.push(anonymous, ...[...urls, loadBalancer.url].map((url) => createCaller(url, token)))
    hosts = callers.slice(1, -1).map(({ request }) => request)
    front = callers.at(-1)?.request ?? anonymous.request
    const kettle = { name: 'Kettle', price: 5, stock: 100 }
    const { json } = await front('POST', '/products', kettle)
    product = json.id
  })
  after(async () => {
    for (const caller of callers) caller.close()
    await loadBalancer?.stop()
    await deployment?.dispose()
    await Promise.all([mail?.close(), bucket?.close(), redis?.kill()])
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  })

  test('serve an image that one of them took', async () => {
    const [first] = await Promise.all(servers.map(({ url }) => url))
    const uploaded = await fetch(`${first}/products/${product}/images`, {
      method: 'POST',
      headers: { ...validUpload.headers, authorization: `Bearer ${token}` },
      body: validUpload.payload,
    })
    assert.equal(uploaded.status, 201, await uploaded.clone().text())
    const image = (await uploaded.json()) as { urls: Record<string, string> }
    const path = new URL(Object.values(image.urls)[0] ?? '').pathname
    for (const request of [...hosts, front]) assert.equal((await request('GET', path)).status, 200)
    assert.equal(bucket.objects.size > 0, true)
  })

  test('show a new price', async () => {
    for (const [index, request] of hosts.entries()) {
      for (const each of hosts) await each('GET', `/products/${product}`)
      const price = 10 + index
      assert.equal((await request('PATCH', `/products/${product}`, { price })).status, 200)
      for (const each of hosts) {
        await pollUntil(
          () => each('GET', `/products/${product}`),
          ({ json }) => json.price === price,
        )
      }
    }
  })

  test('sell each piece once: an order placed at one is paid at the next, also while one is killed', async () => {
    const { json: admin } = await front('GET', '/profile')
    const orders = `/users/${admin.id}/orders`
    const body = { items: [{ product_id: product, quantity: 1 }], shipping: testShipping }
    const paid: number[] = []
    for (let turn = 0; turn < 9; turn += 1) {
      if (turn === 6) servers[2]?.process.kill('SIGKILL')
      const [place, pay] = turn < 6 ? [at(turn % 3), at((turn + 1) % 3)] : [front, front]
      const key = { 'idempotency-key': randomUUID() }
      const placed = await pollUntil(
        async () => place('POST', orders, body, key).catch(() => undefined),
        (answer) => answer !== undefined && answer.status < 500,
      )
      assert.equal(placed?.status, 201, String(placed?.text))
      const payment = `${orders}/${placed?.json.id}/payment`
      const answer = await pollUntil(
        async () =>
          pay('POST', payment, card, { 'idempotency-key': `${turn}` }).catch(() => undefined),
        (found) => found !== undefined && found.status < 500,
      )
      assert.ok(answer?.status === 201 || answer?.status === 202, String(answer?.text))
      paid.push(placed?.json.id)
    }
    const path = '/events?type=order.paid&limit=100'
    const events = await pollUntil(
      async () => (await front('GET', path)).json?.data ?? [],
      (data) => data.length >= paid.length,
    )
    const subjects = events.map(({ subject }: { subject: string }) => subject)
    assert.deepEqual(
      subjects.map((subject: string) => Number(subject.split('/').at(-1))).sort(),
      [...paid].sort(),
    )
    const store = await openStore(deployment.databaseUrl)
    await reconcile(store.db).finally(() => store.close())
  })
})
