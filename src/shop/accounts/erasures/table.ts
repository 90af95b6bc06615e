import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, integer, text } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'

/**
 * When a user is to be erased, was erased, and when the last remnants outside
 * the tables were removed (`settled_at`).
 */
export const erasures = table('erasures', {
  columns: {
    user_id: integer,
    reason: nullable(text),
    erase_at: integer,
    erased_at: nullable(integer),
    settled_at: nullable(integer),
    created_at: integer,
  },
  key: ['user_id'],
  indexes: ['erase_at where erased_at is null', 'erased_at where settled_at is null'],
  owner: { column: 'user_id', whenErased: 'own' },
  encrypted: [],
  kept: 'own',
})

declare module '#store/tables.ts' {
  interface Tables {
    erasures: ColumnsOf<(typeof erasures)['schemas']>
  }
}

/** A row of `erasures`. */
export type ErasureRow = Selectable<Tables['erasures']>
