import type { Db } from './database.ts'
import type { AnyTable } from './table.ts'
import { isUnchanged } from './unchanged.ts'

/**
 * Columns that follow from texts by the Unicode tables of the runtime: keys by which texts are compared, and words by
 * which they are found.
 */
export interface DerivedText<Row extends { readonly id: number } = { readonly id: number }> {
  /** Forgets the columns when other rules made them, where what these made cannot be compared with what is made now. */
  readonly forget?: (db: Db) => Promise<void>
  /** Returns rows with an ID above `after`, in the order of their IDs; none at the end. */
  readonly read: (db: Db, after: number) => Promise<readonly Row[]>
  /** Derives the columns of a row anew, and stores them if they have changed. */
  readonly derive: (db: Db, row: Row) => Promise<void>
}

/** Declares derived columns, for a list of all. */
export const derivedText = <Row extends { readonly id: number }>(
  columns: DerivedText<Row>,
): DerivedText => columns as unknown as DerivedText

/** How many rows are derived in one transaction. */
export const derivedRows = 500

/** The columns of a table that follow from others, and their copies in other tables. */
export const followingTexts = (table: AnyTable, tables: readonly AnyTable[]): DerivedText => ({
  read: (db, after) =>
    db
      .selectFrom(table.declaration.table as 'users')
      .selectAll()
      .where('id', '>', after)
      // Without any, the row has none to derive.
      .where((eb) => eb.or(table.following.map((name) => eb(name as 'name_sort', 'is not', null))))
      .orderBy('id')
      .limit(derivedRows)
      .execute(),
  derive: async (db, row) => {
    const columns = outdatedColumns(table, row)
    if (!columns) return
    await table.update(db, { id: row.id }, columns)
    const before = row as Values
    for (const { holder, name, column, by } of copiesOf(table, tables)) {
      if (before[column] === null || before[column] === columns[column]) continue
      const where = { [by]: row.id, [name]: before[column] }
      await holder.update(db, where, { [name]: columns[column] })
    }
  },
})

/** The columns of other tables that are copied from one of a table. */
const copiesOf = (table: AnyTable, tables: readonly AnyTable[]) =>
  tables.flatMap((holder) =>
    holder.declaration.columns.flatMap(({ name, copy }) =>
      copy?.table === table.declaration.table ? [{ holder, name, ...copy }] : [],
    ),
  )

type Values = Readonly<Record<string, unknown>>

/** Returns the columns that follow from others of a stored row, if one of them should have another value. */
export function outdatedColumns(table: AnyTable, row: object): Values | undefined {
  const { following } = table
  // A null stays: guests have no keys, since they share addresses.
  const isGiven = ([name, value]: readonly [string, unknown]) =>
    value === null || !following.includes(name)
  const derived = table.withFollowing(Object.fromEntries(Object.entries(row).filter(isGiven)))
  if (isUnchanged(row, derived)) return undefined
  return Object.fromEntries(following.map((name) => [name, derived[name]]))
}
