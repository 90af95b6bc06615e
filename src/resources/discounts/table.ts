import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A row of the table `discounts`. */
export type DiscountRow = Selectable<Tables['discounts']>
