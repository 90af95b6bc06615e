import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, columnDefault, identity, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/** One per product in a user's cart. */
export const cartItems = table('cart_items', {
  columns: {
    id: identity,
    user_id: integer,
    product_id: integer,
    quantity: integer,
    created_at: integer,
    updated_at: integer,
  },
  unique: ['user_id, product_id'],
  owner: { column: 'user_id', whenErased: 'own', whenMerged: 'own' },
  encrypted: [],
  kept: 'own',
})

/** One per user; `revision` increases with each change of its items. */
export const carts = table('carts', {
  columns: {
    user_id: integer,
    /** The code of a discount, as the buyer entered it. */
    discount_code: nullable(text),
    /** The time of the last change, once a job has seen that it is a day ago. */
    idle_since: nullable(integer),
    revision: columnDefault(integer, 1),
    created_at: integer,
    updated_at: integer,
  },
  key: ['user_id'],
  references: { user_id: 'users' },
  indexes: ['updated_at where idle_since is null'],
  owner: { column: 'user_id', whenErased: 'own', whenMerged: 'own' },
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    cart_items: ColumnsOf<(typeof cartItems)['schemas']>
    carts: ColumnsOf<(typeof carts)['schemas']>
  }
}

/** A row of the table `cart_items`. */
export type CartItemRow = Selectable<Tables['cart_items']>
