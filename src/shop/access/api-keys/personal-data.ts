import { Type } from 'typebox'
import { DateTime, nullable } from '#schema/words.ts'
import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { ApiKey } from './schema.ts'
import { deleteUserKeys } from './store.ts'
import { apiKeys } from './table.ts'

const { key: _, ...exported } = ApiKey.properties

/** The personal data in API keys. */
export const apiKeyPersonalData: PersonalData = {
  name: 'api_keys',
  description: 'The API keys of the user, revoked keys included.',
  tables: ['api_key_secrets', 'api_keys'],
  erase: (db, { id }) => deleteUserKeys(db, id),
  dataExport: {
    schema: Type.Object({
      ...exported,
      revoked_at: nullable(
        DateTime({ description: 'When the key was revoked; null while it is active.' }),
      ),
    }),
    read: async (db, userId, limit) =>
      toExportedData(await apiKeys.findNewest(db, { user_id: userId }, limit + 1), limit),
  },
}
