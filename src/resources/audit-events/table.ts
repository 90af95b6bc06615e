import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** An event as the database keeps it. */
export type AuditEventRow = Selectable<Tables['audit_events']>
