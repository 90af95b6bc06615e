import type { Selectable } from 'kysely'
import { nullable } from '#schema/words.ts'
import { type ColumnsOf, identity, integer, text, textOf } from '#store/columns.ts'
import { table } from '#store/table.ts'
import type { Tables } from '#store/tables.ts'
import type { AuditAction } from '#values/audit.ts'

/** An action on an account or a credential; `details` is JSON. */
export const auditEvents = table('audit_events', {
  columns: {
    id: identity,
    action: textOf<AuditAction>(),
    actor_id: nullable(integer),
    subject_id: nullable(integer),
    address: nullable(text),
    credential: nullable(text),
    request_id: nullable(text),
    details: nullable(text),
    at: integer,
  },
  indexes: ['at, id', 'action, id', 'actor_id, id', 'subject_id, id'],
  owner: { column: 'subject_id', whenErased: 'own' },
  encrypted: [],
  kept: { since: 'at' },
})

declare module '#store/tables.ts' {
  interface Tables {
    audit_events: ColumnsOf<(typeof auditEvents)['schemas']>
  }
}

/** A row of `audit_events`. */
export type AuditEventRow = Selectable<Tables['audit_events']>
