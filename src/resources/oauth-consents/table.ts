import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A consent as the database keeps it. */
export type OauthConsentRow = Selectable<Tables['oauth_consents']>
