import type { Role } from '#http/declare/actor.ts'
import { createMessage } from '#i18n/message.ts'
import { quantityLimit } from '#resources/carts/schema.ts'
import { isBuyable } from '#resources/products/rules.ts'
import type { Availability } from '#resources/products/schema.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import { amountCeilingMinor, type Minor, toMajor } from '#values/money.ts'
import { type FieldIssue, Problem, problem } from '#values/problem.ts'
import type { OrderStatus } from './schema.ts'

/** How long an order waits for its payment. */
export const paymentWindowMs = 30 * minuteMs

/** Who brings a transition about: the buyer, an administrator, or a payment alone. */
type Mover = 'owner' | 'admin' | 'payment'

/** The life of an order: from each status, where it can go and who may send it there. */
const machine: Readonly<Record<OrderStatus, Readonly<Partial<Record<OrderStatus, Mover>>>>> = {
  pending: { paid: 'payment', cancelled: 'owner' },
  paid: { shipped: 'admin', cancelled: 'admin' },
  shipped: { delivered: 'admin' },
  delivered: { refunded: 'admin' },
  cancelled: {},
  refunded: {},
}

/** Refuses a transition that the machine does not have (409) or the role may not make (403). */
export function requireTransition(from: OrderStatus, to: OrderStatus, role: Role | null): void {
  const mover = machine[from][to]
  if (mover === undefined || mover === 'payment') {
    throw problem('4091', 'order.transition', { from, to })
  }
  if (mover === 'admin' && role !== 'admin') throw problem('4031', 'detail.admin_only')
}

/** True when `role` may send an order from one status to the other. */
export function canMove(from: OrderStatus, to: OrderStatus, role: Role | null): boolean {
  const mover = machine[from][to]
  return mover === 'owner' || (mover === 'admin' && role === 'admin')
}

/** True for a transition that gives the money back. */
export const isRefunding = (from: OrderStatus, to: OrderStatus): boolean =>
  (from === 'paid' && to === 'cancelled') || (from === 'delivered' && to === 'refunded')

/** A product and how much of it is wanted. */
export interface Wanted {
  readonly product_id: number
  readonly quantity: number
}

/** The same wishes with one line a product; refused with 422 when a line overflows. */
export function mergeLines(lines: readonly Wanted[]): readonly Wanted[] {
  const merged = new Map<number, number>()
  for (const { product_id, quantity } of lines) {
    merged.set(product_id, (merged.get(product_id) ?? 0) + quantity)
  }
  const over = [...merged.values()].some((quantity) => quantity > quantityLimit)
  if (over) {
    const message = createMessage('cart.quantity_limit', { limit: quantityLimit })
    throw new Problem('4221', message, { issues: [{ field: 'items', message }] })
  }
  return [...merged].map(([product_id, quantity]) => ({ product_id, quantity }))
}

/** True when both hold the same products in the same quantities, in any order. */
export function areSameLines(some: readonly Wanted[], others: readonly Wanted[]): boolean {
  const quantities = new Map(others.map(({ product_id, quantity }) => [product_id, quantity]))
  return (
    some.length === others.length &&
    some.every(({ product_id, quantity }) => quantities.get(product_id) === quantity)
  )
}

/** What an order needs to know of a product. */
export interface ProductSnapshot {
  readonly id: number
  readonly name: string
  readonly price_minor: Minor
  readonly availability: Availability
  readonly stock: number | null
  readonly deleted_at: Instant | null
}

/**
 * Refuses an order that cannot be filled, naming each line in the way: 422 for an unknown product,
 * 409/4093 for short stock, else 409/4091.
 */
export function requireFilled(
  lines: readonly Wanted[],
  productSnapshots: ReadonlyMap<number, ProductSnapshot>,
): void {
  const obstacles = lines.flatMap((line, at) => obstacleTo(line, at, productSnapshots) ?? [])
  if (obstacles.length === 0) return
  const code = gravest.find((grave) => obstacles.some((obstacle) => obstacle.code === grave))
  const names = obstacles.map(({ field }) => field).join(', ')
  throw new Problem(code ?? '4091', createMessage(details[code ?? '4091'], { names }), {
    issues: obstacles,
  })
}

const gravest = ['4221', '4093', '4091'] as const
const details = {
  '4221': 'detail.fields',
  '4093': 'order.short',
  '4091': 'order.not_buyable',
} as const

interface Obstacle extends FieldIssue {
  readonly code: (typeof gravest)[number]
}

