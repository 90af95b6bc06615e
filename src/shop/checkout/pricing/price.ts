import type { Minor } from '#values/money.ts'
import {
  type DiscountableLine,
  type DiscountScope,
  type DiscountValue,
  discountLines,
} from './discount-amount.ts'
import type { PercentUnits } from './percent.ts'
import { findTaxRate, type TaxPlace, type TaxRule, taxOn } from './tax.ts'

/** All that the price of an order depends on. */
export interface PriceInput<L extends DiscountableLine & { readonly quantity: number }> {
  /** In the order of their items. */
  readonly lines: readonly L[]
  readonly discount: { readonly value: DiscountValue; readonly scope: DiscountScope } | null
  /** Cost of the shipping method before any discount. */
  readonly shippingMinor: Minor
  readonly taxRules: readonly TaxRule[]
  readonly taxPlace: TaxPlace
  readonly isTaxIncluded: boolean
}

/** The discount and tax of a line, in minor units. */
export interface PricedLine {
  readonly discount: Minor
  readonly tax_rate: PercentUnits
  readonly tax: Minor
}

/** The price of an order, in minor units. */
export interface Price<L> {
  readonly lines: readonly (L & PricedLine)[]
  readonly item_count: number
  readonly subtotal: Minor
  readonly discount_total: Minor
  readonly shipping_cost: Minor
  readonly shipping_tax_rate: PercentUnits
  readonly shipping_tax: Minor
  /** All tax, whether the prices include it or not. */
  readonly tax: Minor
  readonly total: Minor
}

/**
 * Computes what an order costs. Tax is rounded per line, on the amount after discount, and
 * `total = subtotal − discount_total + shipping_cost + (tax unless included)`. No amount is negative.
 */
export function priceOrder<L extends DiscountableLine & { readonly quantity: number }>(
  input: PriceInput<L>,
): Price<L> {
  const { taxRules, taxPlace, isTaxIncluded, discount } = input
  const lines = priceLines(input)
  const shipping_cost = discount?.value.kind === 'free_shipping' ? 0 : input.shippingMinor
  const shipping_tax_rate = findTaxRate(taxRules, taxPlace, { category: null })
  const shipping_tax = taxOn(shipping_cost, shipping_tax_rate, isTaxIncluded)
  const subtotal = sumOf(lines, (line) => line.line_total)
  const discount_total = sumOf(lines, (line) => line.discount)
  const tax = sumOf(lines, (line) => line.tax) + shipping_tax
  return {
    lines,
    item_count: sumOf(lines, (line) => line.quantity),
    subtotal,
    discount_total,
    shipping_cost,
    shipping_tax_rate,
    shipping_tax,
    tax,
    total: subtotal - discount_total + shipping_cost + (isTaxIncluded ? 0 : tax),
  }
}

function priceLines<L extends DiscountableLine & { readonly quantity: number }>({
  lines,
  discount,
  taxRules,
  taxPlace,
  isTaxIncluded,
}: PriceInput<L>): readonly (L & PricedLine)[] {
  const discounts = discount ? discountLines(lines, discount.value, discount.scope) : []
  return lines.map((line, index) => {
    const discount = discounts[index] ?? 0
    const tax_rate = findTaxRate(taxRules, taxPlace, line)
    const tax = taxOn(line.line_total - discount, tax_rate, isTaxIncluded)
    return { ...line, discount, tax_rate, tax }
  })
}

const sumOf = <T>(items: readonly T[], amountOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0)
