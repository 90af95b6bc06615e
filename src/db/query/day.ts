import { type RawBuilder, sql } from 'kysely'
import { dayMs } from '#values/instant.ts'

/** The beginning of the day (UTC) of an instant in a column; null where there is none. */
export const dayOf = <T extends number | null = number>(column: string): RawBuilder<T> =>
  sql<T>`(${sql.ref(column)} - ${sql.ref(column)} % ${sql.lit(dayMs)})`
