import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `purchases`. */
export type PurchaseRow = Selectable<Tables['purchases']>
