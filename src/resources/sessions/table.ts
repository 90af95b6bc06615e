import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables.ts'

/** A session as the database keeps it. */
export type SessionRow = Selectable<Tables['sessions']>
