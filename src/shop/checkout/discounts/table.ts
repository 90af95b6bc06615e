import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `discounts`. */
export type DiscountRow = Selectable<Tables['discounts']>
