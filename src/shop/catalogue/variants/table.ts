import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { type CountColumns, counter } from '#store/counter.ts'
import { table } from '#store/table.ts'

/** The number of values of options of products with variants. */
const optionCounts = counter({
  table: 'product_options',
  countTable: 'product_option_counts',
  key: { section: 'integer', name_key: 'text', value: 'text' },
  columns: ['section', 'name_key', 'value'],
  counters: [{ key: (row) => [`${row}.section`, `${row}.name_key`, `${row}.value`] }],
})

/** A value of an option that a variant of a product has. */
export const productOptions = table('product_options', {
  columns: {
    product_id: integer,
    /** That of the product. */
    section: integer,
    /** The name and the value in the form in which they are unique. */
    name_key: text,
    value_key: text,
    value: text,
  },
  key: ['product_id', 'name_key', 'value_key'],
  indexes: ['name_key, product_id'],
  counters: [optionCounts],
  owner: null,
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    product_option_counts: CountColumns<typeof optionCounts>
    product_options: ColumnsOf<(typeof productOptions)['schemas']>
  }
}
