import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, entryAt, type Random } from '#src/demo/random.ts'
import { type Db, openStore } from '#store/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { repeatWhileOverloaded } from '#test/support/services/overload.ts'
import { freePort } from '#test/support/services/ports.ts'
import {
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

/**
 * When the server is killed: about when it stores the refund, when the request reaches the provider,
 * when the provider has made the refund, or while its answer is being stored.
 */
export const killPoints = ['storing', 'stored', 'refunded', 'settling'] as const
type KillPoint = (typeof killPoints)[number]

/** A PATCH or POST that returns money, and its Idempotency-Key. */
interface RefundRequest {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: object
  readonly key: string
}

interface Shop {
  readonly deployment: Deployment
  readonly proxy: RefundProxy
  readonly port: number
  readonly url: string
  readonly random: Random
  readonly product: number
  token: string
}

const firstStock = 1_000_000
const storingMs = 6
const settlingMs = 4
const ordersPerKill = 4
// Access tokens expire after 15 minutes, and a start may take seconds.
const runsPerToken = 20

/**
 * Kills a server `runs` times at each point of refunds of several orders at once, and asserts that
 * afterwards each intention was refunded once, at the provider and here, and never more than was paid.
 */
export async function runRefundKills(
  kind: StoreKind,
  runs: number,
  log: (line: string) => void,
): Promise<void> {
  const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  log(`TEST_SEED=${seed}`)
  const proxy = await openProxy()
  const deployment = await openDeployment(kind, {
    // Long enough that only a kill loses an answer.
    settings: { PAYMENT_PROVIDER_URL: proxy.url, PAYMENT_TIMEOUT_MS: '5000' },
  })
  proxy.target = deployment.providerUrl
  try {
    const shop = await openShop(deployment, proxy, createRandom(seed))
    const sent: RefundRequest[] = []
    for (let run = 0; run < runs * killPoints.length; run += 1) {
      const point = killPoints[run % killPoints.length] ?? 'storing'
      sent.push(...(await killOnce(shop, point, run % runsPerToken === 0)))
    }
    await finish(shop, sent, log)
  } finally {
    await deployment.dispose()
    proxy.close()
  }
}

/** A proxy before the provider that can stop the requests for refunds. */
interface RefundProxy {
  readonly url: string
  target: string
  /** Called when a refund is asked for or made; false stops its request or response. */
  onRefund: (phase: 'asked' | 'made') => boolean
  readonly close: () => void
}

async function openProxy(): Promise<RefundProxy> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = 'GET', url = '/', headers } = request
      const isRefund = method === 'PUT' && url.includes('/refunds/')
      if (isRefund && !proxy.onRefund('asked')) return
      const forwarded = send(new URL(url, proxy.target), { method, headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          if (isRefund && !proxy.onRefund('made')) return
          response.writeHead(answer.statusCode ?? 0, answer.headers).end(Buffer.concat(parts))
        })
      })
      forwarded.on('error', () => response.destroy())
      forwarded.end(Buffer.concat(chunks))
    })
    response.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: RefundProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    onRefund: () => true,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

async function openShop(deployment: Deployment, proxy: RefundProxy, random: Random): Promise<Shop> {
  const port = await freePort()
  const server = deployment.start(port)
  const url = await server.url
  const caller = createCaller(url)
  const token = await signIn(repeatWhileOverloaded(caller.request), shopAdmin)
  const admin = createCaller(url, token)
  const { json } = await repeatWhileOverloaded(admin.request)('POST', '/products', {
    name: 'Kettle',
    price: 3.33,
    stock: firstStock,
  })
  caller.close()
  admin.close()
  await server.stop()
  return { deployment, proxy, port, url, random, token, product: json.id }
}

/** Starts the server, buys, asks for refunds and kills it; returns the requests. */
async function killOnce(
  shop: Shop,
  point: KillPoint,
  renewsToken: boolean,
): Promise<readonly RefundRequest[]> {
  const { deployment, proxy, port, url } = shop
  const server = deployment.start(port)
  await server.url
  if (renewsToken) await renewToken(shop)
  const caller = createCaller(url, shop.token)
  const orders: Awaited<ReturnType<typeof buy>>[] = []
  for (let bought = 0; bought < ordersPerKill; bought += 1) {
    orders.push(await buy(shop, repeatWhileOverloaded(caller.request)))
  }
  const requests = orders.flatMap((order) => chooseRequests(shop, order))
  const kill = () => server.process.kill('SIGKILL')
  proxy.onRefund = (phase) => {
    if (point === 'stored' || (point === 'refunded' && phase === 'made')) {
      kill()
      return false
    }
    if (point === 'settling' && phase === 'made') setTimeout(kill, shop.random() * settlingMs)
    return true
  }
  const answers = requests.map((each) => ask(caller.request, each).catch(() => undefined))
  if (point === 'storing') setTimeout(kill, shop.random() * storingMs)
  // Nothing reaches the provider when one refund forestalls the other.
  await Promise.all([server.ended, Promise.all(answers).then(kill)])
  proxy.onRefund = () => true
  caller.close()
  return requests
}

async function renewToken(shop: Shop): Promise<void> {
  const caller = createCaller(shop.url)
  shop.token = await signIn(repeatWhileOverloaded(caller.request), shopAdmin)
  caller.close()
}

