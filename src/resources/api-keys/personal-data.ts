import { Type } from 'typebox'
import { Moment, nullable } from '#http/declare/schema.ts'
import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { ApiKey } from './schema.ts'
import { deleteUserKeys, keysForExport } from './store.ts'

const { key: _, ...exported } = ApiKey.properties

/** The personal data in API keys. */
export const apiKeyPersonalData: PersonalData = {
  name: 'api_keys',
  description: 'The API keys of the user, revoked keys included.',
  tables: ['api_key_secrets', 'api_keys'],
  erase: (db, { id }) => deleteUserKeys(db, id),
  exportData: {
    schema: Type.Object({
      ...exported,
      revoked_at: nullable(
        Moment({ description: 'When the key was revoked; null while it is active.' }),
      ),
    }),
    read: async (db, userId, limit) =>
      exportedDataOf(await keysForExport(db, userId, limit + 1), limit),
  },
}
