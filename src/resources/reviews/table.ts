import type { Selectable } from 'kysely'
import type { Tables } from '#store/tables.ts'

/** A review as the database keeps it. */
export type ReviewRow = Selectable<Tables['reviews']>
