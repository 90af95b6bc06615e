import type { Holding } from '#store/holding.ts'
import { endSessionsOf } from './store.ts'

/** Where a user is signed in. */
export const sessionHolding: Holding = {
  name: 'sessions',
  tables: ['refresh_tokens'],
  erase: (db, { id }) => endSessionsOf(db, id),
}
