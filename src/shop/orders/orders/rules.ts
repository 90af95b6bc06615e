import type { Role } from '#http/declare/actor.ts'
import { createMessage } from '#i18n/message.ts'
import {
  hasStockFor,
  isBuyable,
  isListed,
  notBuyableMessage,
  type Sellable,
  unitsLeft,
} from '#shop/catalogue/products/sellable.ts'
import type { ProductToOrder } from '#shop/catalogue/products/stock/stock-store.ts'
import { maxQuantity } from '#shop/checkout/carts/schema.ts'
import type { OrderItemRow } from '#shop/orders/order-items/table.ts'
import { type Instant, minuteMs } from '#values/instant.ts'
import { type Minor, sumAmounts, timesQuantity, toDecimalText } from '#values/money.ts'
import { type FieldIssue, Problem, problem } from '#values/problem.ts'
import { sumQuantities } from '#values/quantities.ts'
import type { CancelReason, OrderSource, OrderStatus } from './schema.ts'
import type { OrderRow } from './table.ts'

/** How long an order can be paid, in milliseconds. */
export const paymentWindowMs = 30 * minuteMs

/** Who may make a transition; `payment` and `refund` mean that only one of those does. */
type TransitionActor = 'owner' | 'admin' | 'payment' | 'refund'

/** The transitions from each status, and who may make them. */
const transitions: Readonly<
  Record<OrderStatus, Readonly<Partial<Record<OrderStatus, TransitionActor>>>>
> = {
  pending: { paid: 'payment', cancelled: 'owner' },
  paid: { shipped: 'admin', cancelled: 'admin' },
  shipped: { delivered: 'admin', refunded: 'refund' },
  delivered: { refunded: 'admin' },
  cancelled: {},
  refunded: {},
}

/** Throws 409 for a transition that does not exist and 403 for one that the role may not make. */
export function requireStatusTransition(
  from: OrderStatus,
  to: OrderStatus,
  role: Role | null,
): void {
  const allowed = transitions[from][to]
  if (allowed === undefined || allowed === 'payment' || allowed === 'refund') {
    throw problem('4091', 'order.transition', { from, to })
  }
  if (allowed === 'admin' && role !== 'admin') throw problem('4031', 'detail.admin_only')
}

/** True when `role` may change the status of an order from `from` to `to`. */
export function canTransition(from: OrderStatus, to: OrderStatus, role: Role | null): boolean {
  const allowed = transitions[from][to]
  return allowed === 'owner' || (allowed === 'admin' && role === 'admin')
}

/** Throws 409 for an order of which parcels were sent: it can be refunded, but not cancelled. */
export function requireUnsent({ parcel_count }: Pick<OrderRow, 'parcel_count'>): void {
  if (parcel_count > 0) throw problem('4091', 'order.parcels_sent')
}

/** True for a transition that refunds the payment. */
export const isRefundTransition = (from: OrderStatus, to: OrderStatus): boolean =>
  (from === 'paid' && to === 'cancelled') || (from === 'delivered' && to === 'refunded')

/** True for a transition that returns money; that of an imported order was taken elsewhere. */
export const returnsMoney = (
  {
    status,
    total,
    source,
  }: Pick<OrderPaymentState, 'status' | 'source'> & { readonly total: Minor },
  to: OrderStatus,
): boolean => isRefundTransition(status, to) && total > 0 && source !== 'import'

/** A product and the quantity requested. */
export interface OrderLine {
  readonly product_id: number
  readonly quantity: number
}

