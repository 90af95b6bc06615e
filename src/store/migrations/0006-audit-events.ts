import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import {
  createIndex,
  createTable,
  id,
  integer,
  optionalInteger,
  optionalText,
  text,
} from './table-builder.ts'

/** Creates the table of audit events. */
export async function createAuditEvents(db: Kysely<Tables>): Promise<void> {
  await createTable(db, 'audit_events', {
    id,
    action: text(),
    actor_id: optionalInteger(),
    subject_id: optionalInteger(),
    address: optionalText(),
    credential: optionalText(),
    request_id: optionalText(),
    details: optionalText(),
    at: integer(),
  })
  await createIndex(db, 'audit_events', ['at', 'id'])
  await createIndex(db, 'audit_events', ['action', 'id'])
  await createIndex(db, 'audit_events', ['actor_id', 'id'])
  await createIndex(db, 'audit_events', ['subject_id', 'id'])
}
