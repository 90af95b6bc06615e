import type { Generated } from 'kysely'

/** The columns of `orders`; `user_id` is null once the buyer has been erased. */
export interface OrderTable {
  id: Generated<number>
  user_id: number | null
  status: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded'
  currency: string
  item_count: number
  subtotal_minor: number
  shipping_cost_minor: number
  tax_minor: number
  total_minor: number
  /** The discount that the order uses, and its code when the order was placed. */
  discount_id: number | null
  discount_code: string | null
  discount_total_minor: Generated<number>
  /** In ten-thousandths of a percent. */
  shipping_tax_rate: Generated<number>
  shipping_tax_minor: Generated<number>
  /** 1 if the prices include the tax, else 0. */
  prices_include_tax: Generated<number>
  /** What was refunded of the money that paid the order. */
  refunded_minor: Generated<number>
  /** The buyer when the order was placed; null once erased. */
  contact_name: string | null
  contact_email: string | null
  note: string | null
  expires_at: number | null
  shipping_method: string
  recipient: string | null
  line1: string | null
  line2: string | null
  city: string | null
  region: string | null
  postal_code: string | null
  country: string | null
  shipping_status: Generated<'pending' | 'in_transit' | 'delivered'>
  carrier: string | null
  tracking_number: string | null
  tracking_url: string | null
  shipped_at: number | null
  delivered_at: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
  deleted_at: number | null
}

/** The columns of `order_items`: a product with its name and price when the order was placed. */
export interface OrderItemTable {
  id: Generated<number>
  order_id: number
  product_id: number
  name: string
  unit_price_minor: number
  quantity: number
  line_total_minor: number
  sku: string | null
  category: string | null
  /** The options of a variant when it was ordered, as a JSON object. */
  options: Generated<string | null>
  discount_minor: Generated<number>
  /** In ten-thousandths of a percent. */
  tax_rate: Generated<number>
  tax_minor: Generated<number>
  created_at: number
}
