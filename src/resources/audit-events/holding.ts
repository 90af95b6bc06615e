import type { Holding } from '#store/holding.ts'
import { blankEvents } from './store.ts'

/** What is written down of a user's doings; that they were done stays, where from does not. */
export const auditHolding: Holding = {
  name: 'audit_events',
  tables: ['audit_events'],
  erase: (db, { id }) => blankEvents(db, id),
}
