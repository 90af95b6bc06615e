import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables/tables.ts'

/** A row of the table `reviews`. */
export type ReviewRow = Selectable<Tables['reviews']>
