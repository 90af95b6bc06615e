import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `addresses`. */
export type AddressRow = Selectable<Tables['addresses']>
