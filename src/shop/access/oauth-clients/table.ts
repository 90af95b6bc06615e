import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of `oauth_clients`. */
export type OauthClientRow = Selectable<Tables['oauth_clients']>
