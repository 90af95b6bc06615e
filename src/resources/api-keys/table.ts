import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** An API key as the database keeps it, without the secrets it is known by. */
export type ApiKeyRow = Selectable<Tables['api_keys']>
