import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { presentConsent } from './rules.ts'
import { OauthConsent } from './schema.ts'
import { consentsForExport } from './store.ts'
import { oauthConsents } from './table.ts'

/** The personal data in OAuth consents. */
export const oauthConsentPersonalData: PersonalData = {
  name: 'oauth_consents',
  description: 'What the user allowed applications to do; a withdrawn consent has no scopes.',
  tables: ['oauth_consents'],
  erase: (db, { id }) => oauthConsents.delete(db, { user_id: id }),
  dataExport: {
    schema: OauthConsent,
    read: async (db, userId, limit) => {
      const consents = await consentsForExport(db, userId, limit + 1)
      return toExportedData(consents.map(presentConsent), limit)
    },
  },
}
