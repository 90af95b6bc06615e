import type { Selectable } from 'kysely'
import type { Tables } from '#db/tables/tables.ts'

/** A review as the database keeps it. */
export type ReviewRow = Selectable<Tables['reviews']>
