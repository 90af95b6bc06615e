import { parseOptions } from '#shop/catalogue/variants/rules.ts'
import { formatPercent, type PercentUnits } from '#shop/checkout/pricing/percent.ts'
import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'

interface Line {
  readonly options: string | null
  readonly unit_price: Minor
  readonly line_total: Minor
  readonly discount: Minor
  readonly tax_rate: PercentUnits
  readonly tax: Minor
  readonly created_at: Instant
}

/** Adds the amounts of the representation to an item. */
export const presentItem = <L extends Line>(line: L) => ({
  ...line,
  options: parseOptions(line.options),
  unit_price: line.unit_price,
  line_total: line.line_total,
  discount: line.discount,
  tax_rate: formatPercent(line.tax_rate),
  tax: line.tax,
  updated_at: line.created_at,
})
