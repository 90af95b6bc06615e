import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** An item of an order as the database keeps it. */
export type OrderItemRow = Selectable<Tables['order_items']>
