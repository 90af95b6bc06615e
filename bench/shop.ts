import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { createdId, encodeRequest, type LoadRequest, type Scenario } from './load.ts'
import { administrator, root, type Server, type ServerOptions, startServer } from './server.ts'

/** A user of the server, with a token that is good for the whole measurement. */
export interface Buyer {
  readonly id: number
  readonly token: string
}

/** Buyers and what they buy; connection n acts as buyer n alone. */
export interface Shop {
  readonly buyers: readonly Buyer[]
  readonly productIds: readonly number[]
}

const buyerPassword = 'bench-password'
const productCount = 100

/** Sends a request with a JSON body and returns that of the response; throws for 4xx and 5xx. */
export async function call<Body = Record<string, unknown>>(
  { port }: Pick<Server, 'port'>,
  method: string,
  path: string,
  { token, body }: { readonly token?: string; readonly body?: object } = {},
): Promise<Body> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Body
}

/** Adds generated data by `npm run seed` to a database that has fewer than so many products. */
export async function fillUp(
  subject: ServerOptions & { readonly url: string },
  products: number,
  others: Readonly<Record<string, number>> = {},
): Promise<void> {
  const count = async () => {
    await using server = await startServer(subject)
    return await call<{ pagination: { total_items: number } }>(server, 'GET', '/products?limit=1')
  }
  const missing = products - (await count()).pagination.total_items
  if (missing <= 0) return
  const counts = Object.entries({ products: missing, ...others })
  const words = counts.flatMap(([name, number]) => [`--${name}`, String(number)])
  const { status } = spawnSync(process.execPath, [resolve(root, 'src/cli/seed.ts'), ...words], {
    cwd: subject.directory,
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: subject.url },
  })
  if (status !== 0) throw new Error('a database could not be filled')
}

/** Signs in and returns the access token. */
export async function logIn(
  server: Server,
  credentials: { readonly username: string; readonly password: string } = administrator,
): Promise<string> {
  const { token } = await call(server, 'POST', '/login', { body: credentials })
  return String(token)
}

/** Adds 100 products with plenty in stock by the API of the server and returns their IDs. */
export async function addProducts(server: Server): Promise<number[]> {
  const token = await logIn(server)
  const ids: number[] = []
  for (let at = 1; at <= productCount; at += 1) {
    const product = { name: `Bench product ${at}`, price: 10 + at / 100, category: 'bench' }
    const body = { ...product, stock: 1_000_000 }
    const { id } = await call(server, 'POST', '/products', { token, body })
    ids.push(Number(id))
  }
  return ids
}

/**
 * Registers buyers by the API of the server and signs each of them in. They have no address: the server
 * writes mails in the time that requests leave, which depends on the machine.
 */
export async function addBuyers(server: Server, count: number): Promise<Buyer[]> {
  const buyers: Buyer[] = []
  for (let at = 1; at <= count; at += 1) {
    const body = { name: `Bench ${at}`, username: usernameOf(at), password: buyerPassword }
    const { id } = await call(server, 'POST', '/users', { body })
    buyers.push({ id: Number(id), token: '' })
  }
  return renewTokens(server, buyers)
}

/** Signs buyers in again: a token may live less long than all measurements take. */
export async function renewTokens(server: Server, buyers: readonly Buyer[]): Promise<Buyer[]> {
  const renewed: Buyer[] = []
  for (const { id } of buyers) {
    const credentials = { username: usernameOf(renewed.length + 1), password: buyerPassword }
    renewed.push({ id, token: await logIn(server, credentials) })
  }
  return renewed
}

// The database of a soak is kept, so that each run needs users of its own.
const startedAt = Date.now()
const usernameOf = (number: number): string => `bench-${startedAt}-${number}`

/** Throws unless these orders, as their buyers read them, are paid. */
export async function requirePaid(
  server: Server,
  orders: ReadonlyMap<Buyer, number>,
): Promise<void> {
  for (const [{ token }, orderId] of orders) {
    const order = await call(server, 'GET', `/orders/${orderId}`, { token })
    if (order['status'] !== 'paid') throw new Error(`not paid: ${JSON.stringify(order)}`)
  }
}

