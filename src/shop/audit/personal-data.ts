import { Type } from 'typebox'
import { type PersonalData, toExportedData } from '#shop/personal-data.ts'
import { presentAuditEventTo } from './rules.ts'
import { AuditEvent } from './schema.ts'
import { anonymizeAuditEvents, auditEventsForExport } from './store.ts'

const { updated_at: _, ...exported } = AuditEvent.properties

/** The personal data in audit events; erasure keeps the events without address and details. */
export const auditEventPersonalData: PersonalData = {
  name: 'audit_events',
  description:
    'Operations on the account and its credentials, and operations by the user on others.',
  tables: ['audit_events'],
  erase: (db, { id }) => anonymizeAuditEvents(db, id),
  dataExport: {
    schema: Type.Object(exported),
    read: async (db, userId, limit) => {
      const events = await auditEventsForExport(db, userId, limit + 1)
      return toExportedData(
        events.map((event) => presentAuditEventTo(userId, event)),
        limit,
      )
    },
  },
}
