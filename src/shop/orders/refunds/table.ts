import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `refunds`. */
export type RefundRow = Selectable<Tables['refunds']>
