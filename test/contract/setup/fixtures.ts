import { decodeJwt } from 'jose'
import { type TestCaller, testPassword } from '#test/support/app.ts'
import { addProduct, type PayingApp } from '#test/support/callers/paying.ts'
import { insertGrant } from '#test/support/oauth-grants.ts'
import { rowTimestamp } from '#test/support/rows.ts'

/** A customer with one entity of every kind that a customer can own. */
export interface Fixtures {
  readonly admin: TestCaller
  readonly owner: TestCaller
  /** Products that the customer has in the cart and has bought. */
  readonly products: readonly number[]
  /** A bought product that is neither reviewed nor in the cart. */
  readonly unreviewed: number
  readonly cartItem: number
  readonly pendingOrder: number
  readonly pendingTotal: number
  readonly orderItem: number
  readonly paidOrder: number
  readonly payment: number
  readonly purchase: number
  readonly review: number
  readonly apiKey: number
  /** A session other than the one of the owner's token. */
  readonly session: number
  readonly oauthClient: number
  readonly oauthConsent: number
  readonly auditEvent: number
}

/** The price of every fixture product. */
export const fixturePrice = 19.99
let fixtureCount = 0

/** Creates a customer for whom every list holds at least `rowCount` rows. */
export async function createFixtures(
  shop: PayingApp,
  admin: TestCaller,
  rowCount = 1,
): Promise<Fixtures> {
  fixtureCount += 1
  const category = `fixtures-${fixtureCount}`
  const [owner, [unreviewed = 0, ...products], clients] = await Promise.all([
    shop.signInAs('customer', { email: `${category}@example.com`, age: 30 }),
    addProducts(admin, category, rowCount + 1),
    registerClients(admin, rowCount),
  ])
  const [cartItem, orders, bought, apiKey, session, oauthConsent] = await Promise.all([
    fillCart(owner, products),
    placeOrders(owner, products, rowCount),
    buyAndReview(shop, owner, [...products, unreviewed], rowCount),
    createApiKeys(owner, rowCount),
    signInAgain(shop, owner, rowCount),
    consentTo(shop, owner, clients),
  ])
  const events = await send(admin, 'GET', `/audit-events?subject_id=${owner.id}`)
  await send(owner, 'POST', '/user/delete', { reason: 'I buy elsewhere now.' })
  return {
    admin,
    owner,
    products,
    unreviewed,
    cartItem,
    ...orders,
    ...bought,
    apiKey,
    session,
    oauthClient: clients[0]?.id ?? 0,
    oauthConsent,
    auditEvent: events.json.data[0].id,
  }
}

async function send({ request }: TestCaller, ...[method, url, body]: [string, string, object?]) {
  const response = await request(method, url, body)
  if (response.status >= 300)
    throw new Error(`Creating fixtures failed at ${method} ${url}: ${response.text}`)
  return response
}

/** A cart or order line for one unit of a product. */
export const oneOf = (product_id: number) => ({ product_id, quantity: 1 })

const addProducts = (admin: TestCaller, category: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const product = { name: `Kettle ${index}`, category, price: fixturePrice }
      return (await addProduct(admin, product)).id
    }),
  )

/** Adds one unit of each product to the cart; returns the ID of the first item. */
async function fillCart(owner: TestCaller, products: readonly number[]): Promise<number> {
  const [first = 0, ...others] = products
  const { json: item } = await send(owner, 'POST', '/cart', oneOf(first))
  for (const id of others) await send(owner, 'POST', '/cart', oneOf(id))
  return item.id
}

/** Pays an order of the products and reviews the first of them. */
async function buyAndReview(
  shop: PayingApp,
  owner: TestCaller,
  products: readonly number[],
  rowCount: number,
) {
  const { orderId, payment } = await payOrder(owner, products, rowCount)
  const purchases = await send(owner, 'GET', `/purchases?order_id=${orderId}`)
  const [first = 0] = products
  const review = await send(owner, 'POST', `/products/${first}/reviews`, { rating: 4 })
  await insertReviews(shop, first, rowCount - 1)
  return {
    paidOrder: orderId,
    payment,
    purchase: purchases.json.data[0].id as number,
    review: review.json.id as number,
  }
}

async function placeOrders(owner: TestCaller, products: readonly number[], count: number) {
  const path = `/users/${owner.id}/orders`
  const { json: order } = await send(owner, 'POST', path, { items: products.map(oneOf) })
  for (let made = 1; made < count; made++) {
    await send(owner, 'POST', path, { items: products.map(oneOf) })
  }
  const { json: items } = await send(owner, 'GET', `/orders/${order.id}/items`)
  return {
    pendingOrder: order.id as number,
    pendingTotal: order.total as number,
    orderItem: items.data[0].id as number,
  }
}

/** Places and pays an order; all payment attempts but the last are declined. */
async function payOrder(owner: TestCaller, products: readonly number[], attempts: number) {
  const items = products.map(oneOf)
  const { json: order } = await send(owner, 'POST', `/users/${owner.id}/orders`, { items })
  const path = `/users/${owner.id}/orders/${order.id}/payment`
  for (let made = 1; made < attempts; made++) {
    await owner.request('POST', path, { method: 'card', token: 'tok_declined' })
  }
  const { json: payment } = await send(owner, 'POST', path, { method: 'card', token: 'tok_visa' })
  return { orderId: order.id as number, payment: payment.id as number }
}

interface Client {
  readonly id: number
  readonly client_id: string
}

async function registerClients(admin: TestCaller, count: number): Promise<readonly Client[]> {
  const body = { client_name: 'Tracker', redirect_uris: ['https://tracker.example/callback'] }
  const clients: Client[] = []
  for (let made = 0; made < count; made++) {
    clients.push((await send(admin, 'POST', '/oauth-clients', body)).json)
  }
  return clients
}

/** Stores the owner's consent to each client; returns the ID of one consent. */
async function consentTo(
  shop: PayingApp,
  owner: TestCaller,
  clients: readonly Client[],
): Promise<number> {
  for (const { client_id } of clients) await insertGrant(shop, owner.id, client_id, 'orders:read')
  const { json } = await send(owner, 'GET', '/oauth-consents')
  return json.data[0].id
}

/** Creates API keys; returns the ID of the first. */
async function createApiKeys(owner: TestCaller, count: number): Promise<number> {
  const { json: key } = await send(owner, 'POST', '/api-keys', { name: 'Scanner' })
  for (let made = 1; made < count; made++)
    await send(owner, 'POST', '/api-keys', { name: 'Reader' })
  return key.id
}

/** Signs the owner in again; returns the ID of the first of these sessions. */
async function signInAgain(
  { request }: PayingApp,
  owner: TestCaller,
  count: number,
): Promise<number> {
  const login = { username: owner.username, password: testPassword }
  const ids: number[] = []
  for (let made = 0; made < count; made++) {
    const { json } = await request('POST', '/login', login)
    ids.push(Number(decodeJwt(json.token)['sid']))
  }
  return ids[0] ?? 0
}

/** Inserts reviews whose authors have been erased. */
async function insertReviews({ db }: PayingApp, product_id: number, count: number): Promise<void> {
  const row = { product_id, user_id: null, author: null, rating: 3, verified_purchase: 1 }
  const times = { created_at: rowTimestamp, updated_at: rowTimestamp }
  for (let made = 0; made < count; made++) {
    await db
      .insertInto('reviews')
      .values({ ...row, ...times })
      .execute()
  }
}
