import type { Generated } from 'kysely'

/** The columns of a row that administrators change; a removed row stays, with `deleted_at`. */
interface ChangingRow {
  id: Generated<number>
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/** The columns of `shipping_methods`; `countries` is separated by commas, empty for all; `active` 0 or 1. */
export interface ShippingMethodTable extends ChangingRow {
  code: string
  name: string
  countries: string
  price_minor: number
  free_from_minor: number | null
  delivery_days: number | null
  active: number
}

/**
 * The columns of `tax_rates`. The keys are the region in lower case and the category, empty for null, and
 * unique for a country; `rate` is in ten-thousandths of a percent.
 */
export interface TaxRateTable extends ChangingRow {
  country: string
  region: string | null
  region_key: string
  category: string | null
  category_key: string
  rate: number
  name: string
}

/**
 * The columns of `discounts`. `code_key` is the code in lower case; `value` is in ten-thousandths of a
 * percent or in minor units; `products` and `categories` are JSON arrays; `active` is 0 or 1.
 */
export interface DiscountTable extends ChangingRow {
  code: string
  code_key: string
  kind: 'percent' | 'amount' | 'free_shipping'
  value: number | null
  minimum_subtotal_minor: number | null
  products: string
  categories: string
  starts_at: number | null
  ends_at: number | null
  usage_limit: number | null
  usage_limit_per_user: number | null
  active: number
  used_count: Generated<number>
}

/** The columns of `discount_uses`: an order that uses a discount, until it gives the use back. */
export interface DiscountUseTable {
  order_id: number
  discount_id: number
  user_id: number | null
  created_at: number
}
