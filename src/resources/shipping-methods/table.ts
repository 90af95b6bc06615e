import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A row of the table `shipping_methods`. */
export type ShippingMethodRow = Selectable<Tables['shipping_methods']>
