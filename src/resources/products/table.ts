import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A product as the database keeps it. */
export type ProductRow = Selectable<Tables['products']>
