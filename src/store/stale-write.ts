import { setTimeout as sleep } from 'node:timers/promises'
import { problem } from '#values/problem.ts'
import type { Db, Store } from './database.ts'
import { isSerializationFailure } from './errors.ts'

/** A row changed between the read and the write of a transaction, which may be run again. */
export class StaleWriteError extends Error {
  override readonly name = 'StaleWriteError'
  /** What must be done between the rollback and the next attempt. */
  readonly makeWay: (() => Promise<void>) | undefined

  constructor(message: string, makeWay?: () => Promise<void>) {
    super(message)
    this.makeWay = makeWay
  }
}

/** The row returned by a write that is guarded by a revision; throws a StaleWriteError if it is absent. */
export function requireWrittenRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new StaleWriteError('The row has changed since it was read')
  return row
}

const isRetryable = (error: unknown): boolean =>
  error instanceof StaleWriteError || isSerializationFailure(error)

const maxAttempts = 12
const maxPauseMs = 64

/** Runs work in a transaction. */
export type RunTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/**
 * Returns the store's `transaction`, run up to 12 times while it loses to concurrent ones. The work
 * must have no effect but on the database. Throws 409/4091 after the last attempt.
 */
export const withRetries =
  ({ transaction }: Pick<Store, 'transaction'>): RunTransaction =>
  async (work) => {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      try {
        return await transaction(work)
      } catch (error) {
        if (!isRetryable(error)) throw error
        if (error instanceof StaleWriteError) await error.makeWay?.()
      }
      // Random pauses keep the losers from colliding again.
      await sleep(Math.random() * Math.min(2 ** attempt, maxPauseMs))
    }
    throw problem('4091', 'detail.contended')
  }
