import { Type } from 'typebox'
import { Moment, nullable } from '#http/declare/schema.ts'
import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { ApiKey } from './schema.ts'
import { dropKeysOf, keysForExport } from './store.ts'

const { key: _, ...told } = ApiKey.properties

/** The keys by which programs call in the name of a user. */
export const apiKeyPersonalData: PersonalData = {
  name: 'api_keys',
  description: 'The keys by which programs call in the name of the user, or did.',
  tables: ['api_key_secrets', 'api_keys'],
  erase: (db, { id }) => dropKeysOf(db, id),
  exportData: {
    schema: Type.Object({
      ...told,
      revoked_at: nullable(Moment({ description: 'When it was revoked; null while it is not.' })),
    }),
    read: async (db, userId, limit) =>
      exportedDataOf(await keysForExport(db, userId, limit + 1), limit),
  },
}
