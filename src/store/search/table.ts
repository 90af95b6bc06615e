import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The ids, within a block, of the products with a word or prefix. */
export const productWords = table('product_words', {
  columns: {
    word: text,
    block: integer,
    ids: text,
  },
  key: ['word', 'block'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    product_words: ColumnsOf<(typeof productWords)['schemas']>
  }
}
