import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, integerBetween, type Random } from '#src/demo/random.ts'
import { type Db, openStore } from '#store/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import {
  type FaultKind,
  type StripeDouble,
  startStripeDouble,
} from '#test/support/payments/stripe/double.ts'
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
import type { ServerProcess } from '#test/support/services/server-process.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

/** A call to Stripe, and the side of its effect on which a fault happens. */
interface Moment {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
  readonly when: 'before' | 'after'
}

const [create, confirm, retrieve, refund] = [
  /\/payment_intents$/,
  /\/confirm$/,
  /\/payment_intents\/\w+$/,
  /\/refunds$/,
]
const moments: readonly Moment[] = [
  { name: 'before create', method: 'POST', path: create, when: 'before' },
  { name: 'after create', method: 'POST', path: create, when: 'after' },
  { name: 'before confirm', method: 'POST', path: confirm, when: 'before' },
  { name: 'after confirm', method: 'POST', path: confirm, when: 'after' },
  { name: 'in the callback', method: 'GET', path: retrieve, when: 'before' },
  { name: 'in the callback', method: 'GET', path: retrieve, when: 'after' },
  { name: 'in the refund', method: 'POST', path: refund, when: 'before' },
  { name: 'in the refund', method: 'POST', path: refund, when: 'after' },
]
const faults: Readonly<Record<Moment['when'], readonly FaultKind[]>> = {
  before: ['silence-before', 'error-before', 'close-before', 'rate-limit', 'locked'],
  after: ['silence-after', 'error-after', 'close-after'],
}

interface Shop {
  readonly double: StripeDouble
  readonly deployment: Deployment
  readonly port: number
  readonly random: Random
  /** The orders, and whether they were meant to be refunded. */
  readonly orders: Map<number, 'kept' | 'refunded'>
  readonly tally: Map<string, number>
  server: ServerProcess
  request: TestRequest
  userId: number
  productId: number
}

/** Writes a line of results. */
type Log = (line: string) => void

/**
 * Sells `runs` orders by Stripe, each with a fault or a kill of the server at a moment of its payment or
 * refund. Asserts that each order is charged at most once, that money and order agree, and that no
 * more is refunded than paid.
 */
export async function runPaymentFaults(kind: StoreKind, runs: number, log: Log): Promise<void> {
  const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  log(`TEST_SEED=${seed}`)
  const double = await startStripeDouble()
  const deployment = await openDeployment(kind, {
    settings: {
      ...{ PAYMENT_PROVIDER: 'stripe', PAYMENT_PROVIDER_URL: '', PAYMENT_PROVIDER_SECRET: '' },
      ...{ STRIPE_API_BASE: double.url, STRIPE_SECRET_KEY: double.secretKey },
      ...{ STRIPE_WEBHOOK_SECRET: double.webhookSecret, PAYMENT_TIMEOUT_MS: '500' },
    },
  })
  try {
    const shop = await openShop(double, deployment, createRandom(seed))
    for (let run = 0; run < runs; run += 1) {
      const moment = moments[run % moments.length] ?? assert.fail()
      // A kill and a fault in turn, and the other way round in the next round.
      const isKill = (run + Math.floor(run / moments.length)) % 2 === 0
      await sellOnce(shop, moment, isKill)
      if ((run + 1) % 50 === 0) log(`${run + 1} runs`)
    }
    await settleEverything(shop)
    await verify(shop, log)
  } finally {
    await double.close()
    await deployment.dispose()
  }
}

async function openShop(
  double: StripeDouble,
  deployment: Deployment,
  random: Random,
): Promise<Shop> {
  const port = await freePort()
  double.events.target = `http://127.0.0.1:${port}/payment-notifications/stripe`
  double.events.delivery = 'twice'
  const server = deployment.start(port)
  const state = { double, deployment, port, random, server, orders: new Map(), tally: new Map() }
  const shop: Shop = { ...state, request: await reachServer(server), userId: 0, productId: 0 }
  shop.userId = (await shop.request('GET', '/profile')).json.id
  const product = { name: 'Kettle', price: 19.99, stock: 10_000 }
  shop.productId = (await shop.request('POST', '/products', product)).json.id
  return shop
}

async function reachServer(server: ServerProcess): Promise<TestRequest> {
  const url = await server.url
  const anonymous = repeatWhileOverloaded(createCaller(url).request)
  return repeatWhileOverloaded(createCaller(url, await signIn(anonymous, shopAdmin)).request)
}

