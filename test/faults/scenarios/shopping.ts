import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#store/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { type Caller, createCaller, shopAdmin, signIn } from '#test/support/services/server.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

/** Counts of the responses to the shoppers. */
export interface Counts {
  /** Responses by status, such as `{ 201: 40, 503: 3 }`. */
  readonly statuses: Map<number, number>
  /** Connections that broke before a response. */
  broken: number
  /** The duration of the slowest response. */
  slowestMs: number
}

/** Shoppers on several processes who repeat each order until it is placed exactly once. */
export interface Shopping {
  readonly counts: Counts
  /** The number of acknowledged orders, one per idempotency key. */
  readonly ordered: () => number
  /** The IDs of the acknowledged orders so far. */
  readonly orderIds: () => readonly number[]
  /** Shops while `work` runs, then waits for the requests that have started. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>
  /** Asserts one order per key, the matching stock, and a consistent database. */
  readonly audit: () => Promise<void>
  readonly adminToken: string
  /** Requests of the administrator to the process with this index. */
  readonly admin: (index?: number) => TestRequest
  /** Requests without credentials to the process with this index. */
  readonly anonymous: (index?: number) => TestRequest
  /** The product that the shoppers buy. */
  readonly product: number
  /** A product that only the test buys. */
  readonly unsharedProduct: number
  readonly close: () => void
}

const stock = 1_000_000
const password = 'correct horse battery staple'
const pauseMs = 20

/** Creates the products and the shoppers for processes on one database. */
export async function openShopping(
  urls: readonly string[],
  databaseUrl: string,
  shopperCount = 8,
): Promise<Shopping> {
  const callers: Caller[] = []
  const at = (index: number, token?: string): TestRequest => {
    const caller = createCaller(urls[index % urls.length] ?? '', token)
    callers.push(caller)
    return caller.request
  }
  const anonymous = urls.map((_, index) => at(index))
  const first = anonymous[0] ?? at(0)
  const adminToken = await signIn(first, shopAdmin)
  const admin = urls.map((_, index) => at(index, adminToken))
  const manage = admin[0] ?? first
  const product = await addKettle(manage)
  const unsharedProduct = await addKettle(manage)
  const credentials = { username: `shopper-${randomUUID()}`, password }
  const signedUp = await first('POST', '/users', { name: 'Shopper', ...credentials })
  const token = await signIn(first, credentials)
  const counts: Counts = { statuses: new Map(), broken: 0, slowestMs: 0 }
  const orders = new Set<number>()
  let isOver = false

  const shop = async (request: TestRequest): Promise<void> => {
    while (!isOver) {
      const path = `/users/${signedUp.json.id}/orders`
      const body = { items: [{ product_id: product, quantity: 1 }] }
      const placed = await sendUntilAccepted(request, counts, 'POST', path, body)
      assert.ok(!orders.has(placed.json.id), `order ${placed.json.id} belongs to two keys`)
      orders.add(placed.json.id)
      const read = await sendUntilAccepted(request, counts, 'GET', `/orders/${placed.json.id}`)
      assert.equal(read.json.status, 'pending', read.text)
    }
  }
  return {
    counts,
    product,
    unsharedProduct,
    ordered: () => orders.size,
    orderIds: () => [...orders],
    adminToken,
    admin: (index = 0) => admin[index % urls.length] ?? first,
    anonymous: (index = 0) => anonymous[index % urls.length] ?? first,
    during: async (work) => {
      isOver = false
      const shoppers = Promise.all(
        Array.from({ length: shopperCount }, (_, index) => shop(at(index, token))),
      )
      // An early failure is thrown by the race below, not as an unhandled rejection.
      shoppers.catch(() => undefined)
      try {
        return await Promise.race([work(), shoppers.then(() => assert.fail('the shoppers ended'))])
      } finally {
        isOver = true
        await shoppers
      }
    },
    audit: async () => {
      const store = await openStore(databaseUrl)
      try {
        const stored = await store.db.selectFrom('orders').select('id').execute()
        assert.deepEqual(new Set(stored.map(({ id }) => id)), orders)
        const [left] = await store.db
          .selectFrom('products')
          .select('stock')
          .where('id', '=', product)
          .execute()
        assert.equal(left?.stock, stock - orders.size)
        await reconcile(store.db)
      } finally {
        await store.close()
      }
    },
    close: () => {
      for (const caller of callers) caller.close()
    },
  }
}

async function addKettle(manage: TestRequest): Promise<number> {
  const made = await manage('POST', '/products', { name: 'Kettle', price: 5, stock })
  assert.equal(made.status, 201, made.text)
  return made.json.id
}

const requestTimeoutMs = 180_000

/**
 * Repeats a request with the same idempotency key until it succeeds. Throws at any response that is
 * neither a success nor a 503 with Retry-After.
 */
async function sendUntilAccepted(
  request: TestRequest,
  counts: Counts,
  ...[method, path, body]: readonly [method: string, path: string, body?: object]
): Promise<TestResponse> {
  const headers = method === 'POST' ? { 'idempotency-key': randomUUID() } : {}
  const deadline = performance.now() + requestTimeoutMs
  for (;;) {
    const sentAt = performance.now()
    const answer = await request(method, path, body, headers).catch(countBrokenConnection(counts))
    counts.slowestMs = Math.max(counts.slowestMs, performance.now() - sentAt)
    if (answer !== undefined) {
      counts.statuses.set(answer.status, (counts.statuses.get(answer.status) ?? 0) + 1)
      if (answer.status < 300) return answer
      assertUnavailable(answer)
    }
    assert.ok(performance.now() < deadline, `${method} ${path} was never answered`)
    await sleep(pauseMs)
  }
}

const connectionErrors = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE']

const countBrokenConnection = (counts: Counts) => (error: NodeJS.ErrnoException) => {
  if (!connectionErrors.includes(error.code ?? '')) throw error
  counts.broken += 1
  return undefined
}

/** Asserts that a response is a 503 with Retry-After, or a 409 for a key still in progress. */
export function assertUnavailable({ status, json, headers, text }: TestResponse): void {
  // After a broken connection the first request with the key may still be in progress.
  if (status === 409 && json.error_code === '4094') return
  assert.equal(`${status} ${json?.error_code}`, '503 5031', text)
  assert.ok(Number(headers['retry-after']) > 0, 'the 503 has no Retry-After')
  assert.equal(headers['cache-control'], 'no-store')
}
