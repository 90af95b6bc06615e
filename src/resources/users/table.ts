import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A user as the database keeps it; one removed has `deleted_at`, and nothing personal left. */
export type UserRow = Selectable<Tables['users']>
