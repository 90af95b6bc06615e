import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A line of a cart as the database keeps it. */
export type CartItemRow = Selectable<Tables['cart_items']>
