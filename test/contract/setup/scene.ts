import { decodeJwt } from 'jose'
import { type TestCaller, testPassword } from '#test/support/app.ts'
import { addProduct, type PayingApp } from '#test/support/callers/paying.ts'
import { giveGrant } from '#test/support/oauth-grants.ts'
import { longAgo } from '#test/support/rows.ts'

/** A customer and one of everything that can belong to a customer. */
export interface Fixtures {
  readonly admin: TestCaller
  readonly owner: TestCaller
  /** What the customer has in the cart and has bought. */
  readonly products: readonly number[]
  /** What the customer has bought, but neither reviewed nor in the cart. */
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
  /** Another one than that of the owner's token. */
  readonly session: number
  readonly oauthClient: number
  readonly oauthConsent: number
  readonly auditEvent: number
}

/** What a piece of everything in a scene costs. */
export const fixturePrice = 19.99
let fixtureCount = 0

/** Sets a scene in which every list of the customer has at least `breadth` rows. */
export async function createFixtures(
  shop: PayingApp,
  admin: TestCaller,
  breadth = 1,
): Promise<Fixtures> {
  fixtureCount += 1
  const category = `scene-${fixtureCount}`
  const owner = await shop.signInAs('customer', { email: `${category}@example.com`, age: 30 })
  const products: number[] = []
  for (let made = 0; made <= breadth; made++) {
    const { id } = await addProduct(admin, {
      name: `Kettle ${made}`,
      category,
      price: fixturePrice,
    })
    products.push(id)
  }
  const unreviewed = products.pop() ?? 0
  const { json: cartItem } = await send(owner, 'POST', '/cart', of(products[0] ?? 0))
  for (const id of products.slice(1)) await send(owner, 'POST', '/cart', of(id))
  const orders = await placeOrders(owner, products, breadth)
  const paid = await payOrder(owner, [...products, unreviewed], breadth)
  const purchases = await send(owner, 'GET', `/purchases?order_id=${paid.orderId}`)
  const [first = 0] = products
  const review = await send(owner, 'POST', `/products/${first}/reviews`, { rating: 4 })
  await addReviews(shop, first, breadth - 1)
  const apiKey = await makeKeys(owner, breadth)
  const session = await signInElsewhere(shop, owner, breadth)
  const clients = await registerClients(admin, breadth)
  const oauthConsent = await consentTo(shop, owner, clients)
  const events = await send(admin, 'GET', `/audit-events?subject_id=${owner.id}`)
  await send(owner, 'POST', '/user/delete', { reason: 'I buy elsewhere now.' })
  return {
    admin,
    owner,
    products,
    unreviewed,
    cartItem: cartItem.id,
    ...orders,
    paidOrder: paid.orderId,
    payment: paid.payment,
    purchase: purchases.json.data[0].id,
    review: review.json.id,
    apiKey,
    session,
    oauthClient: clients[0]?.id ?? 0,
    oauthConsent,
    auditEvent: events.json.data[0].id,
  }
}

async function send({ request }: TestCaller, ...[method, url, body]: [string, string, object?]) {
  const answer = await request(method, url, body)
  if (answer.status >= 300) throw new Error(`The scene failed at ${method} ${url}: ${answer.text}`)
  return answer
}

/** One piece of a product, as carts and orders take it. */
export const of = (product_id: number) => ({ product_id, quantity: 1 })

async function placeOrders(owner: TestCaller, products: readonly number[], count: number) {
  const place = `/users/${owner.id}/orders`
  const { json: order } = await send(owner, 'POST', place, { items: products.map(of) })
  for (let made = 1; made < count; made++) {
    await send(owner, 'POST', place, { items: products.map(of) })
  }
  const { json: items } = await send(owner, 'GET', `/orders/${order.id}/items`)
  return {
    pendingOrder: order.id as number,
    pendingTotal: order.total as number,
    orderItem: items.data[0].id as number,
  }
}

/** Pays an order at the last of so many attempts. */
async function payOrder(owner: TestCaller, products: readonly number[], attempts: number) {
  const items = products.map(of)
  const { json: order } = await send(owner, 'POST', `/users/${owner.id}/orders`, { items })
  const place = `/users/${owner.id}/orders/${order.id}/payment`
  for (let made = 1; made < attempts; made++) {
    await owner.request('POST', place, { method: 'card', token: 'tok_declined' })
  }
  const { json: payment } = await send(owner, 'POST', place, { method: 'card', token: 'tok_visa' })
  return { orderId: order.id as number, payment: payment.id as number }
}

interface Client {
  readonly id: number
  readonly client_id: string
}

/** Registers so many clients. */
async function registerClients(admin: TestCaller, count: number): Promise<readonly Client[]> {
  const body = { client_name: 'Tracker', redirect_uris: ['https://tracker.example/callback'] }
  const clients: Client[] = []
  for (let made = 0; made < count; made++) {
    clients.push((await send(admin, 'POST', '/oauth-clients', body)).json)
  }
  return clients
}

/** Lets the owner consent to clients; the first of the consents. */
async function consentTo(
  shop: PayingApp,
  owner: TestCaller,
  clients: readonly Client[],
): Promise<number> {
  for (const { client_id } of clients) await giveGrant(shop, owner.id, client_id, 'orders:read')
  const { json } = await send(owner, 'GET', '/oauth-consents')
  return json.data[0].id
}

/** Makes so many API keys; the first. */
async function makeKeys(owner: TestCaller, count: number): Promise<number> {
  const { json: key } = await send(owner, 'POST', '/api-keys', { name: 'Scanner' })
  for (let made = 1; made < count; made++) await send(owner, 'POST', '/api-keys', { name: 'Till' })
  return key.id
}

/** Signs the owner in so many times more; the first of those sessions. */
async function signInElsewhere(
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

/** Reviews by authors who have been erased. */
async function addReviews({ db }: PayingApp, product_id: number, count: number): Promise<void> {
  const row = { product_id, user_id: null, author: null, rating: 3, verified_purchase: 1 }
  const times = { created_at: longAgo, updated_at: longAgo }
  for (let made = 0; made < count; made++) {
    await db
      .insertInto('reviews')
      .values({ ...row, ...times })
      .execute()
  }
}
