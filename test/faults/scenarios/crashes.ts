import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, integerBetween, type Random } from '#src/demo/random.ts'
import { type Db, openStore } from '#store/database.ts'
import {
  type Buyer,
  createBuyer,
  keepBuying,
  keepManaging,
  keepSigningUp,
  learnField,
  repeatOrder,
  type ShopFloor,
} from '#test/support/callers/shoppers.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import type { WebhookReceiver } from '#test/support/services/doubles/webhook-receiver.ts'
import { freePort } from '#test/support/services/ports.ts'
import {
  type Caller,
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import { createMemory, type Memory } from '#test/support/shop/acknowledged.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import {
  compareEvents,
  endClaims,
  startFaultyReceiver,
  subscribe,
  waitForEvents,
} from './event-receiver.ts'

const [minLoadMs, maxLoadMs] = [100, 600]
const buyerCount = 8
// Access tokens expire after 15 minutes.
const crashesPerToken = 25
const password = 'correct horse battery staple'
// The first product sells out, so that some orders are rejected.
const stocks = [60, 5000, 5000, 5000, 5000]

/** Writes a line of results. */
type Log = (line: string) => void

interface Shop extends ShopFloor {
  readonly deployment: Deployment
  readonly port: number
  readonly url: string
  adminToken: string
  /** Gets every event, and fails a third of the time. */
  readonly receiver: WebhookReceiver
}

/**
 * Kills and restarts a server under load `crashes` times. Asserts after each crash that every
 * acknowledged write and all stock is there, and at the end that database and charges agree.
 */
export async function runCrashes(kind: StoreKind, crashes: number, log: Log): Promise<void> {
  const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  log(`TEST_SEED=${seed}`)
  const settings = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const deployment = await openDeployment(kind, { settings })
  const receiver = await startFaultyReceiver(createRandom(seed))
  try {
    const shop = await openShop(deployment, createRandom(seed), receiver)
    for (let crash = 1; crash <= crashes; crash += 1) {
      await crashOnce(shop, crash % crashesPerToken === 0)
      if (crash % 20 === 0) log(`${crash} kills, ${shop.memory.counts.acknowledged} acknowledged`)
    }
    await settleEverything(shop, log)
  } finally {
    await deployment.dispose()
    await receiver.close()
  }
}

async function withCaller<T>(
  url: string,
  token: string | undefined,
  work: (request: Caller['request']) => Promise<T>,
): Promise<T> {
  const caller = createCaller(url, token)
  try {
    return await work(caller.request)
  } finally {
    caller.close()
  }
}

/** Creates the products and the buyers before the first crash. */
async function openShop(
  deployment: Deployment,
  random: Random,
  receiver: WebhookReceiver,
): Promise<Shop> {
  const port = await freePort()
  const server = deployment.start(port)
  const url = await server.url
  const memory = createMemory()
  const adminToken = await withCaller(url, undefined, (request) => signIn(request, shopAdmin))
  const products: number[] = []
  await withCaller(url, adminToken, async (request) => {
    await subscribe(receiver, request)
    for (const stock of stocks) {
      const body = { name: 'Kettle', price: 19.99, stock, description: 'As it was' }
      const { json } = await request('POST', '/products', body)
      products.push(json.id)
    }
  })
  const buyers = await withCaller(url, undefined, (request) =>
    Promise.all(Array.from({ length: buyerCount }, (_, at) => createNewBuyer(memory, request, at))),
  )
  await server.stop()
  const descriptions = new Map(
    products.map((id) => [id, learnField(memory, `/products/${id}`, 'description', 'As it was')]),
  )
  const people = { adminToken, memory, random, buyers, receiver }
  return { deployment, port, url, products, descriptions, ...people }
}

async function createNewBuyer(
  memory: Memory,
  request: Caller['request'],
  at: number,
): Promise<Buyer> {
  const credentials = { username: `buyer-${at}`, password }
  const { json } = await request('POST', '/users', { name: `Buyer ${at}`, ...credentials })
  return createBuyer(memory, json.id, await signIn(request, credentials))
}

/** Starts the server, verifies the state after the last crash, and kills it under load. */
async function crashOnce(shop: Shop, renewsTokens: boolean): Promise<void> {
  const { deployment, port, url, memory, random, buyers } = shop
  const server = deployment.start(port)
  await server.url
  if (renewsTokens) await renewTokens(shop)
  for (const buyer of buyers) {
    if (random() < 0.7) {
      await withCaller(url, buyer.token, (request) => repeatOrder(shop, buyer, request))
    }
    buyer.orderKey = undefined
  }
  await verify(shop, 'recent')
  let hasEnded = false
  const load = Promise.all([
    ...buyers.map((buyer) =>
      withCaller(url, buyer.token, (request) => keepBuying(shop, buyer, request)),
    ),
    withCaller(url, shop.adminToken, (request) => keepManaging(shop, request)),
    withCaller(url, undefined, (request) => keepSigningUp(shop, request)),
  ]).finally(() => {
    hasEnded = true
  })
  await Promise.race([load, sleep(integerBetween(minLoadMs, maxLoadMs, random))])
  // A busy machine may have acknowledged nothing before the first kill.
  while (memory.counts.acknowledged === 0 && !hasEnded) await sleep(minLoadMs)
  assert.ok(!hasEnded, `the server ended by itself:\n${server.output().slice(-5000)}`)
  server.process.kill('SIGKILL')
  await Promise.all([load, server.ended])
  assert.ok(memory.counts.acknowledged > 0)
}

