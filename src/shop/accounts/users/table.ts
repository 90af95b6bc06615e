import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of `users`; a removed user has `deleted_at` and no personal data. */
export type UserRow = Selectable<Tables['users']>
