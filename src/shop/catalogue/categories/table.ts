import { type ColumnsOf, identity, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The names of categories, as they were first written, by the form in which they are compared. */
export const categories = table('categories', {
  columns: { id: identity, name: text, name_key: text, name_sort: text, created_at: integer },
  unique: ['name', 'name_key'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    categories: ColumnsOf<(typeof categories)['schemas']>
  }
}
