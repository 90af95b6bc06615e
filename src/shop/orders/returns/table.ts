import { Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import type { ItemQuantity } from '#shop/orders/parcels/table.ts'
import { type ColumnsOf, integer, type Row, revised, text, textOf } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** What buyers send back, or withdraw from. */
export const returns = table('returns', {
  columns: {
    ...revised,
    order_id: integer,
    kind: textOf<'return' | 'withdrawal'>(),
    items: Type.Array(Type.Unsafe<ItemQuantity>({ type: 'object' })),
    status: textOf<'requested' | 'approved' | 'rejected' | 'received' | 'refunded'>(),
    /** Whether the pieces go back to the stock with their refund. */
    restock: Type.Boolean(),
    /** The name of who has declared a withdrawal by its public form; else null. */
    declared_by: nullable(text),
    reason: nullable(text),
    reply: nullable(text),
  },
  references: { order_id: 'orders' },
  indexes: ['order_id'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    returns: ColumnsOf<(typeof returns)['schemas']>
  }
}

/** A return as the code has it. */
export type StoredReturn = Row<(typeof returns)['schemas']>