async function renewTokens(shop: Shop): Promise<void> {
  await withCaller(shop.url, undefined, async (request) => {
    shop.adminToken = await signIn(request, shopAdmin)
    for (const [at, buyer] of shop.buyers.entries()) {
      buyer.token = await signIn(request, { username: `buyer-${at}`, password })
    }
  })
}

/** Asserts the facts and the stock after a start, and makes payments and some orders due. */
async function verify(shop: Shop, which: 'recent' | 'all'): Promise<void> {
  const { url, adminToken, memory } = shop
  await withCaller(url, adminToken, (request) => memory.verify(request, which))
  await withDatabase(shop, async (db) => {
    assert.deepEqual(await countUnits(db, shop), stocks)
    await passSettlementDelay(db)
    await expireSome(db, shop)
  })
}

async function withDatabase(
  { deployment }: Pick<Shop, 'deployment'>,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  const store = await openStore(deployment.databaseUrl)
  try {
    await work(store.db)
  } finally {
    await store.close()
  }
}

/** The units of each product in stock and in orders, read in one statement for consistency. */
async function countUnits(db: Db, { products }: Shop): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('products')
    .select((eb) => [
      'stock',
      eb
        .selectFrom('order_items')
        .innerJoin('orders', 'orders.id', 'order_items.order_id')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('quantity'), eb.lit(0)).as('sold'))
        .whereRef('order_items.product_id', '=', 'products.id')
        .where('orders.status', '!=', 'cancelled')
        .as('sold'),
    ])
    .where('id', 'in', products)
    .orderBy('id')
    .execute()
  return rows.map(({ stock, sold }) => (stock ?? 0) + (sold ?? 0))
}

/** Makes open payments and refunds due for the settlement job. */
async function passSettlementDelay(db: Db): Promise<void> {
  await db.updateTable('payments').set({ due_at: 1 }).where('due_at', '>', 1).execute()
  await db.updateTable('refunds').set({ due_at: 1 }).where('due_at', '>', 1).execute()
}

/** Makes some unpaid orders expire. */
async function expireSome(db: Db, { buyers, random }: Shop): Promise<void> {
  const unpaid = buyers.flatMap(({ orders }) =>
    orders.filter(({ status }) => status.allowed.has('pending')),
  )
  for (const { id, status } of unpaid) {
    if (random() > 0.1) continue
    status.allowed.add('cancelled')
    await db
      .updateTable('orders')
      .set({ expires_at: 1 })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute()
  }
}

/** Waits until all payments are settled and compares facts, database and charges. */
async function settleEverything(shop: Shop, log: Log): Promise<void> {
  const { deployment, port, memory, receiver } = shop
  await withDatabase(shop, async (db) => {
    await endClaims(db)
  })
  const server = deployment.start(port)
  await server.url
  await verify(shop, 'recent')
  await withDatabase(shop, waitUntilSettled)
  await verify(shop, 'all')
  await withDatabase(shop, async (db) => {
    const count = await waitForEvents(db, receiver)
    log(`${count} events arrived in ${receiver.received.length} requests`)
  })
  assert.equal(await server.stop(), 0, server.output().slice(-5000))
  await withDatabase(shop, async (db) => {
    await reconcile(db)
    await compareEvents(db)
    await compareCharges(db, await deployment.charges(), log)
  })
  const { acknowledged, replayed, unanswered } = memory.counts
  const answered = `${acknowledged} writes acknowledged, ${replayed} of them replayed`
  log(`${answered}; ${unanswered} never answered`)
}

const settlingPauseMs = 200
const settlingTimeoutMs = 180_000

async function waitUntilSettled(db: Db): Promise<void> {
  const deadline = performance.now() + settlingTimeoutMs
  for (;;) {
    const open = await db
      .selectFrom('payments')
      .select(['id', 'status', 'provider_reference', 'refunding'])
      .where((eb) =>
        eb.or([
          eb('status', '=', 'pending'),
          eb('due_at', 'is not', null),
          eb('refunding', '>', 0),
        ]),
      )
      .execute()
    if (open.length === 0) return
    assert.ok(performance.now() < deadline, `still open: ${JSON.stringify(open.slice(0, 5))}`)
    await sleep(settlingPauseMs)
  }
}

/** Asserts that every paid order has one charge of its total, and other orders have none. */
async function compareCharges(
  db: Db,
  charges: Awaited<ReturnType<Deployment['charges']>>,
  log: Log,
): Promise<void> {
  const orders = await db.selectFrom('orders').select(['id', 'status', 'total']).execute()
  const taken = Map.groupBy(
    charges.filter(({ status }) => status === 'succeeded'),
    ({ key }) => Number(/^order-(\d+)-/.exec(key)?.[1]),
  )
  for (const { id, status, total } of orders) {
    const amounts = taken.get(id)?.map(({ amount_minor }) => amount_minor) ?? []
    const due = status === 'paid' ? [total] : []
    assert.deepEqual(amounts, due, `order ${id} is ${status}`)
    taken.delete(id)
  }
  assert.deepEqual([...taken.keys()], [], 'charges without an order')
  const counts = (things: readonly { readonly status: string }[]) =>
    [...Map.groupBy(things, ({ status }) => status)]
      .map(([status, { length }]) => `${length} ${status}`)
      .join(', ')
  log(`orders: ${counts(orders)}; charges: ${counts(charges)}`)
}