/** Places and pays an order while something fails; a client that got no answer repeats its request. */
async function sellOnce(shop: Shop, moment: Moment, isKill: boolean): Promise<void> {
  const { double, random, userId, productId, orders, tally } = shop
  const items = [{ product_id: productId, quantity: 1 }]
  const body = { items, shipping: testShipping }
  const placed = await shop.request('POST', `/users/${userId}/orders`, body)
  assert.equal(placed.status, 201, placed.text)
  const order = placed.json.id as number
  const isRefund = moment.path === refund
  const needsBuyer = moment.path === retrieve || (!isRefund && random() < 0.3)
  orders.set(order, isRefund ? 'refunded' : 'kept')
  const arm = () => (isKill ? armKill(shop, moment) : armFault(shop, moment))
  if (moment.path === create || moment.path === confirm) arm()
  await payUntilAnswered(shop, order, needsBuyer)
  if (moment.path === retrieve) arm()
  if (needsBuyer) actAsBuyer(double, order, random() < 0.8)
  // An event that kills the server is sent again until it has started.
  if (needsBuyer) await Promise.race([double.events.idle(), shop.server.ended])
  if (isRefund) {
    arm()
    await send(shop, 'PATCH', `/orders/${order}`, { status: 'cancelled' })
  }
  await revive(shop)
  await double.events.idle()
  double.watch = () => undefined
  const what = `${isKill ? 'kill' : 'fault'} ${moment.name}`
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

function armKill(shop: Shop, { method, path, when }: Moment): void {
  const { double } = shop
  double.watch = async (side, request) => {
    if (side !== when || request.method !== method || !path.test(request.path)) return
    double.watch = () => undefined
    shop.server.process.kill('SIGKILL')
    await shop.server.ended
  }
}

function armFault({ double, random }: Shop, { method, path, when }: Moment): void {
  const kinds = faults[when]
  const kind = kinds[integerBetween(0, kinds.length - 1, random)] ?? 'silence-before'
  double.fail(method, path, kind)
}

async function payUntilAnswered(shop: Shop, order: number, needsBuyer: boolean): Promise<void> {
  const token = needsBuyer ? 'pm_card_authenticationRequired' : 'pm_card_visa'
  const path = `/users/${shop.userId}/orders/${order}/payment`
  const pay = (key: string) =>
    send(shop, 'POST', path, { method: 'card', token }, { 'idempotency-key': key })
  const answer = await pay(`pay-${order}`)
  if (answer && answer.status < 500) return
  await revive(shop)
  await pay(`pay-${order}`)
  await pay(`pay-${order}-again`)
}

/** Sends a request; undefined if the server died before it answered. */
async function send(
  shop: Shop,
  ...[method, path, body, headers]: Parameters<TestRequest>
): Promise<TestResponse | undefined> {
  try {
    return await shop.request(method, path, body, headers)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    assert.ok(['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code ?? ''), String(error))
    return undefined
  }
}

function actAsBuyer({ intents }: StripeDouble, order: number, isApproved: boolean): void {
  for (const intent of intents.all()) {
    if (intent.metadata['order_id'] !== String(order) || intent.status !== 'requires_action')
      continue
    intents.decide(intent.id, isApproved ? 'succeed' : 'fail')
  }
}

/** Starts the server again if it was killed. */
async function revive(shop: Shop): Promise<void> {
  if (!shop.server.process.killed) return
  await shop.server.ended
  shop.server = shop.deployment.start(shop.port)
  shop.request = await reachServer(shop.server)
}

const settlingTimeoutMs = 180_000

/** Lets time pass until no payment and no refund is open. */
async function settleEverything({ deployment }: Shop): Promise<void> {
  const store = await openStore(deployment.databaseUrl)
  try {
    const deadline = performance.now() + settlingTimeoutMs
    for (;;) {
      await expire(store.db)
      const open = await store.db
        .selectFrom('payments')
        .select(['id', 'status', 'order_id', 'refunding'])
        .where((eb) =>
          eb.or([
            eb('status', '=', 'pending'),
            eb('due_at', 'is not', null),
            eb('refunding', '>', 0),
          ]),
        )
        .execute()
      const unpaid = await store.db
        .selectFrom('orders')
        .select('id')
        .where('status', '=', 'pending')
        .execute()
      if (open.length === 0 && unpaid.length === 0) return
      const left = JSON.stringify([...open.slice(0, 5), ...unpaid.slice(0, 5)])
      assert.ok(performance.now() < deadline, `still open: ${left}`)
      await sleep(500)
    }
  } finally {
    await store.close()
  }
}

/** Makes all open payments and refunds due, and all unpaid orders expire. */
async function expire(db: Db): Promise<void> {
  await db.updateTable('payments').set({ due_at: 1 }).where('due_at', '>', 1).execute()
  await db.updateTable('refunds').set({ due_at: 1 }).where('due_at', '>', 1).execute()
  await db
    .updateTable('orders')
    .set({ expires_at: 1 })
    .where('status', '=', 'pending')
    .where('expires_at', '>', 1)
    .execute()
}

/** Compares the orders with the books of Stripe. */
async function verify(shop: Shop, log: Log): Promise<void> {
  const { deployment, double, orders, tally } = shop
  assert.equal(await shop.server.stop(), 0, shop.server.output().slice(-5000))
  const store = await openStore(deployment.databaseUrl)
  try {
    await reconcile(store.db)
    const rows = await store.db.selectFrom('orders').select(['id', 'status', 'total']).execute()
    for (const { id, status, total } of rows) {
      const { charged, refunded } = booksOf(double, id)
      const what = `order ${id}, ${status}: charged ${charged}, refunded ${refunded}`
      assert.ok(charged.length <= 1, what)
      assert.ok(sum(refunded) <= sum(charged), what)
      assert.equal(sum(charged) - sum(refunded), status === 'paid' ? total : 0, what)
      if (orders.get(id) === 'refunded') assert.equal(status, 'cancelled', what)
    }
    assert.equal(rows.length, orders.size)
    log([...tally].map(([what, count]) => `${count} × ${what}`).join(', '))
    const counts = [...Map.groupBy(rows, ({ status }) => status)]
    log(`orders: ${counts.map(([status, { length }]) => `${length} ${status}`).join(', ')}`)
    log(`charges: ${double.intents.charges().length}, refunds: ${double.refunds.all().length}`)
  } finally {
    await store.close()
  }
}

function booksOf({ intents, refunds }: StripeDouble, order: number) {
  const mine = intents.all().filter(({ metadata }) => metadata['order_id'] === String(order))
  const ids = new Set(mine.map(({ id }) => id))
  return {
    charged: intents
      .charges()
      .filter(({ intentId }) => ids.has(intentId))
      .map(({ amount }) => amount),
    refunded: refunds
      .all()
      .filter((each) => ids.has(each.payment_intent) && each.status !== 'failed')
      .map(({ amount }) => amount),
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0)