const address = { line1: '1 Main Street', city: 'Springfield', postal_code: '12345', country: 'US' }
/** Shipping information as a checkout sends it. */
export const shipping = { method: 'standard', recipient: 'Ada Lovelace', address }
/** A card that is charged at once. */
export const payment = { method: 'card', token: 'tok_visa' }

/** A request that is answered with 200. */
export const get = (path: string, parts?: Parameters<typeof encodeRequest>[2]): LoadRequest => ({
  bytes: encodeRequest('GET', path, parts),
  expect: 200,
})

/** Reads these paths in turn, one an iteration, in JSON or another form. */
export const readPaths = (paths: readonly string[], accept = 'application/json'): Scenario =>
  askInTurn(paths.map((path) => get(path, { accept })))

/** Revalidates these paths in turn by their ETags: 304. */
export const revalidate = (known: readonly { path: string; etag: string }[]): Scenario =>
  askInTurn(
    known.map(({ path, etag }) => ({
      ...get(path, { fields: [`If-None-Match: ${etag}`] }),
      expect: 304,
    })),
  )

/** Sends these requests in turn, one an iteration. */
export function askInTurn(requests: readonly LoadRequest[]): Scenario {
  const next = inTurn(requests)
  return function* ask() {
    yield next()
  }
}

/** Places an order of two products, one piece each, straight from the body. */
export function placeOrders(shop: Shop): Scenario {
  const nextItems = itemsInTurn(shop)
  return function* placeOrder(connection) {
    const { id, token } = buyerOf(shop, connection)
    yield post(`/users/${id}/orders`, token, { items: nextItems() })
  }
}

/** Puts one piece of a product in the cart; after one round its line is there already. */
export function addToCarts(shop: Shop): Scenario {
  const nextProduct = inTurn(shop.productIds)
  return function* add(connection) {
    const { token } = buyerOf(shop, connection)
    const body = { product_id: nextProduct(), quantity: 1 }
    yield { ...post('/cart', token, body), expect: [200, 201] }
  }
}

/** Places an order of two products and pays for it; `paid` has the last order of each buyer. */
export function payOrders(shop: Shop, paid: Map<Buyer, number>): Scenario {
  const nextItems = itemsInTurn(shop)
  return function* pay(connection) {
    const buyer = buyerOf(shop, connection)
    const { id, token } = buyer
    const order = { items: nextItems(), shipping }
    const orderId = createdId(yield post(`/users/${id}/orders`, token, order))
    yield post(`/users/${id}/orders/${orderId}/payment`, token, payment)
    paid.set(buyer, orderId)
  }
}

/** Goes through a whole checkout: two products to the cart, an order of it, shipping, payment. */
export function checkOut(shop: Shop, paid: Map<Buyer, number>): Scenario {
  const nextItems = itemsInTurn(shop)
  return function* buy(connection) {
    const buyer = buyerOf(shop, connection)
    const { id, token } = buyer
    // Both are taken before the first response: by then others may have gone once round, and the
    // second would be the same product, which is no new line of the cart.
    for (const item of nextItems()) yield post('/cart', token, item)
    const orderId = createdId(yield post(`/users/${id}/orders`, token, {}))
    const bytes = encodeRequest('PUT', `/orders/${orderId}/shipping`, { token, body: shipping })
    yield { bytes, expect: 200 }
    yield post(`/users/${id}/orders/${orderId}/payment`, token, payment)
    paid.set(buyer, orderId)
  }
}

const post = (path: string, token: string, body: object): LoadRequest => ({
  bytes: encodeRequest('POST', path, { token, body }),
  expect: 201,
})

function buyerOf(shop: Shop, connection: number): Buyer {
  const buyer = shop.buyers[connection]
  if (!buyer) throw new Error(`no buyer for connection ${connection}`)
  return buyer
}

function itemsInTurn({ productIds }: Shop) {
  const next = inTurn(productIds)
  return () => [next(), next()].map((product_id) => ({ product_id, quantity: 1 }))
}

function inTurn<Item>(items: readonly Item[]): () => Item {
  let at = 0
  return () => {
    const item = items[at % items.length]
    if (item === undefined) throw new Error('nothing to take in turn')
    at += 1
    return item
  }
}
