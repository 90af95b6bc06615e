import { randomUUID } from 'node:crypto'
import {
  iso,
  type Line,
  type OrderRow,
  type Outcome,
  refused,
  row,
  rows,
  type Statements,
} from './order-work.ts'

/** The shipping information that a checkout sends. */
export interface Shipping {
  readonly method: string
  readonly recipient: string
  readonly address: Record<'line1' | 'city' | 'postal_code' | 'country', string>
}

/** Says where an order goes. */
export function ship(statements: Statements, orderId: number, shipping: Shipping): Outcome {
  const order = row<OrderRow>(statements.readOrder, orderId)
  if (!order) return refused(404, 'No such order.')
  const { method, recipient, address } = shipping
  const now = Date.now()
  statements.setShipping.run(
    ...[method, recipient, address.line1, address.city, address.postal_code, address.country],
    ...[now, orderId, order.revision],
  )
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
    cost: order.shipping_cost_minor / 100,
    created_at: iso(order.created_at),
    updated_at: iso(now),
    _links: {
      self: { href: path },
      edit: { href: path, method: 'PUT' },
      order: { href: `/orders/${orderId}` },
    },
  }
  return { status: 200, body, revision: order.revision + 1 }
}

/** Takes an order as paid, asking no provider, and enters what was bought. */
export function pay(statements: Statements, orderId: number, method: string): Outcome {
  const order = row<OrderRow>(statements.readOrder, orderId)
  if (!order) return refused(404, 'No such order.')
  const now = Date.now()
  if (statements.markPaid.run(now, orderId).changes !== 1) return refused(409, 'Already paid.')
  const reference = randomUUID()
  const { lastInsertRowid } = statements.insertPayment.run(
    ...[orderId, reference, method, order.total_minor, order.currency, reference, now, now],
  )
  const items = rows<Line & { id: number; unit_price_minor: number }>(
    statements.readOrderItems,
    orderId,
  )
  for (const { id, product_id, quantity, unit_price_minor } of items) {
    statements.insertPurchase.run(
      ...[order.user_id, product_id, orderId, id, quantity, unit_price_minor, now],
    )
  }
  const location = `/users/${order.user_id}/orders/${orderId}/payment/${lastInsertRowid}`
  const body = {
    id: Number(lastInsertRowid),
    order_id: orderId,
    method,
    amount: order.total_minor / 100,
    currency: order.currency,
    status: 'succeeded',
    provider: 'none',
    provider_reference: reference,
    created_at: iso(now),
    updated_at: iso(now),
    _links: { self: { href: location }, order: { href: `/orders/${orderId}` } },
  }
  return { status: 201, location, body, revision: 1 }
}
