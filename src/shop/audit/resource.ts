import { adminOnly, noStore } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { list, read } from '#http/declare/route.ts'
import { presentAuditEvent } from './rules.ts'
import { AuditEvent, AuditEventFilters } from './schema.ts'
import * as store from './store.ts'

const lastChangedAt = ({ at, subject_deleted_at, actor_deleted_at }: store.AuditEventState) =>
  Math.max(at, subject_deleted_at ?? 0, actor_deleted_at ?? 0)

const auditEvent = item({
  name: 'audit_event',
  description: 'An operation on an account or a credential: who did it, when and from where.',
  path: '/audit-events/:eventId',
  schema: AuditEvent,
  load: ({ db }, { eventId }) => store.findAuditEvent(db, eventId),
  pathParams: ({ id }) => ({ eventId: id }),
  // An event changes only when its subject or actor is erased, possibly within a millisecond.
  revision: ({ subject_deleted_at, actor_deleted_at }) =>
    1 + Number(subject_deleted_at !== null) + 2 * Number(actor_deleted_at !== null),
  changedAt: (event) => [event.at, lastChangedAt(event)],
  present: (row) => ({ ...presentAuditEvent(row), updated_at: lastChangedAt(row) }),
  links: {
    subject: {
      to: 'user',
      params: ({ subject_id }) => ({ id: subject_id ?? 0 }),
      when: ({ subject_id, subject_deleted_at }) =>
        subject_id !== null && subject_deleted_at === null,
    },
  },
})

const auditEvents = collection({ name: 'audit-events', path: '/audit-events', item: auditEvent })

/** The routes of the audit trail, read-only and for administrators. */
export const auditEventRoutes = () => [
  list(auditEvents, {
    summary: 'Lists the events of the audit trail.',
    access: adminOnly('users:read'),
    rateLimit: 'default',
    cache: noStore,
    filters: AuditEventFilters,
    sortFields: ['id', 'at'],
    find: ({ db }, { filters, page }) => store.listAuditEvents(db, filters, page),
  }),
  read(auditEvent, {
    summary: 'Reads an event of the audit trail.',
    access: adminOnly('users:read'),
    rateLimit: 'default',
    cache: noStore,
  }),
]
