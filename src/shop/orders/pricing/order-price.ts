import { type Discount, discounts } from '#shop/checkout/discounts/discounts.ts'
import {
  discountTermsOf,
  inapplicableReason,
  unusableReason,
} from '#shop/checkout/discounts/rules.ts'
import { coveringBelow } from '#shop/checkout/discounts/scope.ts'
import { type DiscountUser, hasUsedUp, requireUseLeft } from '#shop/checkout/discounts/uses.ts'
import { type Price, priceOrder } from '#shop/checkout/pricing/price.ts'
import type { TaxRule } from '#shop/checkout/pricing/tax.ts'
import { costOfMethod, shippingMethods } from '#shop/checkout/shipping-methods.ts'
import { findTaxRules } from '#shop/checkout/tax-rates.ts'
import { findLines, priceItemsStatements } from '#shop/orders/order-items/store.ts'
import { type LineSnapshot, subtotalOf } from '#shop/orders/orders/rules.ts'
import type { OrderRow } from '#shop/orders/orders/table.ts'
import type { Destination } from '#shop/orders/shipping/rules.ts'
import { defaultMethod } from '#shop/orders/shipping/schema.ts'
import type { Shop } from '#shop/shop.ts'
import type { Db } from '#store/database.ts'
import { writeBatch } from '#store/query/write-batch.ts'
import type { Instant } from '#values/instant.ts'
import { type Minor, maximumMinor } from '#values/money.ts'
import { Problem, problem } from '#values/problem.ts'

/** The shipping method of a destination, unless there is none, and the tax rates of its country. */
export interface PriceTerms {
  readonly method: Parameters<typeof costOfMethod>[0]
  readonly taxRules: readonly TaxRule[]
}

/** Reads by which terms an order is priced now. */
export async function findPriceTerms(
  db: Db,
  destination: Destination,
  { country }: Shop,
): Promise<PriceTerms> {
  const code = destination.shipping_method
  const [method, taxRules] = await Promise.all([
    shippingMethods.find(db, { code, deleted_at: null }),
    findTaxRules(db, taxPlaceOf(destination, country).country),
  ])
  return { method, taxRules }
}

/** The lines, destination, discount and terms of an order. */
export interface OrderToPrice<L extends LineSnapshot> {
  readonly lines: readonly L[]
  readonly destination: Destination
  readonly discount: Discount | undefined
  readonly terms: PriceTerms
  /** The field of the request that names the shipping method. */
  readonly methodField?: MethodField
}

type MethodField = 'shipping.method' | 'method'

/**
 * Computes what an order costs. Throws 422/4221 for a method that cannot be chosen, and 409/4091 when the
 * subtotal or the total exceeds the largest amount.
 */
export function priceByTerms<L extends LineSnapshot>(
  { lines, destination, discount, terms, methodField = 'shipping.method' }: OrderToPrice<L>,
  { pricesIncludeTax, country, currencyDigits }: Shop,
): Price<L> {
  const subtotalMinor = subtotalOf(lines)
  requireOrderable(subtotalMinor, currencyDigits)
  const { shipping_method, country: destinationCountry } = destination
  // Without a method, an order has the default one, which a shop that sends nothing may lack.
  const needsMethod =
    isSent(lines) || (shipping_method !== defaultMethod && terms.method?.active !== true)
  const shippingMinor = needsMethod
    ? costOfMethod(terms.method, { subtotalMinor, country: destinationCountry }, methodField)
    : 0
  const price = priceOrder({
    lines,
    discount: discount ? discountTermsOf(discount) : null,
    shippingMinor,
    taxRules: terms.taxRules,
    taxPlace: taxPlaceOf(destination, country),
    isTaxIncluded: pricesIncludeTax,
  })
  requireOrderable(price.total, currencyDigits)
  return price
}

/** Throws 409/4091 for a sum above the largest amount. */
function requireOrderable(sumMinor: Minor, digits: number): void {
  if (sumMinor > maximumMinor(digits)) throw problem('4091', 'order.too_large')
}

