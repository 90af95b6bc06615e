import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of `audit_events`. */
export type AuditEventRow = Selectable<Tables['audit_events']>
