import type { Db } from './database.ts'

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
