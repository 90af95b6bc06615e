import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { type CountColumns, counter } from '#store/counter.ts'
import { table } from '#store/table.ts'

/** The number of products of the list by values of attributes. */
const attributeCounts = counter({
  table: 'product_attributes',
  countTable: 'product_attribute_counts',
  key: { name_key: 'text', value: 'text' },
  where: (row) => `${row}.is_listed = 1`,
  columns: ['name_key', 'value', 'is_listed'],
  counters: [{ key: (row) => [`${row}.name_key`, `${row}.value`] }],
})

/** A value of an attribute that a product has, or only its variants have. */
export const productAttributes = table('product_attributes', {
  columns: {
    product_id: integer,
    /** The name and the value in the form in which they are compared. */
    name_key: text,
    value_key: text,
    /** 1 for a value that only variants of the product have, else 0. */
    of_variants: integer,
    value: text,
    /** 1 for a product that is no variant, else 0. */
    is_listed: integer,
  },
  key: ['product_id', 'name_key', 'value_key', 'of_variants'],
  indexes: ['name_key, product_id'],
  counters: [attributeCounts],
  owner: null,
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    product_attribute_counts: CountColumns<typeof attributeCounts>
    product_attributes: ColumnsOf<(typeof productAttributes)['schemas']>
  }
}
