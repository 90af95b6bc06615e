import type { TObject } from 'typebox'
import type { Db } from '#store/database.ts'
import type { Tables } from '#store/tables.ts'
import type { Instant } from '#values/instant.ts'

/** Somebody who is being erased, and when. */
export interface Leaver {
  readonly id: number
  readonly now: Instant
}

/** How what is held is told to whom it is about. */
export interface Telling {
  /** What one entry looks like; nothing secret is part of it. */
  readonly schema: TObject
  /** The newest entries about a user, at most `limit` of them, in one query. */
  readonly read: (db: Db, userId: number, limit: number) => Promise<readonly object[]>
}

/** What is held on users in one place: how it is erased, and how it is told to them. */
export interface Holding {
  /** The name of the list it is in the export, a plural. */
  readonly name: string
  /** The tables that are erased by it. */
  readonly tables: readonly (keyof Tables)[]
  /**
   * Removes what is personal to a user whose own row the transaction has written, in a constant
   * number of statements. Run again, it removes what has come since.
   */
  readonly erase: (db: Db, leaver: Leaver) => Promise<unknown>
  /** Left out where nothing is held that could be told. */
  readonly tell?: Telling
}
