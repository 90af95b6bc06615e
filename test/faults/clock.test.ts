import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openStore } from '#store/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { skipReason } from '#test/support/services/databases.ts'
import {
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

const hourMs = 3_600_000
const preload = import.meta.resolve('./scenarios/clock-preload.ts')
const clockSettings = { NODE_OPTIONS: `--import ${preload}` }
const card = { method: 'card', token: 'tok_visa' }
const password = 'correct horse battery staple'

const assertStatus = (answer: TestResponse, status = 200): TestResponse => {
  assert.equal(answer.status, status, answer.text)
  return answer
}

/** A customer and a product, and the URLs and tokens that must survive the clock change. */
interface Customer {
  readonly request: TestRequest
  readonly admin: TestRequest
  readonly refreshToken: string
  readonly product: string
  readonly orders: string
  readonly close: () => void
}

async function createCustomer(url: string): Promise<Customer> {
  const anonymous = createCaller(url)
  const admin = createCaller(url, await signIn(anonymous.request, shopAdmin))
  const kettle = { name: 'Kettle', price: 5, stock: 10 }
  const made = assertStatus(await admin.request('POST', '/products', kettle), 201)
  const credentials = { username: 'ada', password }
  const ada = { name: 'Ada', ...credentials }
  const { json } = assertStatus(await anonymous.request('POST', '/users', ada), 201)
  const session = assertStatus(await anonymous.request('POST', '/login', credentials)).json
  const customer = createCaller(url, session.token)
  anonymous.close()
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

async function order({ request, orders, product }: Customer): Promise<string> {
  const items = [{ product_id: Number(product.split('/').at(-1)), quantity: 1 }]
  const { json } = assertStatus(
    await request('POST', orders, { items, shipping: testShipping }),
    201,
  )
  return `${orders}/${json.id}`
}

/** Waits until the timestamps of the server's errors are an hour behind. */
const waitUntilSetBack = (url: string) =>
  pollUntil(
    async () => (await (await fetch(`${url}/nothing`)).json()) as { timestamp: string },
    ({ timestamp }) => Date.now() - Date.parse(timestamp) > hourMs / 2,
  )

/** Shops before and after the clock is set back; returns the path of an unpaid order. */
async function shopAcrossChange(deployment: Deployment): Promise<string> {
  const server = deployment.start()
  const url = await server.url
  const customer = await createCustomer(url)
  const { request, admin, product } = customer
  const [early, paid] = [await order(customer), await order(customer)]
  const key = { 'idempotency-key': 'paid before' }
  const payment = assertStatus(await request('POST', `${paid}/payment`, card, key), 201)
  const before = assertStatus(await admin('GET', product))

  server.process.kill('SIGUSR2')
  await waitUntilSetBack(url)

  assertStatus(await request('GET', '/profile'))
  const again = assertStatus(await request('POST', `${paid}/payment`, card, key), 201)
  assert.equal(again.text, payment.text)
  assertStatus(await request('POST', `${early}/payment`, card), 201)
  const match = { 'if-match': before.headers['etag'] ?? '' }
  assertStatus(await admin('PATCH', product, { price: 6 }, match))
  const after = assertStatus(
    await admin('GET', product, undefined, { 'if-none-match': before.headers['etag'] ?? '' }),
  )
  assert.equal(after.json.price, 6)
  assert.equal((await admin('PATCH', product, { price: 7 }, match)).status, 412)
  const late = await order(customer)
  assertStatus(await request('POST', '/login', { refresh_token: customer.refreshToken }))
  customer.close()
  assert.equal(await server.stop(), 0, server.output())
  return late
}

/** Reads the status of an order from the server at `url`. */
async function statusOf(url: string, path: string): Promise<string> {
  const anonymous = createCaller(url)
  const admin = createCaller(url, await signIn(anonymous.request, shopAdmin))
  const { json } = assertStatus(await admin.request('GET', path))
  anonymous.close()
  admin.close()
  return json.status
}

async function assertConsistent({ databaseUrl, charges }: Deployment): Promise<void> {
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

async function runClockChange(kind: 'sqlite'): Promise<void> {
  const deployment = await openDeployment(kind, { settings: clockSettings })
  try {
    const late = await shopAcrossChange(deployment)
    await assertConsistent(deployment)
    const settings = { ...clockSettings, CLOCK_BACK_MS: String(hourMs) }
    const { databaseUrl } = deployment
    const lateDeployment = await openDeployment(kind, { databaseUrl, settings })
    const url = await lateDeployment.start().url
    await waitUntilSetBack(url)
    assert.equal(await statusOf(url, late), 'pending')
    await lateDeployment.dispose()
    // By the correct clock the order is an hour old and has expired.
    const correctUrl = await deployment.start().url
    await pollUntil(
      () => statusOf(correctUrl, late),
      (status) => status === 'cancelled',
    )
    await assertConsistent(deployment)
  } finally {
    await deployment.dispose()
  }
}

describe('a server whose clock is set back an hour', () => {
  test('on SQLite keeps sessions, charges once and serves no stale responses', () =>
    runClockChange('sqlite'))
})

test('a server whose clock is 35 minutes ahead goes by the time of PostgreSQL', {
  skip: skipReason('postgres'),
}, async () => {
  const shared = { SHARED_DISK: 'on' }
  const deployment = await openDeployment('postgres', { settings: shared })
  const customer = await createCustomer(await deployment.start().url)
  const { databaseUrl } = deployment
  const clock = { NODE_OPTIONS: `--import ${preload}`, CLOCK_BACK_MS: String(-35 * 60_000) }
  const settings = { ...shared, ...clock }
  const ahead = await openDeployment('postgres', { databaseUrl, settings })
  try {
    const placed = await order(customer)
    const url = await ahead.start().url
    const read = async (path: string) => await (await fetch(url + path)).text()
    const cleanedAt = async () => {
      const metrics = await read('/metrics')
      return /^job_last_success_timestamp_seconds\{name="cleanup"\} (.*)$/m.exec(metrics)?.[1]
    }
    const startedAt = await cleanedAt()
    await pollUntil(cleanedAt, (time) => time !== startedAt)
    assert.equal(assertStatus(await customer.request('GET', placed)).json.status, 'pending')
    assert.match(await read('/metrics'), /^clock_ahead_seconds (2099|2100)/m)
    const { clock_ahead_seconds } = JSON.parse(await read('/health/ready'))
    assert.ok(Math.abs(clock_ahead_seconds - 2100) < 1, String(clock_ahead_seconds))
    const { timestamp } = JSON.parse(await read('/nothing'))
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000, timestamp)
  } finally {
    customer.close()
    await ahead.dispose()
    await deployment.dispose()
  }
})
