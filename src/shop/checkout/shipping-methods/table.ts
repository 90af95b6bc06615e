import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `shipping_methods`. */
export type ShippingMethodRow = Selectable<Tables['shipping_methods']>
