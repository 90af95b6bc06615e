import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of `erasures`. */
export type ErasureRow = Selectable<Tables['erasures']>
