import { Type } from 'typebox'
import { Moment, nullable } from '#http/declare/schema.ts'
import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { presentSession } from './rules.ts'
import { Session } from './schema.ts'
import { dropSessionsOf, sessionsForExport } from './store.ts'

const { is_current: _, ...told } = Session.properties

/** Where a user is signed in. */
export const sessionPersonalData: PersonalData = {
  name: 'sessions',
  description: 'Where the user is, or was lately, signed in.',
  tables: ['refresh_tokens', 'sessions'],
  erase: (db, { id }) => dropSessionsOf(db, id),
  exportData: {
    schema: Type.Object({
      ...told,
      ended_at: nullable(Moment({ description: 'When it was ended; null while it goes on.' })),
    }),
    read: async (db, userId, limit) => {
      const sessions = await sessionsForExport(db, userId, limit + 1)
      return exportedDataOf(sessions.map(presentSession), limit)
    },
  },
}
