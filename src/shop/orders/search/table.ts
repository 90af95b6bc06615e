import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The words by whose beginnings administrators find orders. */
export const orderWords = table('order_words', {
  columns: {
    word: text,
    order_id: integer,
  },
  key: ['word', 'order_id'],
  indexes: ['order_id, word'],
  // An erased order keeps the words of its SKUs.
  owner: null,
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    order_words: ColumnsOf<(typeof orderWords)['schemas']>
  }
}
