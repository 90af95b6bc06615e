import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { type CountColumns, counter } from '#store/counter.ts'
import { table } from '#store/table.ts'

/** The number of products that are no variants by values of attributes. */
const attributeCounts = counter({
  table: 'product_attributes',
  countTable: 'product_attribute_counts',
  key: { section: 'integer', name_key: 'text', value: 'text' },
  where: (row) => `${row}.section in (0, 2, 4)`,
  columns: ['section', 'name_key', 'value'],
  counters: [{ key: (row) => [`${row}.section`, `${row}.name_key`, `${row}.value`] }],
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
    /** That of the product. */
    section: integer,
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
