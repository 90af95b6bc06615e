import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A client as the database keeps it. */
export type OauthClientRow = Selectable<Tables['oauth_clients']>
