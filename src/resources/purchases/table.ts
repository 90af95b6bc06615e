import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A purchase as the database keeps it. */
export type PurchaseRow = Selectable<Tables['purchases']>
