import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `products`. */
export type ProductRow = Selectable<Tables['products']>
