import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { presentConsent } from './rules.ts'
import { OauthConsent } from './schema.ts'
import { consentsForExport, dropConsentsOf } from './store.ts'

/** What a user lets applications do. */
export const oauthConsentPersonalData: PersonalData = {
  name: 'oauth_consents',
  description: 'What the user lets applications do; without scopes where that was withdrawn.',
  tables: ['oauth_consents'],
  erase: (db, { id }) => dropConsentsOf(db, id),
  exportData: {
    schema: OauthConsent,
    read: async (db, userId, limit) => {
      const consents = await consentsForExport(db, userId, limit + 1)
      return exportedDataOf(consents.map(presentConsent), limit)
    },
  },
}
