import { Type } from 'typebox'
import { exportedDataOf, type PersonalData } from '#resources/personal-data.ts'
import { presentTo } from './rules.ts'
import { AuditEvent } from './schema.ts'
import { blankEvents, eventsForExport } from './store.ts'

const { updated_at: _, ...told } = AuditEvent.properties

/** What is written down of a user's doings; that they were done stays, where from does not. */
export const auditPersonalData: PersonalData = {
  name: 'audit_events',
  description: 'What was done to the account and its credentials, and what the user did to others.',
  tables: ['audit_events'],
  erase: (db, { id }) => blankEvents(db, id),
  exportData: {
    schema: Type.Object(told),
    read: async (db, userId, limit) => {
      const events = await eventsForExport(db, userId, limit + 1)
      return exportedDataOf(
        events.map((event) => presentTo(userId, event)),
        limit,
      )
    },
  },
}
