import type { Role } from '#http/declare/actor.ts'
import { createMessage } from '#i18n/message.ts'
import { maxQuantity } from '#resources/carts/schema.ts'
import { isBuyable } from '#resources/products/rules.ts'
import type { Availability } from '#resources/products/schema.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import { amountCeilingMinor, type Minor, toMajor } from '#values/money.ts'
import { type FieldIssue, Problem, problem } from '#values/problem.ts'
import type { OrderStatus } from './schema.ts'

/** How long an order can be paid, in milliseconds. */
export const paymentWindowMs = 30 * minuteMs

/** Who may make a transition; `payment` means that only a payment does. */
type TransitionActor = 'owner' | 'admin' | 'payment'

/** The transitions from each status, and who may make them. */
const transitions: Readonly<
  Record<OrderStatus, Readonly<Partial<Record<OrderStatus, TransitionActor>>>>
> = {
  pending: { paid: 'payment', cancelled: 'owner' },
  paid: { shipped: 'admin', cancelled: 'admin' },
  shipped: { delivered: 'admin' },
  delivered: { refunded: 'admin' },
  cancelled: {},
  refunded: {},
}

/** Throws 409 for a transition that does not exist and 403 for one that the role may not make. */
export function requireTransition(from: OrderStatus, to: OrderStatus, role: Role | null): void {
  const allowed = transitions[from][to]
  if (allowed === undefined || allowed === 'payment') {
    throw problem('4091', 'order.transition', { from, to })
  }
  if (allowed === 'admin' && role !== 'admin') throw problem('4031', 'detail.admin_only')
}

/** True when `role` may change the status of an order from `from` to `to`. */
export function canTransition(from: OrderStatus, to: OrderStatus, role: Role | null): boolean {
  const allowed = transitions[from][to]
  return allowed === 'owner' || (allowed === 'admin' && role === 'admin')
}

/** True for a transition that refunds the payment. */
export const isRefundTransition = (from: OrderStatus, to: OrderStatus): boolean =>
  (from === 'paid' && to === 'cancelled') || (from === 'delivered' && to === 'refunded')

/** A product and the quantity requested. */
export interface OrderLine {
  readonly product_id: number
  readonly quantity: number
}

/** Merges lines of the same product. Throws 422 when a merged quantity exceeds the limit. */
export function mergeLines(lines: readonly OrderLine[]): readonly OrderLine[] {
  const merged = new Map<number, number>()
  for (const { product_id, quantity } of lines) {
    merged.set(product_id, (merged.get(product_id) ?? 0) + quantity)
  }
  const isOverLimit = [...merged.values()].some((quantity) => quantity > maxQuantity)
  if (isOverLimit) {
    const message = createMessage('cart.quantity_limit', { limit: maxQuantity })
    throw new Problem('4221', message, { issues: [{ field: 'items', message }] })
  }
  return [...merged].map(([product_id, quantity]) => ({ product_id, quantity }))
}

/** True when both hold the same products in the same quantities, in any order. */
export function areSameLines(lines: readonly OrderLine[], others: readonly OrderLine[]): boolean {
  const quantities = new Map(others.map(({ product_id, quantity }) => [product_id, quantity]))
  return (
    lines.length === others.length &&
    lines.every(({ product_id, quantity }) => quantities.get(product_id) === quantity)
  )
}

/** The fields of a product that ordering it needs. */
export interface ProductSnapshot {
  readonly id: number
  readonly name: string
  readonly price_minor: Minor
  readonly availability: Availability
  readonly stock: number | null
  readonly deleted_at: Instant | null
}

/**
 * Throws when an order cannot be filled, with an issue for each line concerned: 422 for an unknown
 * product, 409/4093 for short stock, else 409/4091.
 */
export function requireFillable(
  lines: readonly OrderLine[],
  productSnapshots: ReadonlyMap<number, ProductSnapshot>,
): void {
  const issues = lines.flatMap((line, index) => findLineIssue(line, index, productSnapshots) ?? [])
  if (issues.length === 0) return
  const code = codesByPriority.find((candidate) => issues.some((issue) => issue.code === candidate))
  const names = issues.map(({ field }) => field).join(', ')
  throw new Problem(code ?? '4091', createMessage(details[code ?? '4091'], { names }), {
    issues,
  })
}

