import { createMessage, type Message } from '#i18n/message.ts'
import { allocateByWeights } from '#shop/checkout/pricing/exact.ts'
import { describeDestination, describeParcel } from '#shop/orders/shipping/rules.ts'
import type { Shop } from '#shop/shop.ts'
import type { Instant } from '#values/instant.ts'
import { type Minor, sumAmounts, timesQuantity, toDecimalText } from '#values/money.ts'
import { type FieldIssue, fieldProblem } from '#values/problem.ts'
import { findRegion } from '#values/regions.ts'
import type { ImportedOrder } from './schema.ts'

/** Returns the columns of an order of another shop. Throws 422/4221 where its sums do not add up, or it is of the future. */
export function describeImportedOrder(order: ImportedOrder, shop: Shop, now: Instant) {
  const { discount_total = 0, shipping_cost = 0, tax = 0, total, status } = order
  const subtotal = sumAmounts(order.items.map(lineTotalOf))
  const amounts = { discount_total, shipping_cost, tax, total }
  const isTaxIncluded = requireSum(order, subtotal, amounts, shop)
  const { refunded_total = status === 'refunded' ? total : 0 } = order
  requireWithin({ ...order, refunded_total }, shop, now)
  const lines = shareSums(order, subtotal)
  return {
    lines: lines.items,
    columns: {
      number: order.number,
      source: 'import' as const,
      status,
      currency: shop.currency,
      item_count: order.items.reduce((sum, { quantity }) => sum + quantity, 0),
      ...{ subtotal, ...amounts, shipping_tax: lines.shipping_tax, refunded: refunded_total },
      prices_include_tax: isTaxIncluded ? 1 : 0,
      contact_name: order.contact?.name?.trim() || null,
      contact_email: order.contact?.email ?? null,
      note: order.note ?? null,
      external_id: order.external_id ?? null,
      cancel_reason: status === 'cancelled' ? ('requested' as const) : null,
      shipping_status: shippingStatuses[status],
      shipped_at: order.shipping?.shipped_at ?? null,
      delivered_at: order.shipping?.delivered_at ?? null,
      ...describeParcel(order.shipping ?? {}),
      ...placeOf(order),
      created_at: order.created_at,
    },
  }
}

/** The columns of an order of another shop, but for its buyer. */
export type ImportedColumns = ReturnType<typeof describeImportedOrder>['columns']

const shippingStatuses = {
  ...({ pending: 'pending', paid: 'pending', cancelled: 'pending' } as const),
  ...({ shipped: 'in_transit', delivered: 'delivered', refunded: 'delivered' } as const),
}

const lineTotalOf = ({ unit_price, quantity }: ImportedOrder['items'][number]): Minor =>
  timesQuantity(unit_price, quantity)

/** Returns where an order was sent, with the code of a region that has one. */
function placeOf({ shipping }: ImportedOrder) {
  const place = describeDestination(shipping ?? {})
  const { country, region } = place
  const known = country !== null && region !== null ? findRegion(country, region) : undefined
  return known ? { ...place, region: known.code } : place
}

type Amounts = Readonly<Record<'discount_total' | 'shipping_cost' | 'tax' | 'total', Minor>>

/**
 * Returns whether the prices of an order include the tax, which its total tells unless the order does: first as they do
 * in this shop. Throws 422/4221 where the total is another.
 */
function requireSum(
  { tax_included }: ImportedOrder,
  subtotal: Minor,
  { discount_total, shipping_cost, tax, total }: Amounts,
  { pricesIncludeTax, currencyDigits }: Shop,
): boolean {
  const sumOf = (isIncluded: boolean) =>
    subtotal - discount_total + shipping_cost + (isIncluded ? 0 : tax)
  const expected = tax_included ?? pricesIncludeTax
  const forms = tax_included === undefined ? [expected, !expected] : [expected]
  const found = forms.find((isIncluded) => sumOf(isIncluded) === total)
  if (found !== undefined && discount_total <= subtotal) return found
  if (discount_total > subtotal) throw atMost('discount_total', subtotal, currencyDigits)
  const text = toDecimalText(sumOf(expected), currencyDigits)
  throw wrong('total', createMessage('import.total', { total: text }))
}

/** Throws 422/4221 for an order of the future, or of which more was refunded than paid. */
function requireWithin(
  {
    created_at,
    total,
    refunded_total,
  }: Pick<ImportedOrder, 'created_at' | 'total'> & { readonly refunded_total: Minor },
  { currencyDigits }: Shop,
  now: Instant,
): void {
  if (created_at > now || created_at < 0) {
    throw wrong('created_at', createMessage('import.past'))
  }
  if (refunded_total > total) throw atMost('refunded_total', total, currencyDigits)
}

const wrong = (field: FieldIssue['field'], message: Message) => fieldProblem([{ field, message }])

const atMost = (field: string, limit: Minor, digits: number) =>
  wrong(field, createMessage('field.maximum', { limit: toDecimalText(limit, digits) }))

/** Shares the discount among the items, and the tax among these and the shipping, in proportion to their amounts. */
function shareSums(
  { items, discount_total = 0, shipping_cost = 0, tax = 0 }: ImportedOrder,
  subtotal: Minor,
) {
  const totals = items.map(lineTotalOf)
  const discounts = subtotal === 0 ? [] : allocateByWeights(discount_total, totals)
  const paid = totals.map((line_total, at) => line_total - (discounts[at] ?? 0))
  const taxes = allocateByWeights(tax, [...paid, shipping_cost])
  return {
    shipping_tax: taxes[items.length] ?? 0,
    items: items.map((item, at) => ({
      ...{ sku: item.sku ?? null, name: item.name ?? null, options: item.options ?? null },
      ...{ quantity: item.quantity, unit_price: item.unit_price, line_total: totals[at] ?? 0 },
      ...{ discount: discounts[at] ?? 0, tax: taxes[at] ?? 0 },
    })),
  }
}

/** An item of an order of another shop; it may have no name if a product here has its SKU. */
export type ImportedItem = ReturnType<typeof shareSums>['items'][number]
