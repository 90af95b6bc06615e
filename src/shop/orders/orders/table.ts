import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { keyOfName } from '#shop/accounts/users/table.ts'
import {
  type ColumnsOf,
  columnDefault,
  follows,
  integer,
  removable,
  text,
  textOf,
} from '#store/columns.ts'
import { type CountColumns, counter } from '#store/counter.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'
import { textKey } from '#values/text-key.ts'
import type { CancelReason, OrderSource } from './schema.ts'

/** The counts from which lists of orders read their length; user 0 counts all. */
const orderCounts = counter({
  table: 'orders',
  countTable: 'order_counts',
  key: { user_id: 'integer', status: 'text' },
  where: (row) => `${row}.deleted_at is null`,
  columns: ['user_id', 'status', 'deleted_at'],
  counters: [
    { key: (row) => ['0', `${row}.status`] },
    {
      key: (row) => [`${row}.user_id`, `${row}.status`],
      where: (row) => `${row}.user_id is not null`,
    },
  ],
})

/** Orders; `user_id` is null once the buyer has been erased. */
export const orders = table('orders', {
  columns: {
    ...removable,
    user_id: nullable(integer),
    /** What people call the order by, and the form in which it is unique. */
    number: text,
    number_key: follows(text, 'number', textKey),
    source: columnDefault(textOf<OrderSource>(), 'api'),
    status: textOf<'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded'>(),
    currency: text,
    item_count: integer,
    subtotal: integer,
    shipping_cost: integer,
    tax: integer,
    total: integer,
    /** The discount that the order uses, and its code when the order was placed. */
    discount_id: nullable(integer),
    discount_code: nullable(text),
    discount_total: columnDefault(integer, 0),
    /** In ten-thousandths of a percent. */
    shipping_tax_rate: columnDefault(integer, 0),
    shipping_tax: columnDefault(integer, 0),
    /** 1 if the prices include the tax, else 0. */
    prices_include_tax: columnDefault(integer, 1),
    /** What was refunded of the money that paid the order. */
    refunded: columnDefault(integer, 0),
    /** The buyer when the order was placed; null once erased. */
    contact_name: nullable(text),
    contact_email: nullable(text),
    /** The unique form of the contact address while the order is that of a guest; else null. */
    contact_key: follows(nullable(text), 'contact_email', keyOfName),
    note: nullable(text),
    /** The ID of the order in another system. */
    external_id: nullable(text),
    expires_at: nullable(integer),
    cancel_reason: nullable(textOf<CancelReason>()),
    /** The network that placed the order, while it is not paid; null if an administrator did. */
    network: nullable(text),
    shipping_method: text,
    /** 0 if none of its items is sent, else 1. */
    requires_shipping: columnDefault(integer, 1),
    recipient: nullable(text),
    company: nullable(text),
    vat_id: nullable(text),
    phone: nullable(text),
    line1: nullable(text),
    line2: nullable(text),
    city: nullable(text),
    region: nullable(text),
    postal_code: nullable(text),
    country: nullable(text),
    shipping_status: columnDefault(textOf<'pending' | 'in_transit' | 'delivered'>(), 'pending'),
    carrier: nullable(text),
    tracking_number: nullable(text),
    tracking_url: nullable(text),
    /** The parcels that were sent. */
    parcel_count: columnDefault(integer, 0),
    /** The returns that were asked for. */
    return_count: columnDefault(integer, 0),
    shipped_at: nullable(integer),
    delivered_at: nullable(integer),
  },
  unique: ['number_key', 'external_id where external_id is not null'],
  indexes: [
    'user_id, id',
    'status, id where deleted_at is null',
    'created_at, id where deleted_at is null',
    'updated_at, id where deleted_at is null',
    'total, id where deleted_at is null',
    'status, created_at, id where deleted_at is null',
    'status, updated_at, id where deleted_at is null',
    'contact_key, id where contact_key is not null',
    'expires_at where expires_at is not null',
    'network where network is not null',
    'discount_id, network, id where discount_id is not null and network is not null',
  ],
  counters: [orderCounts],
  owner: { column: 'user_id', whenErased: 'own', whenMerged: 'own' },
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    order_counts: CountColumns<typeof orderCounts>
    orders: ColumnsOf<(typeof orders)['schemas']>
  }
}

/** An order as the database keeps it. */
export type OrderRow = Selectable<Tables['orders']>
