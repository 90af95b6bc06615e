import { Type } from 'typebox'
import { DateTime, nullable } from '#schema/words.ts'
import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { presentSession } from './rules.ts'
import { Session } from './schema.ts'
import { refreshTokens, sessions } from './table.ts'

const { is_current: _, ...exported } = Session.properties

/** The personal data in sessions and refresh tokens. */
export const sessionPersonalData: PersonalData = {
  name: 'sessions',
  description: 'The current and recent sessions of the user.',
  tables: ['refresh_tokens', 'sessions'],
  erase: async (db, { id }) => {
    await refreshTokens.delete(db, { user_id: id })
    await sessions.delete(db, { user_id: id })
  },
  dataExport: {
    schema: Type.Object({
      ...exported,
      ended_at: nullable(
        DateTime({ description: 'When the session ended; null while it is active.' }),
      ),
    }),
    read: async (db, userId, limit) => {
      const found = await sessions.findNewest(db, { user_id: userId }, limit + 1)
      return toExportedData(found.map(presentSession), limit)
    },
  },
}
