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
  readonly discount_minor: Minor
  readonly tax_rate: PercentUnits
  readonly tax_minor: Minor
}

/** The price of an order, in minor units. */
export interface Price<L> {
  readonly lines: readonly (L & PricedLine)[]
  readonly item_count: number
  readonly subtotal_minor: Minor
  readonly discount_total_minor: Minor
  readonly shipping_cost_minor: Minor
  readonly shipping_tax_rate: PercentUnits
  readonly shipping_tax_minor: Minor
  /** All tax, whether the prices include it or not. */
  readonly tax_minor: Minor
  readonly total_minor: Minor
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
  const shipping_cost_minor = discount?.value.kind === 'free_shipping' ? 0 : input.shippingMinor
  const shipping_tax_rate = findTaxRate(taxRules, taxPlace, null)
  const shipping_tax_minor = taxOn(shipping_cost_minor, shipping_tax_rate, isTaxIncluded)
  const subtotal_minor = sumOf(lines, (line) => line.line_total_minor)
  const discount_total_minor = sumOf(lines, (line) => line.discount_minor)
  const tax_minor = sumOf(lines, (line) => line.tax_minor) + shipping_tax_minor
  return {
    lines,
    item_count: sumOf(lines, (line) => line.quantity),
    subtotal_minor,
    discount_total_minor,
    shipping_cost_minor,
    shipping_tax_rate,
    shipping_tax_minor,
    tax_minor,
    total_minor:
      subtotal_minor - discount_total_minor + shipping_cost_minor + (isTaxIncluded ? 0 : tax_minor),
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
    const discount_minor = discounts[index] ?? 0
    const tax_rate = findTaxRate(taxRules, taxPlace, line.category)
    const tax_minor = taxOn(line.line_total_minor - discount_minor, tax_rate, isTaxIncluded)
    return { ...line, discount_minor, tax_rate, tax_minor }
  })
}

const sumOf = <T>(items: readonly T[], amountOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0)
