import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import {
  type ColumnsOf,
  columnDefault,
  computed,
  identity,
  integer,
  sortColumn,
  text,
} from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/** A product with its name and price when the order was placed. */
export const orderItems = table('order_items', {
  columns: {
    id: identity,
    order_id: integer,
    /** Null for an item of another shop that no product here is. */
    product_id: nullable(integer),
    name: text,
    name_sort: sortColumn('name'),
    unit_price: integer,
    quantity: integer,
    line_total: integer,
    sku: nullable(text),
    category: nullable(text),
    tax_class: nullable(text),
    /** The options of a variant when it was ordered, as a JSON object. */
    options: nullable(text),
    discount: columnDefault(integer, 0),
    /** In ten-thousandths of a percent. */
    tax_rate: columnDefault(integer, 0),
    tax: columnDefault(integer, 0),
    /** 0 if the product is not sent, such as a voucher; else 1. */
    requires_shipping: columnDefault(integer, 1),
    /** The pieces that the line took of a counted stock, which it returns. */
    taken: columnDefault(integer, 0),
    /** The same while the order is not paid; null where there are none, and afterwards. */
    unpaid: nullable(integer),
    /** The pieces that are in parcels. */
    sent: columnDefault(integer, 0),
    created_at: integer,
    /** Orders placed one after another. */
    order_block: computed(integer, 'order_id / 256'),
  },
  references: { order_id: 'orders' },
  // Unpaid lines of a product are looked for in each block: by product alone, each new line would change a
  // page of its own.
  indexes: ['order_id', 'order_block, product_id, order_id, unpaid where unpaid is not null'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    order_items: ColumnsOf<(typeof orderItems)['schemas']>
  }
}

/** An item of an order as the database keeps it. */
export type OrderItemRow = Selectable<Tables['order_items']>

/** An item that is a product here. */
export type ProductItemRow = OrderItemRow & { readonly product_id: number }
