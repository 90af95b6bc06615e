import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, columnDefault, integer, revised, text, textOf } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/**
 * Refunds. `refund_key` is our name of it at the provider, null for a refund that was made
 * there. `items` is a JSON array of `order_item_id`, `quantity` and `amount`; `shipping` and
 * `restock` are 0 or 1. `origin` is who asked for it: the shop, a payment that came too late for
 * its order, or the provider.
 */
export const refunds = table('refunds', {
  columns: {
    ...revised,
    order_id: integer,
    payment_id: integer,
    refund_key: nullable(text),
    provider_reference: nullable(text),
    origin: textOf<'shop' | 'late_payment' | 'provider'>(),
    amount: integer,
    items: text,
    shipping: integer,
    restock: integer,
    reason: nullable(text),
    status: textOf<'pending' | 'succeeded' | 'failed'>(),
    failure: nullable(text),
    /** How often the provider was asked under another key, after a rejection. */
    retries: columnDefault(integer, 0),
    due_at: nullable(integer),
  },
  unique: ['refund_key'],
  indexes: ['order_id', 'due_at where due_at is not null'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    refunds: ColumnsOf<(typeof refunds)['schemas']>
  }
}

/** A row of the table `refunds`. */
export type RefundRow = Selectable<Tables['refunds']>
