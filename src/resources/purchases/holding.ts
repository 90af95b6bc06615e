import type { Holding } from '#store/holding.ts'
import { blankPurchases } from './store.ts'

/** What a user has bought; that it was bought stays with the shop. */
export const purchaseHolding: Holding = {
  name: 'purchases',
  tables: ['purchases'],
  erase: (db, { id }) => blankPurchases(db, id),
}
