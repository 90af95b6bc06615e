import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** When a user is to be erased, or was. */
export type ErasureRow = Selectable<Tables['erasures']>
