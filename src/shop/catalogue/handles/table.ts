import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'

/** The handles that products had before, by which they are still found. */
export const formerHandles = table('former_handles', {
  columns: { handle: text, product_id: integer },
  indexes: ['product_id'],
  owner: null,
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    former_handles: ColumnsOf<(typeof formerHandles)['schemas']>
  }
}
