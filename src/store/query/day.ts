import { type RawBuilder, sql } from 'kysely'
import { dayMs } from '#values/instant.ts'

/** The start of the UTC day of the instant in a column, or null. */
export const dayOf = <T extends number | null = number>(column: string): RawBuilder<T> =>
  sql<T>`(${sql.ref(column)} - ${sql.ref(column)} % ${sql.lit(dayMs)})`
