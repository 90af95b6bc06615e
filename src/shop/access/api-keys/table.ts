import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of `api_keys`; its secrets are in `api_key_secrets`. */
export type ApiKeyRow = Selectable<Tables['api_keys']>
