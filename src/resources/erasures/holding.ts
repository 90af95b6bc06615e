import type { Holding } from '#store/holding.ts'
import { markErased } from './store.ts'

/** That a user has asked to be erased, and why; that it was done stays. */
export const erasureHolding: Holding = {
  name: 'erasures',
  tables: ['erasures'],
  erase: (db, { id, now }) => markErased(db, id, now),
}
