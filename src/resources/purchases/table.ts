import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables.ts'

/** A purchase as the database keeps it. */
export type PurchaseRow = Selectable<Tables['purchases']>
