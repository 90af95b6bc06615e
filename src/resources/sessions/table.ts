import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A row of `sessions`. */
export type SessionRow = Selectable<Tables['sessions']>
