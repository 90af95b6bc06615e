import type { TObject } from 'typebox'
import type { Db } from '#db/database.ts'
import type { Tables } from '#db/tables/tables.ts'
import type { Instant } from '#values/instant.ts'

/** Somebody who is being erased, and when. */
export interface DataSubject {
  readonly id: number
  readonly now: Instant
}

/** What is told of what is held. */
export interface ExportedData {
  readonly entries: readonly object[]
  /** False where there is more of it, which is older. */
  readonly isAll: boolean
}

/** The first `limit` of some rows, of which one more has been asked for. */
export const exportedDataOf = (rows: readonly object[], limit: number): ExportedData => ({
  entries: rows.slice(0, limit),
  isAll: rows.length <= limit,
})

/** How what is held is told to whom it is about. */
export interface ExportOptions {
  /** What one entry looks like; nothing secret is part of it. */
  readonly schema: TObject
  /** The newest entries about a user, at most `limit` of them, in a constant number of queries. */
  readonly read: (db: Db, userId: number, limit: number) => Promise<ExportedData>
}

/** What is held on users in one place: how it is erased, and how it is told to them. */
export interface PersonalData {
  /** The name of the list it is in the export, a plural. */
  readonly name: string
  /** What the list holds, as a sentence. */
  readonly description: string
  /** The tables that are erased by it, and told. */
  readonly tables: readonly (keyof Tables)[]
  /**
   * Removes what is personal to a user whose own row the transaction has written, in a constant
   * number of statements. Run again, it removes what has come since.
   */
  readonly erase: (db: Db, dataSubject: DataSubject) => Promise<unknown>
  /** Left out where nothing is held that could be told. */
  readonly exportData?: ExportOptions
}
