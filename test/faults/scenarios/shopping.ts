import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#db/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { reconcile } from '#test/support/reconcile.ts'
import { type Caller, callerOf, shopAdmin, signIn } from '#test/support/services/server.ts'

/** What one round of shopping came to. */
export interface Counts {
  /** Answers by status, such as `{ 201: 40, 503: 3 }`. */
  readonly statuses: Map<number, number>
  /** How often a connection broke before an answer came. */
  broken: number
  /** How long the slowest answer took, in milliseconds. */
  slowestMs: number
}

/** Shoppers on several processes who want every order they send exactly once, whatever happens. */
export interface Shopping {
  readonly counts: Counts
  /** How many orders have been acknowledged, one for each key. */
  readonly ordered: () => number
  /** Goes on while something happens, then lets what was begun come to its end. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>
  /** Asserts that each key has one order, that the stock fits, and that all books add up. */
  readonly audit: () => Promise<void>
  /** The administrator, at the process of this index. */
  readonly admin: (index?: number) => TestRequest
  /** Somebody without credentials, at the process of this index. */
  readonly anybody: (index?: number) => TestRequest
  /** What the shoppers buy. */
  readonly product: number
  /** What nobody buys but the one who tests. */
  readonly toPay: number
  readonly close: () => void
}

const stock = 1_000_000
const password = 'correct horse battery staple'
const pauseMs = 20

/** Opens a shop with one product at these processes of one database. */
export async function openShopping(
  urls: readonly string[],
  databaseUrl: string,
  shopperCount = 8,
): Promise<Shopping> {
  const callers: Caller[] = []
  const at = (index: number, token?: string): TestRequest => {
    const caller = callerOf(urls[index % urls.length] ?? '', token)
    callers.push(caller)
    return caller.request
  }
  const anybody = urls.map((_, index) => at(index))
  const first = anybody[0] ?? at(0)
  const adminToken = await signIn(first, shopAdmin)
  const admin = urls.map((_, index) => at(index, adminToken))
  const manage = admin[0] ?? first
  const product = await addKettle(manage)
  const toPay = await addKettle(manage)
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
      const placed = await insist(request, counts, 'POST', path, body)
      assert.ok(!orders.has(placed.json.id), `order ${placed.json.id} stands for two keys`)
      orders.add(placed.json.id)
      const read = await insist(request, counts, 'GET', `/orders/${placed.json.id}`)
      assert.equal(read.json.status, 'pending', read.text)
    }
  }
  return {
    counts,
    product,
    toPay,
    ordered: () => orders.size,
    admin: (index = 0) => admin[index % urls.length] ?? first,
    anybody: (index = 0) => anybody[index % urls.length] ?? first,
    during: async (work) => {
      isOver = false
      const shoppers = Promise.all(
        Array.from({ length: shopperCount }, (_, index) => shop(at(index, token))),
      )
      // What fails early is to be told at once and not after the work.
      shoppers.catch(() => undefined)
      try {
        return await Promise.race([work(), shoppers.then(() => assert.fail('nobody shops'))])
      } finally {
        isOver = true
        await shoppers
      }
    },
    audit: async () => {
      const store = await openStore(databaseUrl)
      try {
        const kept = await store.db.selectFrom('orders').select('id').execute()
        assert.deepEqual(new Set(kept.map(({ id }) => id)), orders)
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

const impatienceMs = 60_000

/**
 * Sends a request again, under the same key, until it succeeds. Fails at any answer that is neither
 * success nor a 503 that says when to come back.
 */
async function insist(
  request: TestRequest,
  counts: Counts,
  ...[method, path, body]: readonly [method: string, path: string, body?: object]
): Promise<TestResponse> {
  const headers = method === 'POST' ? { 'idempotency-key': randomUUID() } : {}
  const givesUpAt = performance.now() + impatienceMs
  for (;;) {
    const sentAt = performance.now()
    const answer = await request(method, path, body, headers).catch(broken(counts))
    counts.slowestMs = Math.max(counts.slowestMs, performance.now() - sentAt)
    if (answer !== undefined) {
      counts.statuses.set(answer.status, (counts.statuses.get(answer.status) ?? 0) + 1)
      if (answer.status < 300) return answer
      requireRefused(answer)
    }
    assert.ok(performance.now() < givesUpAt, `${method} ${path} was never answered`)
    await sleep(pauseMs)
  }
}

const connectionErrors = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE']

const broken = (counts: Counts) => (error: NodeJS.ErrnoException) => {
  if (!connectionErrors.includes(error.code ?? '')) throw error
  counts.broken += 1
  return undefined
}

/** Asserts that it says that the server cannot do it now, and when to come back. */
export function requireRefused({ status, json, headers, text }: TestResponse): void {
  // The same key under way still, in a process whose word was lost, is the one other refusal.
  if (status === 409 && json.error_code === '4094') return
  assert.equal(`${status} ${json?.error_code}`, '503 5031', text)
  assert.ok(Number(headers['retry-after']) > 0, 'a 503 says when to come back')
  assert.equal(headers['cache-control'], 'no-store')
}