const ask = (
  request: TestRequest,
  { method, path, body, key }: RefundRequest,
): Promise<TestResponse> => request(method, path, body, { 'idempotency-key': key })

/** Pays an order of 1 to 4 pieces; returns its ID and that of its item. */
async function buy({ product, random }: Shop, request: TestRequest) {
  const { json: profile } = await request('GET', '/profile')
  const quantity = 1 + Math.floor(random() * 4)
  const path = `/users/${profile.id}/orders`
  const placed = await request('POST', path, {
    items: [{ product_id: product, quantity }],
    shipping: testShipping,
  })
  assert.equal(placed.status, 201, placed.text)
  const { id } = placed.json
  const paid = await request('POST', `${path}/${id}/payment`, { method: 'card', token: 'tok_visa' })
  assert.equal(paid.status, 201, paid.text)
  const items = await request('GET', `/orders/${id}/items`)
  return { id: id as number, item: items.json.data[0].id as number }
}

/** One or two requests to refund an order. */
function chooseRequests(
  { random }: Shop,
  { id, item }: { readonly id: number; readonly item: number },
): readonly RefundRequest[] {
  const refunds = `/orders/${id}/refunds`
  const piece = { items: [{ order_item_id: item, quantity: 1 }] }
  const choices = [
    { method: 'POST', path: refunds, body: piece },
    { method: 'POST', path: refunds, body: { ...piece, restock: false, shipping: true } },
    { method: 'POST', path: refunds, body: { amount: 2.22 } },
    { method: 'POST', path: refunds, body: {} },
    { method: 'PATCH', path: `/orders/${id}`, body: { status: 'cancelled' } },
  ] as const
  const count = random() < 0.5 ? 1 : 2
  return Array.from({ length: count }, () => ({
    ...entryAt(choices, random()),
    key: randomUUID(),
  }))
}

/** Repeats every request under its key, waits until all is settled, and compares both sides. */
async function finish(
  shop: Shop,
  sent: readonly RefundRequest[],
  log: (line: string) => void,
): Promise<void> {
  const { deployment, port, url } = shop
  const server = deployment.start(port)
  await server.url
  await renewToken(shop)
  const store = await openStore(deployment.databaseUrl)
  const caller = createCaller(url, shop.token)
  try {
    const statuses = new Map<number, number>()
    await settleAll(store.db)
    await store.db.updateTable('idempotency_keys').set({ leased_until: 1 }).execute()
    for (const each of sent) {
      const { status } = await askUntilDecided(caller.request, each)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    await settleAll(store.db)
    await reconcile(store.db, new Map([[shop.product, firstStock]]))
    await compareRefunds(store.db, await deployment.charges(), log)
    log(`${sent.length} requests, repeated: ${JSON.stringify(Object.fromEntries(statuses))}`)
  } finally {
    caller.close()
    await store.close()
  }
}

/** Repeats a request until its answer is about the refund, not about an earlier attempt. */
async function askUntilDecided(request: TestRequest, each: RefundRequest): Promise<TestResponse> {
  const deadline = performance.now() + settlingTimeoutMs
  for (;;) {
    const answer = await ask(request, each)
    const { status, json, text } = answer
    if (status < 500 && json.error_code !== '4094') return answer
    // The provider or the server may be slow, but nothing may break.
    assert.ok(status === 409 || status >= 503, text)
    assert.ok(performance.now() < deadline, text)
    await sleep(200)
  }
}

const settlingTimeoutMs = 180_000

/** Makes pending refunds due and waits until none is left. */
async function settleAll(db: Db): Promise<void> {
  const deadline = performance.now() + settlingTimeoutMs
  for (;;) {
    const { numUpdatedRows } = await db
      .updateTable('refunds')
      .set({ due_at: 1 })
      .where('due_at', 'is not', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    assert.ok(performance.now() < deadline, `${numUpdatedRows} refunds are still pending`)
    await sleep(500)
  }
}

/** Asserts that the provider has made the same refunds as are stored here, each once. */
async function compareRefunds(
  db: Db,
  charges: Awaited<ReturnType<Deployment['charges']>>,
  log: (line: string) => void,
): Promise<void> {
  const payments = await db.selectFrom('payments').select(['id', 'idempotency_key']).execute()
  const refunds = await db.selectFrom('refunds').selectAll().execute()
  const byKey = new Map(charges.map((charge) => [charge.key, charge]))
  let made = 0
  for (const { id, idempotency_key } of payments) {
    const there = (byKey.get(idempotency_key)?.refunds ?? []).map(
      ({ key, amount_minor }) => `${key}: ${amount_minor}`,
    )
    const here = refunds
      .filter(({ payment_id, status }) => payment_id === id && status === 'succeeded')
      .map(({ refund_key, amount }) => `${refund_key}: ${amount}`)
    assert.deepEqual(there.sort(), here.sort(), `payment ${id}`)
    made += here.length
  }
  const orders = await db.selectFrom('orders').select('status').execute()
  const counts = [...Map.groupBy(orders, ({ status }) => status)].map(
    ([status, { length }]) => `${length} ${status}`,
  )
  log(`orders: ${counts.join(', ')}; ${made} refunds, the same at the provider`)
}