/** Orders that are picked up, or without a country, are taxed in the country of the shop. */
const taxPlaceOf = (
  { shipping_method, country, region }: Destination,
  shopCountry: string | null,
) =>
  shipping_method === 'pickup' || country === null
    ? { country: shopCountry, region: null }
    : { country, region }

/** True if one of the lines must be sent. */
const isSent = (lines: readonly Pick<LineSnapshot, 'requires_shipping'>[]): boolean =>
  lines.some(({ requires_shipping }) => requires_shipping === 1)

/** Returns the columns of an order that its lines and their price decide. */
export const toPriceColumns = (
  { lines, ...sums }: Price<LineSnapshot>,
  { pricesIncludeTax }: Shop,
) => ({
  ...sums,
  prices_include_tax: pricesIncludeTax ? 1 : 0,
  requires_shipping: isSent(lines) ? 1 : 0,
})

/**
 * Returns the discount with this code, which must be locked, for a new order of a user. Throws 409/4091,
 * saying why, when the order cannot use it.
 */
export async function requireUsableDiscount(
  db: Db,
  { code, discount }: { readonly code: string; readonly discount: Discount | undefined },
  { lines, buyer }: { readonly lines: readonly LineSnapshot[]; readonly buyer: DiscountUser },
  now: Instant,
): Promise<Discount> {
  const isUsedUpByUser = await hasUsedUp(db, discount, buyer)
  const purchase = { lines, subtotalMinor: subtotalOf(lines), isUsedUpByUser }
  const covering = await coveringBelow(db, discount, lines)
  const reason = unusableReason(covering, code, purchase, now)
  if (reason) throw new Problem('4091', reason)
  return covering as Discount
}

/**
 * Returns the discount that an order uses. Its limits and dates no longer matter. Throws 409/4091,
 * saying why, when it does not apply to these lines.
 */
async function discountInUse(
  db: Db,
  discountId: number | null,
  lines: readonly LineSnapshot[],
): Promise<Discount | undefined> {
  const found = discountId === null ? undefined : await discounts.find(db, { id: discountId })
  const discount = await coveringBelow(db, found, lines)
  if (!discount) return undefined
  const reason = inapplicableReason(discount, { lines, subtotalMinor: subtotalOf(lines) })
  if (reason) throw new Problem('4091', reason)
  return discount
}

/** An order that is priced anew. */
type PricedOrder = Pick<OrderRow, 'id' | 'status' | 'discount_id'>

/**
 * Computes what an order costs with other lines or another destination. Throws 409/4091 where the discount
 * does not apply to these lines, or was used up meanwhile by one contact address and would make a pending
 * order free, which is paid by that; else throws as `priceByTerms`.
 */
export async function priceAnew<L extends LineSnapshot>(
  db: Db,
  order: PricedOrder,
  changed: Omit<OrderToPrice<L>, 'discount'>,
  shop: Shop,
): Promise<Price<L>> {
  const discount = await discountInUse(db, order.discount_id, changed.lines)
  const price = priceByTerms({ discount, ...changed }, shop)
  if (order.status === 'pending' && price.total === 0) await requireUseLeft(db, order)
  return price
}

/**
 * Prices the items of an order for another destination and stores their tax; returns the columns of
 * the price of the order. Throws as `priceAnew`.
 */
export async function repriceItems(
  db: Db,
  order: PricedOrder,
  destination: Destination,
  shop: Shop,
  methodField: MethodField = 'shipping.method',
) {
  const [lines, terms] = await Promise.all([
    findLines(db, order.id),
    findPriceTerms(db, destination, shop),
  ])
  const price = await priceAnew(db, order, { lines, destination, terms, methodField }, shop)
  await writeBatch(db, priceItemsStatements(lines, price.lines))
  return toPriceColumns(price, shop)
}
