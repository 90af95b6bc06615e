import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of `sessions`. */
export type SessionRow = Selectable<Tables['sessions']>
