import type { Kysely } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'
import { addColumn, optionalText } from './table-builder.ts'

/** Adds to the items of orders the options of a variant when it was ordered, as a JSON object. */
export async function addItemOptions(db: Kysely<Tables>): Promise<void> {
  await addColumn(db, 'order_items', 'options', optionalText())
}
