import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, integer, revised, text } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/** One of a user has `is_default` 1, the others 0. */
export const addresses = table('addresses', {
  columns: {
    ...revised,
    user_id: integer,
    recipient: text,
    line1: text,
    line2: nullable(text),
    city: text,
    region: nullable(text),
    postal_code: text,
    country: text,
    phone: nullable(text),
    is_default: integer,
  },
  unique: ['user_id where is_default = 1'],
  indexes: ['user_id, id'],
  owner: { column: 'user_id', whenErased: 'delete', whenMerged: 'own' },
  encrypted: [],
  kept: 'forever',
})

declare module '#store/tables.ts' {
  interface Tables {
    addresses: ColumnsOf<(typeof addresses)['schemas']>
  }
}

/** A row of the table `addresses`. */
export type AddressRow = Selectable<Tables['addresses']>