const codesByPriority = ['4221', '4093', '4091'] as const
const details = {
  '4221': 'detail.fields',
  '4093': 'order.short',
  '4091': 'order.not_buyable',
} as const

interface LineIssue extends FieldIssue {
  readonly code: (typeof codesByPriority)[number]
}

function findLineIssue(
  { product_id, quantity }: OrderLine,
  index: number,
  productSnapshots: ReadonlyMap<number, ProductSnapshot>,
): LineIssue | undefined {
  const productSnapshot = productSnapshots.get(product_id)
  if (!productSnapshot || productSnapshot.deleted_at !== null) {
    const message = createMessage('field.unknown_product')
    return { code: '4221', field: `items[${index}].product_id`, message }
  }
  const { name, stock } = productSnapshot
  if (stock !== null && stock < quantity) {
    const message = createMessage('product.short', { name, wanted: quantity, left: stock })
    return { code: '4093', field: `items[${index}].quantity`, message }
  }
  if (isBuyable(productSnapshot)) return undefined
  const message = createMessage('product.not_buyable', { name })
  return { code: '4091', field: `items[${index}].product_id`, message }
}

/** A line of an order with the product's name and price at that time, in minor units. */
export interface FrozenLine extends OrderLine {
  readonly name: string
  readonly unit_price_minor: Minor
  readonly line_total_minor: Minor
}

/** Copies name and price of the product into every line; unknown products are left out. */
export const freezeLines = (
  lines: readonly OrderLine[],
  productSnapshots: ReadonlyMap<number, ProductSnapshot>,
): readonly FrozenLine[] =>
  lines.flatMap(({ product_id, quantity }) => {
    const productSnapshot = productSnapshots.get(product_id)
    if (!productSnapshot) return []
    const { name, price_minor } = productSnapshot
    const line_total_minor = price_minor * quantity
    return [{ product_id, quantity, name, unit_price_minor: price_minor, line_total_minor }]
  })

/** The totals that an order stores, in minor units. */
export interface OrderTotals {
  readonly item_count: number
  readonly subtotal_minor: Minor
  readonly shipping_cost_minor: Minor
  readonly tax_minor: Minor
  readonly total_minor: Minor
}

/** Computes the totals of an order. Throws 409 when the total exceeds the largest amount. */
export function computeTotals(
  lines: readonly Pick<FrozenLine, 'quantity' | 'line_total_minor'>[],
  shippingCostMinor: Minor,
): OrderTotals {
  const subtotal = lines.reduce((sum, line) => sum + line.line_total_minor, 0)
  // Prices include tax.
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

/** Throws 409 when the total differs from the one the client expects. */
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

/** The state that decides whether a buyer may change an order. */
export interface PaymentClaims {
  readonly status: OrderStatus
  /** True while a payment is in progress. */
  readonly payment_pending: boolean
  /** True while a refund is in progress. */
  readonly refund_pending: boolean
}

/** Throws 409 while a payment or refund is in progress. */
export function requireNoMoneyMoving({ payment_pending, refund_pending }: PaymentClaims): void {
  if (payment_pending) throw problem('4091', 'order.payment_under_way')
  if (refund_pending) throw problem('4091', 'order.refund_under_way')
}

/** Throws 409 unless the order is pending without a payment in progress. */
export function requireEditable(order: PaymentClaims): void {
  const { status } = order
  if (status !== 'pending') throw problem('4091', 'order.not_editable', { status })
  requireNoMoneyMoving(order)
}

/** Throws 409 unless the order is pending or cancelled without a payment or refund in progress. */
export function requireRemovable(order: PaymentClaims): void {
  const { status } = order
  if (status !== 'pending' && status !== 'cancelled') {
    throw problem('4091', 'order.not_removable', { status })
  }
  requireNoMoneyMoving(order)
}

/** The columns that change when an order takes the status `to`. */
export function statusChange(to: OrderStatus, now: Instant) {
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

/** Adds the amounts of the representation to an order. */
export const presentOrder = <S extends OrderTotals>(order: S) => ({
  ...order,
  subtotal: order.subtotal_minor,
  shipping_cost: order.shipping_cost_minor,
  tax: order.tax_minor,
  total: order.total_minor,
})
