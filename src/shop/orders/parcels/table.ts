import { Type } from 'typebox'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, integer, type Row, revised, text, textOf } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** Pieces of an item of an order. */
export interface ItemQuantity {
  readonly order_item_id: number
  readonly quantity: number
}

/** The parcels of orders, each sent when it was created. */
export const parcels = table('parcels', {
  columns: {
    ...revised,
    order_id: integer,
    items: Type.Array(Type.Unsafe<ItemQuantity>({ type: 'object' })),
    status: textOf<'in_transit' | 'delivered'>(),
    carrier: nullable(text),
    tracking_number: nullable(text),
    tracking_url: nullable(text),
    delivered_at: nullable(integer),
  },
  references: { order_id: 'orders' },
  indexes: ['order_id'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    parcels: ColumnsOf<(typeof parcels)['schemas']>
  }
}

/** A parcel as the code has it. */
export type StoredParcel = Row<(typeof parcels)['schemas']>
