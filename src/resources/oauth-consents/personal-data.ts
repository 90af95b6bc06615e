import { type Holding, toldOf } from '#resources/personal-data.ts'
import { presentConsent } from './rules.ts'
import { OauthConsent } from './schema.ts'
import { dropConsentsOf, newestConsents } from './store.ts'

/** What a user lets applications do. */
export const oauthConsentHolding: Holding = {
  name: 'oauth_consents',
  description: 'What the user lets applications do; without scopes where that was withdrawn.',
  tables: ['oauth_consents'],
  erase: (db, { id }) => dropConsentsOf(db, id),
  tell: {
    schema: OauthConsent,
    read: async (db, userId, limit) => {
      const consents = await newestConsents(db, userId, limit + 1)
      return toldOf(consents.map(presentConsent), limit)
    },
  },
}
