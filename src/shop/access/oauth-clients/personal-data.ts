import { Type } from 'typebox'
import { revokeUserTokens } from '#shop/accounts/users/end-access-store.ts'
import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { presentClient } from './rules.ts'
import { OauthClient } from './schema.ts'
import { detachUserClients } from './store.ts'
import { oauthClients } from './table.ts'

const { client_secret: _, client_secret_expires_at: __, ...exported } = OauthClient.properties

/** The personal data in OAuth clients and in the tokens issued to them. */
export const oauthClientPersonalData: PersonalData = {
  name: 'oauth_clients',
  description: 'The applications that act as the user with their own credentials.',
  tables: ['oauth_clients', 'oauth_artefacts'],
  erase: async (db, { id, now }) => {
    await revokeUserTokens(db, id)
    await detachUserClients(db, id, now)
  },
  dataExport: {
    schema: Type.Object(exported),
    read: async (db, userId, limit) => {
      const clients = await oauthClients.findNewest(db, { user_id: userId }, limit + 1)
      return toExportedData(clients.map(presentClient), limit)
    },
  },
}
