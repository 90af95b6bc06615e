import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A row of `erasures`. */
export type ErasureRow = Selectable<Tables['erasures']>
