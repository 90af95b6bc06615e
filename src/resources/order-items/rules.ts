import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'

interface Line {
  readonly unit_price_minor: Minor
  readonly line_total_minor: Minor
  readonly created_at: Instant
}

/** Adds the amounts of the representation to an item. */
export const presentItem = <L extends Line>(line: L) => ({
  ...line,
  unit_price: line.unit_price_minor,
  line_total: line.line_total_minor,
  updated_at: line.created_at,
})
