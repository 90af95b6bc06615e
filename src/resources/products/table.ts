import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A row of the table `products`. */
export type ProductRow = Selectable<Tables['products']>
