import type { TObject } from 'typebox'
import type { Db } from '#store/database.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'

/** A user who is being erased, and the time of the erasure. */
export interface DataSubject {
  readonly id: number
  readonly now: Instant
}

/** A guest, the account that takes over what the guest has, and the time. */
export interface MergedUsers {
  readonly from: number
  readonly to: number
  readonly now: Instant
}

/** The entries of one list of a data export. */
export interface ExportedData {
  readonly entries: readonly object[]
  /** False when older entries were left out. */
  readonly isComplete: boolean
}

/** Keeps the first `limit` rows; pass `limit + 1` rows to detect that there are more. */
export const toExportedData = (rows: readonly object[], limit: number): ExportedData => ({
  entries: rows.slice(0, limit),
  isComplete: rows.length <= limit,
})

/** How personal data is exported to the user it is about. */
export interface DataExport {
  /** The schema of one entry, without secrets. */
  readonly schema: TObject
  /** Reads the newest entries about a user, at most `limit`, in a constant number of queries. */
  readonly read: (db: Db, userId: number, limit: number) => Promise<ExportedData>
}

/** Declares the personal data in some tables: how it is erased and how it is exported. */
export interface PersonalData {
  /** The name of its list in the export, a plural. */
  readonly name: string
  /** Describes the list in the API description, as a sentence. */
  readonly description: string
  /** The tables that `erase` and `dataExport` cover. */
  readonly tables: readonly (keyof Tables)[]
  /**
   * Removes the personal data of a user whose row the transaction has already written, in a
   * constant number of statements. May be run again to remove rows added since.
   */
  readonly erase: (db: Db, dataSubject: DataSubject) => Promise<unknown>
  /**
   * Gives the data of a guest to the account that takes over; both users are locked. Omitted where it
   * is erased with the guest.
   */
  readonly merge?: (db: Db, users: MergedUsers) => Promise<unknown>
  /** Omitted when there is nothing to export. */
  readonly dataExport?: DataExport
}

/** What is erased and exported of a user. */
export interface PersonalDataParts {
  readonly personalDataDeclarations: readonly PersonalData[]
}
