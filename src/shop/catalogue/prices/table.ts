import { nullable } from '#schema/words.ts'
import { type ColumnsOf, identity, integer } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The prices of products, the current one and those before. */
export const productPrices = table('product_prices', {
  columns: {
    id: identity,
    product_id: integer,
    price: integer,
    compare_at_price: nullable(integer),
    /** From when it is the price. */
    at: integer,
    /** Null for the current price. */
    kept_until: nullable(integer),
  },
  indexes: ['product_id, id', 'kept_until where kept_until is not null'],
  owner: null,
  encrypted: [],
  kept: { until: 'kept_until' },
})

declare module '#store/tables.ts' {
  interface Tables {
    product_prices: ColumnsOf<(typeof productPrices)['schemas']>
  }
}
