import type { Holding } from '#store/holding.ts'
import { blankOrders } from './store.ts'

/** What a user has ordered; the orders stay with the shop. */
export const orderHolding: Holding = {
  name: 'orders',
  // Their counts follow by triggers.
  tables: ['orders', 'order_counts'],
  erase: (db, { id, now }) => blankOrders(db, id, now),
}
