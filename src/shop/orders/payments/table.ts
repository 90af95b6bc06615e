import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, columnDefault, integer, revised, text, textOf } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/** Payments. */
export const payments = table('payments', {
  columns: {
    ...revised,
    order_id: integer,
    idempotency_key: text,
    method: text,
    amount: integer,
    currency: text,
    status: textOf<'succeeded' | 'pending' | 'action_required' | 'failed' | 'refunded'>(),
    provider: text,
    provider_reference: nullable(text),
    failure: nullable(text),
    /** What the buyer has to do, encrypted. */
    next_action: nullable(text),
    /** The sums of the refunds that succeeded, and of those that are pending. */
    refunded: columnDefault(integer, 0),
    refunding: columnDefault(integer, 0),
    cancel_requested_at: nullable(integer),
    due_at: nullable(integer),
  },
  unique: [
    'idempotency_key',
    "order_id where status in ('pending', 'action_required', 'succeeded')",
  ],
  indexes: ['order_id', 'order_id, due_at where due_at is not null'],
  owner: null,
  encrypted: [
    {
      column: 'next_action',
      purpose: 'kept-answer',
      boundTo: ({ idempotency_key }) => idempotency_key,
    },
  ],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    payments: ColumnsOf<(typeof payments)['schemas']>
  }
}

/** A payment as the database keeps it. */
export type PaymentRow = Selectable<Tables['payments']>
