import { Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import {
  type ColumnsOf,
  columnDefault,
  integer,
  type Row,
  revised,
  text,
  textOf,
} from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Minor } from '#values/money.ts'

/** Pieces of an item of an order, and what they cost, in minor units. */
export interface RefundedItem {
  readonly order_item_id: number
  readonly quantity: number
  readonly amount: Minor
}

/**
 * Refunds. `refund_key` is our name of it at the provider, null for a refund that was made there.
 * `origin` is who asked for it: the shop, a payment that came too late for its order, or the provider.
 */
export const refunds = table('refunds', {
  columns: {
    ...revised,
    order_id: integer,
    payment_id: integer,
    /** The return whose pieces are refunded; null without one. */
    return_id: nullable(integer),
    refund_key: nullable(text),
    provider_reference: nullable(text),
    origin: textOf<'shop' | 'late_payment' | 'provider'>(),
    amount: integer,
    items: Type.Array(Type.Unsafe<RefundedItem>({ type: 'object' })),
    shipping: Type.Boolean(),
    restock: Type.Boolean(),
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

/** A refund as the code has it. */
export type StoredRefund = Row<(typeof refunds)['schemas']>