/** Merges lines of the same product. Throws 422 when a merged quantity exceeds the limit. */
export function mergeLines(lines: readonly OrderLine[]): readonly OrderLine[] {
  const merged = sumQuantities(lines, ({ product_id }) => product_id)
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
export type ProductSnapshot = Sellable &
  Pick<
    ProductToOrder,
    | 'id'
    | 'name_sort'
    | 'sku'
    | 'variant_of'
    | 'options'
    | 'effective_category'
    | 'effective_tax_class'
    | 'price'
    | 'requires_shipping'
  >

/** Where the lines of an order come from; by default from a body. */
export interface LineOrigin {
  readonly areOfCart?: boolean
}

/**
 * Throws when an order cannot be filled, with an issue for each line concerned: 422 for an unknown
 * product, 409/4093 for short stock and for what was removed since it was put into the cart, else 409/4091.
 */
export function requireAvailableLines(
  lines: readonly OrderLine[],
  productSnapshots: ReadonlyMap<number, ProductSnapshot>,
  { areOfCart = false }: LineOrigin = {},
): void {
  const issues = lines.flatMap((line, index) => {
    const product = productSnapshots.get(line.product_id)
    return (
      findLineIssue(
        line,
        index,
        areOfCart || (product && isListed(product)) ? product : undefined,
      ) ?? []
    )
  })
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
  { quantity }: OrderLine,
  index: number,
  productSnapshot: ProductSnapshot | undefined,
): LineIssue | undefined {
  const field = `items[${index}].product_id`
  if (!productSnapshot) {
    return { code: '4221', field, message: createMessage('field.unknown_product') }
  }
  const { name, stock } = productSnapshot
  if (!isListed(productSnapshot)) {
    return { code: '4093', field, message: createMessage('product.not_buyable', { name }) }
  }
  if (stock !== null && !hasStockFor(productSnapshot, quantity)) {
    const left = unitsLeft(stock)
    const message = createMessage('product.short', { name, wanted: quantity, left })
    return { code: '4093', field: `items[${index}].quantity`, message }
  }
  if (isBuyable(productSnapshot)) return undefined
  return { code: '4091', field, message: notBuyableMessage(productSnapshot) }
}

/** Returns the pieces that are missing in the stock, by the ID of a product that is on sale otherwise. */
export const shortLines = (
  lines: readonly OrderLine[],
  products: ReadonlyMap<number, Sellable>,
): ReadonlyMap<number, number> =>
  new Map(
    lines.flatMap(({ product_id, quantity }) => {
      const product = products.get(product_id)
      if (!product || !isListed(product) || product.availability === 'discontinued') return []
      const { stock } = product
      return stock === null || hasStockFor(product, quantity)
        ? []
        : [[product_id, quantity - stock]]
    }),
  )

/** A line of an order with its product as it was at that time; amounts in minor units. */
export type LineSnapshot = OrderLine &
  Pick<
    ProductSnapshot,
    'name' | 'name_sort' | 'sku' | 'variant_of' | 'options' | 'requires_shipping'
  > &
  Pick<OrderItemRow, 'category' | 'tax_class' | 'unit_price' | 'line_total' | 'taken'>

/** Copies the product into every line; unknown products are left out. */
export const snapshotLines = (
  lines: readonly OrderLine[],
  productSnapshots: ReadonlyMap<number, ProductSnapshot>,
): readonly LineSnapshot[] =>
  lines.flatMap(({ product_id, quantity }) => {
    const productSnapshot = productSnapshots.get(product_id)
    if (!productSnapshot) return []
    const { name, name_sort, sku, variant_of, options, price, stock } = productSnapshot
    const taken = stock === null ? 0 : quantity
    const { effective_category: category, requires_shipping } = productSnapshot
    const tax_class = productSnapshot.effective_tax_class
    const product = {
      tax_class,
      name,
      name_sort,
      sku,
      variant_of,
      options,
      category,
      requires_shipping,
    }
    const amounts = { unit_price: price, line_total: timesQuantity(price, quantity) }
    return [{ product_id, quantity, taken, ...product, ...amounts }]
  })

/** The sum of the lines before discount and tax, in minor units. */
export const subtotalOf = (lines: readonly Pick<LineSnapshot, 'line_total'>[]): Minor =>
  sumAmounts(lines.map((line) => line.line_total))

/** Throws 409 when the total differs from the one the client expects. */
export function requireExpectedTotal(
  total: Minor,
  expected: Minor | undefined,
  { currency, currencyDigits }: { readonly currency: string; readonly currencyDigits: number },
): void {
  if (expected === undefined || expected === total) return
  const format = (amount: Minor) => `${toDecimalText(amount, currencyDigits)} ${currency}`
  throw problem('4091', 'order.expected_total', {
    total: format(total),
    expected: format(expected),
  })
}

/** The state that decides whether a buyer may change an order. */
export interface OrderPaymentState {
  readonly status: OrderStatus
  /** The status of the payment in progress; null without one. */
  readonly open_payment: 'pending' | 'action_required' | null
  /** True while a refund of all that is left is in progress. */
  readonly refund_pending: boolean
  /** True once a payment has succeeded, even if it was refunded. */
  readonly money_taken: boolean
  /** `import` for one of another shop, which is history: it is neither paid nor changed here. */
  readonly source?: OrderSource
}

/** True while no payment or refund is in progress. */
export const hasNoPaymentInProgress = ({
  open_payment,
  refund_pending,
}: OrderPaymentState): boolean => open_payment === null && !refund_pending

/** Throws 409 while a payment or refund is in progress. */
export function requireNoPaymentInProgress({
  open_payment,
  refund_pending,
}: OrderPaymentState): void {
  if (open_payment !== null) throw problem('4091', 'order.payment_under_way')
  if (refund_pending) throw problem('4091', 'order.refund_under_way')
}

/** True for a pending order, which was placed here, without a payment in progress. */
export const isEditable = (order: OrderPaymentState): boolean =>
  order.status === 'pending' && order.source !== 'import' && hasNoPaymentInProgress(order)

/** True while a payment waits for the buyer and must be cancelled before the order. */
export const awaitsBuyer = ({ status, open_payment }: OrderPaymentState): boolean =>
  status === 'pending' && open_payment === 'action_required'

/** Throws 409 unless the order is editable. */
export function requireEditableOrder(order: OrderPaymentState): void {
  if (isEditable(order)) return
  if (order.source === 'import') throw problem('4091', 'order.imported')
  requireNoPaymentInProgress(order)
  throw problem('4091', 'order.not_editable', { status: order.status })
}

/** True for a pending or cancelled order for which no money was taken or is moving. */
export const isRemovable = (order: OrderPaymentState): boolean =>
  (order.status === 'pending' || order.status === 'cancelled') &&
  !order.money_taken &&
  hasNoPaymentInProgress(order)

/** Throws 409 unless the order is removable. */
export function requireRemovableOrder(order: OrderPaymentState): void {
  if (isRemovable(order)) return
  requireNoPaymentInProgress(order)
  if (order.money_taken) throw problem('4091', 'order.money_taken')
  throw problem('4091', 'order.not_removable', { status: order.status })
}

/** The columns that change when an order takes the status `to`; `reason` is why it is cancelled. */
export function statusChange(to: OrderStatus, now: Instant, reason: CancelReason = 'requested') {
  switch (to) {
    case 'shipped':
      return { status: to, shipping_status: 'in_transit', shipped_at: now } as const
    case 'delivered':
      return { status: to, shipping_status: 'delivered', delivered_at: now } as const
    case 'pending':
    case 'paid':
    case 'refunded':
      return { status: to, expires_at: null, network: null } as const
    case 'cancelled':
      return { status: to, expires_at: null, network: null, cancel_reason: reason } as const
    default:
      return to satisfies never
  }
}

/** Adds the computed fields of the representation to an order. */
export const presentOrder = <S extends OrderRow>(order: S) => ({
  ...order,
  discount:
    order.discount_code === null
      ? null
      : { code: order.discount_code, amount: order.discount_total },
  tax_included: order.prices_include_tax === 1,
  refunded_total: order.refunded,
  contact: { name: order.contact_name, email: order.contact_email },
})
