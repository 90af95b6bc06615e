import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '#store/database.ts'

/** The number of rows of a list; where `isCapped`, it has more than were counted. */
export interface Total {
  readonly items: number
  readonly isCapped: boolean
}

/** Up to this number, rows are counted one by one. */
export const maxCounted = 10_000

/** A total that is known without counting rows. */
export const exactly = (items: number): Total => ({ items, isCapped: false })

/** A total of which no more than `maxCounted` is told, as if its rows had been counted. */
export const upTo = (items: number): Total =>
  items > maxCounted ? { items: maxCounted, isCapped: true } : exactly(items)

/** Counts the rows of a list one by one, up to `maxCounted`. */
export const countRows = async <DB, TB extends keyof DB, Start>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, Start>,
): Promise<Total> => {
  const counted = query.select(sql<number>`1`.as('counted')).limit(sql.lit(maxCounted + 1))
  const rows = db.selectFrom(sql<object>`(${counted})`.as('counted'))
  const [row] = await rows.select(sql<number>`count(*)`.as('total')).execute()
  return upTo(row?.total ?? 0)
}

/** The length of a list from a count table: the sum of `number` over the selected rows. */
export async function sumCounts<DB, TB extends keyof DB, Start>(
  counters: SelectQueryBuilder<DB, TB, Start>,
): Promise<Total> {
  const total = sql<number>`cast(coalesce(sum(number), 0) as bigint)`
  const [row] = await counters.select(total.as('total')).execute()
  return exactly((row as unknown as { readonly total: number }).total)
}

/** The sum of two totals. */
export const addTotals = (one: Total, other: Total): Total =>
  one.isCapped || other.isCapped ? upTo(Infinity) : exactly(one.items + other.items)
