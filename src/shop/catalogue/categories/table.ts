import { type ColumnsOf, follows, identity, integer, sortColumn, text } from '#store/columns.ts'
import { table } from '#store/table.ts'
import { textKey } from '#values/text-key.ts'

/** The names of categories, as they were first written, by the form in which they are compared. */
export const categories = table('categories', {
  columns: {
    id: identity,
    name: text,
    name_key: follows(text, 'name', textKey),
    name_sort: sortColumn('name'),
    created_at: integer,
  },
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
