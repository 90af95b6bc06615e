import { createdId } from './answer.ts'
import { encodeRequest, type Request, type Scenario } from './load.ts'

/** A user of the server under test, with a token that is good for the whole measurement. */
export interface Buyer {
  readonly id: number
  readonly token: string
}

/** Who buys and what: connection n acts as buyer n alone. */
export interface Shop {
  readonly buyers: readonly Buyer[]
  readonly productIds: readonly number[]
}

const address = { line1: '1 Main Street', city: 'Springfield', postal_code: '12345', country: 'US' }
const shipping = { method: 'standard', recipient: 'Ada Lovelace', address }
const payment = { method: 'card', token: 'tok_visa' }

/** Reads these paths in turn, one an iteration, in JSON or another form. */
export function readPaths(paths: readonly string[], accept?: string): Scenario {
  const encode = (path: string) => encodeRequest('GET', path, undefined, undefined, [], accept)
  return askInTurn(paths.map((path) => ({ bytes: encode(path), expect: 200 })))
}

/** Asks in turn whether what was read is still good: 304. */
export function revalidate(
  known: readonly { readonly path: string; readonly etag: string }[],
): Scenario {
  const requests = known.map(({ path, etag }) => {
    const bytes = encodeRequest('GET', path, undefined, undefined, [`If-None-Match: ${etag}`])
    return { bytes, expect: 304 }
  })
  return askInTurn(requests)
}

/** Sends these requests in turn, one an iteration. */
export function askInTurn(requests: readonly Request[]): Scenario {
  const next = inTurn(requests)
  return function* ask() {
    yield next()
  }
}

/** Places an order of two products, one piece each, straight from the body. */
export function placeOrders(shop: Shop): Scenario {
  const nextProduct = inTurn(shop.productIds)
  return function* placeOrder(connection) {
    const { id, token } = buyerOf(shop, connection)
    const items = [nextProduct(), nextProduct()].map((product_id) => ({ product_id, quantity: 1 }))
    yield post(`/users/${id}/orders`, token, { items })
  }
}

/** Puts one piece of a product in the cart; its line is there already, after once round. */
export function addToCarts(shop: Shop): Scenario {
  const nextProduct = inTurn(shop.productIds)
  return function* add(connection) {
    const { token } = buyerOf(shop, connection)
    const body = { product_id: nextProduct(), quantity: 1 }
    yield { bytes: encodeRequest('POST', '/cart', token, body), expect: [200, 201] }
  }
}

/** Places an order of two products and pays for it. */
export function payOrders(shop: Shop, placed: (buyer: Buyer, orderId: number) => void): Scenario {
  const nextProduct = inTurn(shop.productIds)
  return function* pay(connection) {
    const buyer = buyerOf(shop, connection)
    const { id, token } = buyer
    const items = [nextProduct(), nextProduct()].map((product_id) => ({ product_id, quantity: 1 }))
    const orderId = createdId(yield post(`/users/${id}/orders`, token, { items }))
    yield post(`/users/${id}/orders/${orderId}/payment`, token, payment)
    placed(buyer, orderId)
  }
}

/**
 * Goes through a whole checkout: two products to the cart, an order of it, shipping, payment.
 * `placed` is told the buyer and the order that he has paid.
 */
export function checkOut(shop: Shop, placed: (buyer: Buyer, orderId: number) => void): Scenario {
  const nextProduct = inTurn(shop.productIds)
  return function* buy(connection) {
    const buyer = buyerOf(shop, connection)
    const { id, token } = buyer
    // Both are taken before the first answer: by then others may have gone once round, and the
    // second would be the same product, which is no new line of the cart.
    const wanted = [nextProduct(), nextProduct()]
    for (const product_id of wanted) yield post('/cart', token, { product_id, quantity: 1 })
    const orderId = createdId(yield post(`/users/${id}/orders`, token, {}))
    const bytes = encodeRequest('PUT', `/orders/${orderId}/shipping`, token, shipping)
    yield { bytes, expect: 200 }
    yield post(`/users/${id}/orders/${orderId}/payment`, token, payment)
    placed(buyer, orderId)
  }
}

function post(path: string, token: string, body: object): Request {
  return { bytes: encodeRequest('POST', path, token, body), expect: 201 }
}

function buyerOf(shop: Shop, connection: number): Buyer {
  const buyer = shop.buyers[connection]
  if (!buyer) throw new Error(`no buyer for connection ${connection}`)
  return buyer
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
