import type { StatementSync } from 'node:sqlite'
import type { prepareStatements } from './statements.ts'

/** What one request comes to: a status, the body, and where it lives if it is new. */
export interface Outcome {
  readonly status: number
  readonly body: object
  readonly location?: string
  readonly revision?: number
}

/** The statements that the work runs, each prepared once. */
export type Statements = ReturnType<typeof prepareStatements>

interface ProductRow {
  readonly id: number
  readonly name: string
  readonly price_minor: number
  readonly availability: string
  readonly stock: number
}

/** An order as its table holds it. */
export interface OrderRow {
  readonly id: number
  readonly user_id: number
  readonly status: string
  readonly currency: string
  readonly item_count: number
  readonly subtotal_minor: number
  readonly shipping_cost_minor: number
  readonly tax_minor: number
  readonly total_minor: number
  readonly expires_at: number | null
  readonly revision: number
  readonly created_at: number
  readonly updated_at: number
}

/** So many pieces of one product. */
export interface Line {
  readonly product_id: number
  readonly quantity: number
}

interface Item {
  readonly product: ProductRow
  readonly quantity: number
}

const holdMs = 30 * 60 * 1000

/** An outcome that says why nothing was done. */
export const refused = (status: number, message: string): Outcome => ({ status, body: { message } })

/** Runs a statement and gives its first row. */
export const row = <Row>(statement: StatementSync, ...values: number[]) =>
  statement.get(...values) as Row | undefined

/** Runs a statement and gives all its rows. */
export const rows = <Row>(statement: StatementSync, ...values: number[]) =>
  statement.all(...values) as Row[]

/** An instant as JSON shows it. */
export const iso = (atMs: number) => new Date(atMs).toISOString()

/** Puts a product in the user's cart, or adds to its quantity there. */
export function addToCart(statements: Statements, userId: number, line: Line): Outcome {
  const product = row<ProductRow>(statements.readProduct, line.product_id)
  if (!product) return refused(422, 'No such product.')
  if (product.availability !== 'in_stock' || product.stock < line.quantity) {
    return refused(409, 'Not enough in stock.')
  }
  const now = Date.now()
  statements.touchCart.run(userId, now, now)
  const item = statements.addCartItem.get(userId, product.id, line.quantity, now, now) as {
    id: number
    quantity: number
    created_at: number
  }
  const location = `/users/${userId}/cart/items/${item.id}`
  const body = {
    id: item.id,
    product_id: product.id,
    name: product.name,
    unit_price: product.price_minor / 100,
    quantity: item.quantity,
    line_total: (product.price_minor * item.quantity) / 100,
    created_at: iso(item.created_at),
    updated_at: iso(now),
    _links: {
      self: { href: location },
      edit: { href: location, method: 'PATCH' },
      delete: { href: location, method: 'DELETE' },
      product: { href: `/products/${product.id}` },
    },
  }
  return { status: item.quantity === line.quantity ? 201 : 200, location, body }
}

/**
 * Places an order of these lines, or else of the cart, which it empties. Nothing is written where
 * stock is short: no other writer can come between the reads and the writes.
 */
export function placeOrder(statements: Statements, userId: number, asked?: Line[]): Outcome {
  const lines = asked ?? rows<Line>(statements.readCart, userId)
  if (lines.length === 0) return refused(409, 'The cart is empty.')
  const items: Item[] = []
  for (const line of lines) {
    const product = row<ProductRow>(statements.readProduct, line.product_id)
    if (!product) return refused(422, 'No such product.')
    if (product.stock < line.quantity) return refused(409, 'Not enough in stock.')
    items.push({ product, quantity: line.quantity })
  }
  const order = insertOrder(statements, userId, items)
  const { id, created_at: now } = order
  for (const { product, quantity } of items) {
    const price = product.price_minor
    const taken = statements.takeStock.run(quantity, now, product.id, quantity)
    if (taken.changes !== 1) throw new Error('stock changed under an open transaction')
    statements.insertOrderItem.run(
      ...[id, product.id, product.name, price, quantity, price * quantity, now],
    )
  }
  if (!asked) {
    statements.emptyCart.run(userId)
    statements.touchCart.run(userId, now, now)
  }
  return { ...showOrder(order), status: 201, location: `/users/${userId}/orders/${id}` }
}

function insertOrder(statements: Statements, userId: number, items: Item[]): OrderRow {
  const now = Date.now()
  const total = items.reduce((sum, item) => sum + item.product.price_minor * item.quantity, 0)
  const count = items.reduce((sum, item) => sum + item.quantity, 0)
  const { lastInsertRowid } = statements.insertOrder.run(
    ...[userId, count, total, total, now + holdMs, now, now],
  )
  return {
    id: Number(lastInsertRowid),
    user_id: userId,
    status: 'pending',
    currency: 'USD',
    item_count: count,
    subtotal_minor: total,
    shipping_cost_minor: 0,
    tax_minor: 0,
    total_minor: total,
    expires_at: now + holdMs,
    revision: 1,
    created_at: now,
    updated_at: now,
  }
}

/** Reads one order as the server shows it to its owner. */
export function readOrder(statements: Statements, id: number): Outcome {
  const order = row<OrderRow>(statements.readOrder, id)
  return order ? showOrder(order) : refused(404, 'No such order.')
}

function showOrder(order: OrderRow): Outcome {
  const { id } = order
  const path = `/users/${order.user_id}/orders/${id}`
  const body = {
    id,
    user_id: order.user_id,
    status: order.status,
    currency: order.currency,
    item_count: order.item_count,
    subtotal: order.subtotal_minor / 100,
    shipping_cost: order.shipping_cost_minor / 100,
    tax: order.tax_minor / 100,
    total: order.total_minor / 100,
    note: null,
    expires_at: order.expires_at === null ? null : iso(order.expires_at),
    created_at: iso(order.created_at),
    updated_at: iso(order.updated_at),
    _links: {
      self: { href: path },
      edit: { href: path, method: 'PUT' },
      delete: { href: path, method: 'DELETE' },
      items: { href: `/orders/${id}/items` },
      shipping: { href: `/orders/${id}/shipping` },
      payment: { href: `${path}/payment`, method: 'POST' },
    },
  }
  return { status: 200, body, revision: order.revision }
}
