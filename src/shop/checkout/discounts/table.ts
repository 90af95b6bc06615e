import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, columnDefault, integer, removable, text, textOf } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/** An order that uses a discount, until it gives the use back. */
export const discountUses = table('discount_uses', {
  columns: {
    order_id: integer,
    discount_id: integer,
    user_id: nullable(integer),
    created_at: integer,
  },
  key: ['order_id'],
  indexes: ['discount_id, user_id', 'user_id'],
  owner: { column: 'user_id', whenErased: 'unlink', whenMerged: 'move' },
  encrypted: [],
  kept: 'own',
})

/**
 * Discounts. `code_key` is the code in lower case; `value` is in ten-thousandths of a
 * percent or in minor units; `products` and `categories` are JSON arrays; `active` is 0 or 1.
 */
export const discounts = table('discounts', {
  columns: {
    ...removable,
    code: text,
    code_key: text,
    kind: textOf<'percent' | 'amount' | 'free_shipping'>(),
    value: nullable(integer),
    minimum_subtotal: nullable(integer),
    products: text,
    categories: text,
    starts_at: nullable(integer),
    ends_at: nullable(integer),
    usage_limit: nullable(integer),
    usage_limit_per_user: nullable(integer),
    active: integer,
    used_count: columnDefault(integer, 0),
  },
  unique: ['code_key where deleted_at is null'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    discount_uses: ColumnsOf<(typeof discountUses)['schemas']>
    discounts: ColumnsOf<(typeof discounts)['schemas']>
  }
}

/** A row of the table `discounts`. */
export type DiscountRow = Selectable<Tables['discounts']>
