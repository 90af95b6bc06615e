import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A session as the database keeps it. */
export type SessionRow = Selectable<Tables['sessions']>
