import { parseOptions } from '#shop/catalogue/variants/options.ts'
import { formatPercent } from '#shop/checkout/pricing/percent.ts'
import type { OrderItemRow } from './table.ts'

/** Adds the computed fields of the representation to an item. */
export const presentItem = <L extends OrderItemRow>(line: L) => ({
  ...line,
  shipped_quantity: line.sent,
  options: parseOptions(line.options),
  tax_rate: formatPercent(line.tax_rate),
  updated_at: line.created_at,
})
