import type { Generated } from 'kysely'

/**
 * The columns of `refunds`. `refund_key` is our name of it at the provider, null for a refund that was made
 * there. `items` is a JSON array of `order_item_id`, `quantity` and `amount_minor`; `shipping` and
 * `restock` are 0 or 1. `origin` is who asked for it: the shop, a payment that came too late for
 * its order, or the provider.
 */
export interface RefundTable {
  id: Generated<number>
  order_id: number
  payment_id: number
  refund_key: string | null
  provider_reference: string | null
  origin: 'shop' | 'late_payment' | 'provider'
  amount_minor: number
  items: string
  shipping: number
  restock: number
  reason: string | null
  status: 'pending' | 'succeeded' | 'failed'
  failure: string | null
  /** How often the provider was asked under another key, after a rejection. */
  retries: Generated<number>
  settle_after: number | null
  revision: Generated<number>
  created_at: number
  updated_at: number
}
