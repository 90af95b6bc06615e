import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables.ts'

/** A product as the database keeps it. */
export type ProductRow = Selectable<Tables['products']>
