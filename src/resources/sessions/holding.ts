import type { Holding } from '#store/holding.ts'
import { dropSessionsOf } from './store.ts'

/** Where a user is signed in. */
export const sessionHolding: Holding = {
  name: 'sessions',
  tables: ['refresh_tokens', 'sessions'],
  erase: (db, { id }) => dropSessionsOf(db, id),
}
