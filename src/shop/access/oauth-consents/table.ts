import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of `oauth_consents`. */
export type OauthConsentRow = Selectable<Tables['oauth_consents']>
