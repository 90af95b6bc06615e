import { adminOnly, unstored } from '#http/declare/policy.ts'
import { collection, item } from '#http/declare/resource.ts'
import { list, read } from '#http/declare/route.ts'
import { presentEvent } from './rules.ts'
import { AuditEvent, AuditEventFilters } from './schema.ts'
import * as store from './store.ts'

const changedAt = ({ at, subject_gone_at, actor_gone_at }: store.AuditEventState) =>
  Math.max(at, subject_gone_at ?? 0, actor_gone_at ?? 0)

const auditEvent = item({
  name: 'audit_event',
  description: 'That something was done to an account or a credential, by whom and from where.',
  path: '/audit-events/:eventId',
  schema: AuditEvent,
  load: ({ db }, { eventId }) => store.findEvent(db, eventId),
  pathParams: ({ id }) => ({ eventId: id }),
  // All that ever changes is that somebody is erased from it, perhaps in its own millisecond.
  revision: ({ subject_gone_at, actor_gone_at }) =>
    1 + Number(subject_gone_at !== null) + 2 * Number(actor_gone_at !== null),
  changedAt: (event) => [event.at, changedAt(event)],
  present: (row) => ({
    ...presentEvent(row),
    updated_at: changedAt(row),
  }),
  links: {
    subject: {
      to: 'user',
      params: ({ subject_id }) => ({ id: subject_id ?? 0 }),
      when: ({ subject_id, subject_gone_at }) => subject_id !== null && subject_gone_at === null,
    },
  },
})

const auditEvents = collection({ name: 'audit-events', path: '/audit-events', item: auditEvent })

/** The audit trail, for administrators; nobody can write in it. */
export const auditEventRoutes = () => [
  list(auditEvents, {
    summary: 'Pages through what was done to accounts and credentials.',
    access: adminOnly('users:read'),
    rate: 'reads',
    cache: unstored,
    filters: AuditEventFilters,
    sorts: ['id', 'at'],
    find: ({ db }, { filters, page }) => store.listEvents(db, filters, page),
  }),
  read(auditEvent, {
    summary: 'Reads an event of the audit trail.',
    access: adminOnly('users:read'),
    rate: 'reads',
    cache: unstored,
  }),
]
