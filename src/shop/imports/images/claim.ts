import { setInterval } from 'node:timers/promises'
import type { Message } from '#i18n/message.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { claimed, LostClaimError, requireLiveCredential } from '../claim.ts'
import { endImport } from '../end.ts'
import { type OperationRow, operations } from '../table.ts'

interface ClaimParts {
  readonly db: Db
  readonly transaction: RunTransaction
  readonly clock: () => Instant
}

/** How many images were added, and how many could not be. */
export interface ImageCounts {
  readonly done: number
  readonly failed: number
}

const renewalMs = 10_000

/** A claimed import whose images are fetched. Its changes are made one after the other; each renews the claim. */
export class ImageClaim {
  readonly #parts: ClaimParts
  #operation: OperationRow
  #changing: Promise<unknown> = Promise.resolve()

  constructor(parts: ClaimParts, operation: OperationRow) {
    this.#parts = parts
    this.#operation = operation
  }

  get operation(): OperationRow {
    return this.#operation
  }

  /** Renews the claim until a signal is aborted. Throws a LostClaimError. */
  async keep(signal: AbortSignal): Promise<void> {
    try {
      for await (const _ of setInterval(renewalMs, undefined, { signal, ref: false })) {
        await this.#change(this.#parts.db, {})
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  /** Stores what has become of images in one transaction. Throws a LostClaimError or an EndedCredentialError. */
  commit(work: (transactionDb: Db, now: Instant) => Promise<ImageCounts>): Promise<void> {
    return this.#inTurn(async () => {
      const now = this.#parts.clock()
      this.#operation = await this.#parts.transaction(async (db) => {
        await requireLiveCredential(db, this.#operation, now)
        const { done, failed } = await work(db, now)
        return this.#store(db, {
          images_done: this.#operation.images_done + done,
          images_failed: this.#operation.images_failed + failed,
          attempts: 0,
        })
      })
    })
  }

  /** Lets the import be claimed again from a time on. */
  release(dueAt: Instant): Promise<void> {
    return this.#change(this.#parts.db, { due_at: dueAt, leased_until: 0 })
  }

  /** Ends the import, as failed with a failure. Throws a LostClaimError. */
  end(failure: Message | null): Promise<void> {
    return this.#inTurn(() => endImport(this.#parts, this.#operation, failure))
  }

  #change(db: Db, change: Partial<OperationRow>): Promise<void> {
    return this.#inTurn(async () => {
      this.#operation = await this.#store(db, change)
    })
  }

  async #store(db: Db, change: Partial<OperationRow>): Promise<OperationRow> {
    const now = this.#parts.clock()
    const renewed = { leased_until: operations.leaseFrom(now), ...change }
    const stored = await operations.reviseRow(db, claimed(this.#operation), renewed, now)
    if (!stored) throw new LostClaimError()
    return stored
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work)
    this.#changing = done.catch(() => undefined)
    return done
  }
}
