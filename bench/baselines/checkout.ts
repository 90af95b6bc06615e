import { randomUUID } from 'node:crypto'
import type { shipping as Shipping } from '../shop.ts'
import { statements } from './statements.ts'

/** The response to one request. */
export interface Outcome {
  readonly status: number
  readonly body: object
  readonly location?: string
  readonly revision?: number
}

/** A quantity of one product. */
export type Line = Readonly<Record<'product_id' | 'quantity', number>>

type ProductRow = Readonly<Record<'id' | 'price' | 'stock', number>> &
  Readonly<Record<'name' | 'availability', string>>

type OrderRow = Readonly<
  Record<'id' | 'user_id' | 'item_count' | 'revision' | 'created_at' | 'updated_at', number> &
    Record<'subtotal' | 'shipping_cost' | 'tax' | 'total', number> &
    Record<'status' | 'currency', string> & { expires_at: number | null }
>

const holdMs = 30 * 60 * 1000
const iso = (atMs: number): string => new Date(atMs).toISOString()
const link = (href: string, method?: string) => (method ? { href, method } : { href })
const productOf = (id: number) => statements.readProduct.get(id) as ProductRow
const orderOf = (id: number) => statements.readOrder.get(id) as OrderRow

function requireStock({ availability, stock }: ProductRow, quantity: number): void {
  if (availability !== 'in_stock' || stock < quantity) throw new Error('not enough in stock')
}

/** Puts a product in the cart of a user, or adds to its quantity there. */
export function addToCart(userId: number, { product_id, quantity }: Line): Outcome {
  const product = productOf(product_id)
  requireStock(product, quantity)
  const { name, price } = product
  const now = Date.now()
  statements.touchCart.run(userId, now, now)
  const item = statements.addCartItem.get(userId, product_id, quantity, now, now) as Readonly<
    Record<'id' | 'quantity' | 'created_at', number>
  >
  const location = `/users/${userId}/cart/items/${item.id}`
  const body = {
    id: item.id,
    product_id,
    name,
    unit_price: price / 100,
    quantity: item.quantity,
    line_total: (price * item.quantity) / 100,
    created_at: iso(item.created_at),
    updated_at: iso(now),
    _links: {
      self: link(location),
      edit: link(location, 'PATCH'),
      delete: link(location, 'DELETE'),
      product: link(`/products/${product_id}`),
    },
  }
  return { status: item.quantity === quantity ? 201 : 200, location, body }
}

/** Places an order of these lines, or else of the cart, which it empties. */
export function placeOrder(userId: number, asked?: readonly Line[]): Outcome {
  const lines = asked ?? (statements.readCart.all(userId) as Line[])
  const items = lines.map((line) => ({ ...line, product: productOf(line.product_id) }))
  for (const { product, quantity } of items) requireStock(product, quantity)
  const now = Date.now()
  const total = items.reduce((sum, item) => sum + item.product.price * item.quantity, 0)
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const expires_at = now + holdMs
  const order = [userId, count, total, total, expires_at, now, now]
  const id = Number(statements.insertOrder.run(...order).lastInsertRowid)
  for (const { product, quantity } of items) {
    const { price, name } = product
    const taken = statements.takeStock.run(quantity, now, product.id, quantity)
    if (taken.changes !== 1) throw new Error('stock changed under an open transaction')
    statements.insertOrderItem.run(id, product.id, name, price, quantity, price * quantity, now)
  }
  if (!asked) {
    statements.emptyCart.run(userId)
    statements.touchCart.run(userId, now, now)
  }
  const outcome = present({
    id,
    user_id: userId,
    status: 'pending',
    currency: 'USD',
    item_count: count,
    subtotal: total,
    shipping_cost: 0,
    tax: 0,
    total: total,
    expires_at,
    revision: 1,
    created_at: now,
    updated_at: now,
  })
  return { ...outcome, status: 201, location: `/users/${userId}/orders/${id}` }
}

function present(order: OrderRow): Outcome {
  const { id, user_id, status, currency, item_count, expires_at, revision } = order
  const path = `/users/${user_id}/orders/${id}`
  const body = {
    id,
    user_id,
    status,
    currency,
    item_count,
    subtotal: order.subtotal / 100,
    shipping_cost: order.shipping_cost / 100,
    tax: order.tax / 100,
    total: order.total / 100,
    note: null,
    expires_at: expires_at && iso(expires_at),
    created_at: iso(order.created_at),
    updated_at: iso(order.updated_at),
    _links: {
      self: link(path),
      edit: link(path, 'PUT'),
      delete: link(path, 'DELETE'),
      items: link(`/orders/${id}/items`),
      shipping: link(`/orders/${id}/shipping`),
      payment: link(`${path}/payment`, 'POST'),
    },
  }
  return { status: 200, body, revision }
}

/** Sets how and where an order is sent. */
export function ship(orderId: number, { method, recipient, address }: typeof Shipping): Outcome {
  const order = orderOf(orderId)
  const { line1, city, postal_code, country } = address
  const now = Date.now()
  const place = [method, recipient, line1, city, postal_code, country]
  statements.setShipping.run(...place, now, orderId, order.revision)
  const path = `/orders/${orderId}/shipping`
  const body = {
    order_id: orderId,
    method,
    recipient,
    address: { line2: null, region: null, ...address },
    status: 'pending',
    carrier: null,
    tracking_number: null,
    tracking_url: null,
    shipped_at: null,
    delivered_at: null,
    cost: order.shipping_cost / 100,
    created_at: iso(order.created_at),
    updated_at: iso(now),
    _links: { self: link(path), edit: link(path, 'PUT'), order: link(`/orders/${orderId}`) },
  }
  return { status: 200, body, revision: order.revision + 1 }
}

/** Marks an order as paid, without a provider, and records what was bought. */
export function pay(orderId: number, method: string): Outcome {
  const order = orderOf(orderId)
  const now = Date.now()
  if (statements.markPaid.run(now, orderId).changes !== 1) throw new Error('paid already')
  const reference = randomUUID()
  const { user_id, total, currency } = order
  const payment = [orderId, reference, method, total, currency, reference, now, now]
  const id = Number(statements.insertPayment.run(...payment).lastInsertRowid)
  const items = statements.readOrderItems.all(orderId) as (Line & Record<'id' | 'price', number>)[]
  for (const { id: item, product_id, quantity, price } of items) {
    statements.insertPurchase.run(user_id, product_id, orderId, item, quantity, price, now)
  }
  const location = `/users/${user_id}/orders/${orderId}/payment/${id}`
  const body = {
    id,
    order_id: orderId,
    method,
    amount: total / 100,
    currency,
    status: 'succeeded',
    provider: 'none',
    provider_reference: reference,
    created_at: iso(now),
    updated_at: iso(now),
    _links: { self: link(location), order: link(`/orders/${orderId}`) },
  }
  return { status: 201, location, body, revision: 1 }
}
