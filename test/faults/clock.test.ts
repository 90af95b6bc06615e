import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openStore } from '#db/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { eventually } from '#test/support/callers/paying.ts'
import { reconcile } from '#test/support/reconcile.ts'
import { type StoreKind, skipReason } from '#test/support/services/databases.ts'
import {
  callerOf,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'

const hourMs = 3_600_000
const preload = import.meta.resolve('./scenarios/clock-preload.ts')
const changeable = { NODE_OPTIONS: `--import ${preload}` }
const card = { method: 'card', token: 'tok_visa' }
const password = 'correct horse battery staple'

const requireOk = (answer: TestResponse, status = 200): TestResponse => {
  assert.equal(answer.status, status, answer.text)
  return answer
}

/** A customer of a shop, with what is to survive. */
interface Trade {
  readonly request: TestRequest
  readonly admin: TestRequest
  readonly refreshToken: string
  readonly product: string
  readonly orders: string
  readonly close: () => void
}

async function openTrade(url: string): Promise<Trade> {
  const nobody = callerOf(url)
  const admin = callerOf(url, await signIn(nobody.request, shopAdmin))
  const kettle = { name: 'Kettle', price: 5, stock: 10 }
  const made = requireOk(await admin.request('POST', '/products', kettle), 201)
  const credentials = { username: 'ada', password }
  const ada = { name: 'Ada', ...credentials }
  const { json } = requireOk(await nobody.request('POST', '/users', ada), 201)
  const session = requireOk(await nobody.request('POST', '/login', credentials)).json
  const customer = callerOf(url, session.token)
  nobody.close()
  return {
    request: customer.request,
    admin: admin.request,
    refreshToken: session.refresh_token,
    product: `/products/${made.json.id}`,
    orders: `/users/${json.id}/orders`,
    close: () => {
      admin.close()
      customer.close()
    },
  }
}

async function order({ request, orders, product }: Trade): Promise<string> {
  const items = [{ product_id: Number(product.split('/').at(-1)), quantity: 1 }]
  const { json } = requireOk(await request('POST', orders, { items }), 201)
  return `${orders}/${json.id}`
}

/** Waits until the server at `url` tells a time that is an hour back, as an error does. */
const untilSetBack = (url: string) =>
  eventually(
    async () => (await (await fetch(`${url}/nothing`)).json()) as { timestamp: string },
    ({ timestamp }) => Date.now() - Date.parse(timestamp) > hourMs / 2,
  )

/** Trades over the moment in which the clock is set back; answers with the order not paid. */
async function tradeAcross(deployment: Deployment): Promise<string> {
  const server = deployment.start()
  const url = await server.url
  const trade = await openTrade(url)
  const { request, admin, product } = trade
  const [early, paid] = [await order(trade), await order(trade)]
  const key = { 'idempotency-key': 'paid before' }
  const payment = requireOk(await request('POST', `${paid}/payment`, card, key), 201)
  const before = requireOk(await admin('GET', product))

  server.process.kill('SIGUSR2')
  await untilSetBack(url)

  requireOk(await request('GET', '/profile'))
  const again = requireOk(await request('POST', `${paid}/payment`, card, key), 201)
  assert.equal(again.text, payment.text)
  requireOk(await request('POST', `${early}/payment`, card), 201)
  const match = { 'if-match': before.headers['etag'] ?? '' }
  requireOk(await admin('PATCH', product, { price: 6 }, match))
  const after = requireOk(
    await admin('GET', product, undefined, { 'if-none-match': before.headers['etag'] ?? '' }),
  )
  assert.equal(after.json.price, 6)
  assert.equal((await admin('PATCH', product, { price: 7 }, match)).status, 412)
  const late = await order(trade)
  requireOk(await request('POST', '/login', { refresh_token: trade.refreshToken }))
  trade.close()
  assert.equal(await server.stop(), 0, server.output())
  return late
}

/** What an order came to, for who asks the server at `url`. */
async function statusOf(url: string, path: string): Promise<string> {
  const nobody = callerOf(url)
  const admin = callerOf(url, await signIn(nobody.request, shopAdmin))
  const { json } = requireOk(await admin.request('GET', path))
  nobody.close()
  admin.close()
  return json.status
}

async function requireSound({ databaseUrl, charges }: Deployment): Promise<void> {
  const store = await openStore(databaseUrl)
  try {
    await reconcile(store.db)
  } finally {
    await store.close()
  }
  const taken = (await charges()).filter(({ status }) => status === 'succeeded')
  assert.equal(taken.length, 2)
  assert.equal(new Set(taken.map(({ key }) => key)).size, 2)
}

async function setBack(kind: StoreKind): Promise<void> {
  const deployment = await openDeployment(kind, { settings: changeable })
  try {
    const late = await tradeAcross(deployment)
    await requireSound(deployment)
    const settings = { ...changeable, CLOCK_BACK_MS: String(hourMs) }
    const { databaseUrl } = deployment
    const stillBack = await openDeployment(kind, { databaseUrl, settings })
    const url = await stillBack.start().url
    await untilSetBack(url)
    assert.equal(await statusOf(url, late), 'pending')
    await stillBack.dispose()
    // By the right clock it was placed an hour ago, which no order waits to be paid.
    const right = await deployment.start().url
    await eventually(
      () => statusOf(right, late),
      (status) => status === 'cancelled',
    )
    await requireSound(deployment)
  } finally {
    await deployment.dispose()
  }
}

describe('a server whose clock is set back an hour', () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    test(
      `on ${kind} goes on: nobody is signed out, charged twice or shown what was`,
      {
        skip: skipReason(kind),
      },
      () => setBack(kind),
    )
  }
})
