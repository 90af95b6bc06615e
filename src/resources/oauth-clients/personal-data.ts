import { Type } from 'typebox'
import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { presentClient } from './rules.ts'
import { OauthClient } from './schema.ts'
import { clientsForExport, releaseClientsOf, revokeTokensOf } from './store.ts'

const { client_secret: _, client_secret_expires_at: __, ...told } = OauthClient.properties

/** Which applications act as a user, and what they were issued to do so. */
export const oauthClientPersonalData: PersonalData = {
  name: 'oauth_clients',
  description: 'The applications that act as the user by their own credentials.',
  tables: ['oauth_clients', 'oauth_artefacts'],
  erase: async (db, { id, now }) => {
    await revokeTokensOf(db, id)
    await releaseClientsOf(db, id, now)
  },
  exportData: {
    schema: Type.Object(told),
    read: async (db, userId, limit) => {
      const clients = await clientsForExport(db, userId, limit + 1)
      return exportedDataOf(clients.map(presentClient), limit)
    },
  },
}
