import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A payment as the database keeps it. */
export type PaymentRow = Selectable<Tables['payments']>
