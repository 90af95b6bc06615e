import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Instant } from '#values/instant.ts'
import { withoutIndex } from './dialect.ts'

/** The times between which the rows of a list were created and last changed. */
export interface TimeLimits {
  /** Inclusive. */
  readonly created_since?: Instant
  /** Exclusive. */
  readonly created_before?: Instant
  /** Inclusive. */
  readonly updated_since?: Instant
  /** Exclusive. */
  readonly updated_before?: Instant
}

/** The columns that hold the times of a row. */
export interface TimeColumns {
  readonly created_at: string
  readonly updated_at: string
}

/** A bound of a time column. */
export interface TimeBound {
  readonly column: keyof TimeColumns
  readonly operator: '>=' | '<'
}

const bounds: Readonly<Record<keyof TimeLimits, TimeBound>> = {
  created_since: { column: 'created_at', operator: '>=' },
  created_before: { column: 'created_at', operator: '<' },
  updated_since: { column: 'updated_at', operator: '>=' },
  updated_before: { column: 'updated_at', operator: '<' },
}

const namesOf = (limits: TimeLimits): readonly (keyof TimeLimits)[] =>
  (Object.keys(bounds) as (keyof TimeLimits)[]).filter((name) => limits[name] !== undefined)

/** True if any of the times is limited. */
export const hasTimeLimits = (limits: TimeLimits | undefined): limits is TimeLimits =>
  limits !== undefined && namesOf(limits).length > 0

/** True if `updated_at` is limited. */
export const limitsUpdatedAt = (limits: TimeLimits | undefined): boolean =>
  limits?.updated_since !== undefined || limits?.updated_before !== undefined

/** True if a time other than that of this name is limited. */
export const limitsOtherTime = (limits: TimeLimits, column: string): boolean =>
  namesOf(limits).some((name) => bounds[name].column !== column)

/** The operator of the bound at which a list in this order begins. */
export const startOperator = (order: 'asc' | 'desc'): TimeBound['operator'] =>
  order === 'asc' ? '>=' : '<'

/** True if the time of this name comes before the limited list, in its order. */
export function isOutside(
  limits: TimeLimits,
  column: string,
  order: 'asc' | 'desc',
  time: Instant,
): boolean {
  const name = namesOf(limits).find(
    (each) => bounds[each].column === column && bounds[each].operator === startOperator(order),
  )
  const bound = name && limits[name]
  if (bound === undefined) return false
  return order === 'asc' ? time < bound : time >= bound
}

/**
 * Adds the conditions of the limits to a query. No index applies to those for which `isBypassed` is
 * true, by the name and the operator of their column.
 */
export function whereTimes<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  columns: TimeColumns,
  limits: TimeLimits,
  isBypassed: (bound: TimeBound) => boolean = () => false,
): SelectQueryBuilder<DB, TB, Row> {
  return namesOf(limits).reduce((limited, name) => {
    const bound = bounds[name]
    const time: RawBuilder<number> = withoutIndex(columns[bound.column], isBypassed(bound))
    return limited.where(() => sql<SqlBool>`${time} ${sql.raw(bound.operator)} ${limits[name]}`)
  }, query)
}
