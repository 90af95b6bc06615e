import type { Holding } from '#store/holding.ts'
import { dropCart } from './store.ts'

/** What is in the cart of a user. */
export const cartHolding: Holding = {
  name: 'cart_items',
  tables: ['cart_items', 'carts'],
  erase: (db, { id }) => dropCart(db, id),
}
