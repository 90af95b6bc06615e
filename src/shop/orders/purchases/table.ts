import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, identity, integer } from '#store/columns.ts'
import { type CountColumns, counter } from '#store/counter.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/** The count from which the list of all purchases reads its length. */
const purchaseCount = counter({
  table: 'purchases',
  countTable: 'list_counts',
  key: { list: 'text' },
  columns: ['id'],
  counters: [{ key: () => ["'purchases'"] }],
})

/** A product bought through an order item. */
export const purchases = table('purchases', {
  columns: {
    id: identity,
    user_id: nullable(integer),
    product_id: integer,
    order_id: integer,
    order_item_id: integer,
    quantity: integer,
    unit_price: integer,
    purchased_at: integer,
    /** When the purchase of a guest became that of an account; null if it did not. */
    merged_at: nullable(integer),
    /** When pieces were last returned; null if none were. */
    returned_at: nullable(integer),
  },
  unique: ['order_id, order_item_id'],
  indexes: ['user_id, id', 'product_id, order_id', 'purchased_at, id', 'user_id, product_id'],
  counters: [purchaseCount],
  owner: { column: 'user_id', whenErased: 'unlink', whenMerged: 'own' },
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    list_counts: CountColumns<typeof purchaseCount>
    purchases: ColumnsOf<(typeof purchases)['schemas']>
  }
}

/** A row of the table `purchases`. */
export type PurchaseRow = Selectable<Tables['purchases']>
