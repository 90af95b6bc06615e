import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** An order as the database keeps it. */
export type OrderRow = Selectable<Tables['orders']>
