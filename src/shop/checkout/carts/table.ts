import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `cart_items`. */
export type CartItemRow = Selectable<Tables['cart_items']>
