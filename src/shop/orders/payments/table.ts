import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A payment as the database keeps it. */
export type PaymentRow = Selectable<Tables['payments']>
