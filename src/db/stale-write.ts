import { setTimeout as sleep } from 'node:timers/promises'
import { problem } from '#values/problem.ts'
import type { Db, Store } from './database.ts'
import { isSerializationFailure } from './errors.ts'

/** A row changed between its reading and its writing; the transaction can be tried again. */
export class StaleWriteError extends Error {
  override readonly name = 'StaleWriteError'
}

/** The row that a write guarded by a revision returned; throws StaleWriteError when none did. */
export function requireWritten<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new StaleWriteError('The row has changed since it was read')
  return row
}

const isRetryable = (error: unknown): boolean =>
  error instanceof StaleWriteError || isSerializationFailure(error)

/** How often a transaction that lost a race is run before its request is refused. */
const attempts = 12
const maxPauseMs = 64

/** Runs work in a transaction. */
export type Transact = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/**
 * The transactions of a store, each run again when it lost a race, on what it finds then; so the
 * work may do nothing but ask the database. Refused with 409/4091 when it keeps losing.
 */
export const retrying =
  ({ transaction }: Pick<Store, 'transaction'>): Transact =>
  async (work) => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        return await transaction(work)
      } catch (error) {
        if (!isRetryable(error)) throw error
      }
      // Of many who try again at once only one wins, so they are spread out, more at each loss.
      await sleep(Math.random() * Math.min(2 ** attempt, maxPauseMs))
    }
    throw problem('4091', 'detail.contended')
  }