function obstacleTo(
  { product_id, quantity }: Wanted,
  at: number,
  productSnapshots: ReadonlyMap<number, ProductSnapshot>,
): Obstacle | undefined {
  const productSnapshot = productSnapshots.get(product_id)
  if (!productSnapshot || productSnapshot.deleted_at !== null) {
    const message = createMessage('field.unknown_product')
    return { code: '4221', field: `items[${at}].product_id`, message }
  }
  const { name, stock } = productSnapshot
  if (stock !== null && stock < quantity) {
    const message = createMessage('product.short', { name, wanted: quantity, left: stock })
    return { code: '4093', field: `items[${at}].quantity`, message }
  }
  if (isBuyable(productSnapshot)) return undefined
  const message = createMessage('product.not_buyable', { name })
  return { code: '4091', field: `items[${at}].product_id`, message }
}

/** A line of an order, with name and price frozen; amounts in minor units. */
export interface FrozenLine extends Wanted {
  readonly name: string
  readonly unit_price_minor: Minor
  readonly line_total_minor: Minor
}

/** Freezes the name and price of every line. */
export const freeze = (
  lines: readonly Wanted[],
  productSnapshots: ReadonlyMap<number, ProductSnapshot>,
): readonly FrozenLine[] =>
  lines.flatMap(({ product_id, quantity }) => {
    const productSnapshot = productSnapshots.get(product_id)
    if (!productSnapshot) return []
    const { name, price_minor } = productSnapshot
    const line_total_minor = price_minor * quantity
    return [{ product_id, quantity, name, unit_price_minor: price_minor, line_total_minor }]
  })

/** The sums of an order, as the order keeps them. */
export interface Sums {
  readonly item_count: number
  readonly subtotal_minor: Minor
  readonly shipping_cost_minor: Minor
  readonly tax_minor: Minor
  readonly total_minor: Minor
}

/** Adds an order up; refused with 409 when the total is beyond what can be paid. */
export function addUp(
  lines: readonly Pick<FrozenLine, 'quantity' | 'line_total_minor'>[],
  shippingCostMinor: Minor,
): Sums {
  const subtotal = lines.reduce((sum, line) => sum + line.line_total_minor, 0)
  // Prices include their tax, so none comes on top.
  const total = subtotal + shippingCostMinor
  if (total >= amountCeilingMinor) {
    throw problem('4091', 'order.too_large')
  }
  return {
    item_count: lines.reduce((pieces, { quantity }) => pieces + quantity, 0),
    subtotal_minor: subtotal,
    shipping_cost_minor: shippingCostMinor,
    tax_minor: 0,
    total_minor: total,
  }
}

/** Refuses with 409 a total other than the client expects. */
export function requireExpectedTotal(
  total: Minor,
  expected: Minor | undefined,
  currencyDigits: number,
): void {
  if (expected === undefined || expected === total) return
  throw problem('4091', 'order.expected_total', {
    total: toMajor(total, currencyDigits),
    expected: toMajor(expected, currencyDigits),
  })
}

/** What an order must be free of before its buyer changes it. */
export interface PaymentClaims {
  readonly status: OrderStatus
  /** True while a payment is under way. */
  readonly payment_pending: boolean
  /** True while a refund is under way. */
  readonly refund_pending: boolean
}

/** Refuses with 409 while money is on its way in either direction. */
export function requireNoMoneyMoving({ payment_pending, refund_pending }: PaymentClaims): void {
  if (payment_pending) throw problem('4091', 'order.payment_under_way')
  if (refund_pending) throw problem('4091', 'order.refund_under_way')
}

/** Refuses with 409 to change an order that is not pending. */
export function requireEditable(order: PaymentClaims): void {
  const { status } = order
  if (status !== 'pending') throw problem('4091', 'order.not_editable', { status })
  requireNoMoneyMoving(order)
}

/** Refuses with 409 to remove an order that is neither pending nor cancelled. */
export function requireRemovable(order: PaymentClaims): void {
  const { status } = order
  if (status !== 'pending' && status !== 'cancelled') {
    throw problem('4091', 'order.not_removable', { status })
  }
  requireNoMoneyMoving(order)
}

/** What changes of an order that comes to be in another status. */
export function movedTo(to: OrderStatus, now: Instant) {
  switch (to) {
    case 'shipped':
      return { status: to, shipping_status: 'in_transit', shipped_at: now } as const
    case 'delivered':
      return { status: to, shipping_status: 'delivered', delivered_at: now } as const
    case 'pending':
    case 'paid':
    case 'cancelled':
    case 'refunded':
      return { status: to, expires_at: null } as const
    default:
      return to satisfies never
  }
}

/** An order as it is told: its sums, as money. */
export const presentOrder = <S extends Sums>(order: S) => ({
  ...order,
  subtotal: order.subtotal_minor,
  shipping_cost: order.shipping_cost_minor,
  tax: order.tax_minor,
  total: order.total_minor,
})
