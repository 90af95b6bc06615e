import { createMessage, type Message } from '#i18n/message.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { claimed, endOperation, LostClaimError } from './claim.ts'
import { operationEvent } from './events.ts'
import { countImages } from './images/store.ts'
import { type OperationRow, operations } from './table.ts'

interface EndParts {
  readonly transaction: RunTransaction
  readonly clock: () => Instant
}

/** Ends a claimed import, as failed with a failure. Throws a LostClaimError. */
export async function endImport(
  { transaction, clock }: EndParts,
  operation: OperationRow,
  failure: Message | null,
): Promise<void> {
  const now = clock()
  await transaction(async (db) => {
    const ended = await endOperation(db, operation, failure, now)
    if (!ended) throw new LostClaimError()
    await recordEvents(db, [operationEvent('import.completed', ended, now)])
  })
}

/** Goes on with the images that the rows of a claimed import name; ends it without any. Throws a LostClaimError. */
export async function endRows(
  parts: EndParts & { readonly db: Db },
  operation: OperationRow,
  failure: Message | null,
): Promise<void> {
  const total = await countImages(parts.db, operation.id)
  if (total === 0) return endImport(parts, operation, failure)
  const now = parts.clock()
  const phase = 'images' as const
  const change = {
    ...{ phase, images_total: total, attempts: 0, due_at: now, leased_until: 0 },
    failure: failure && JSON.stringify(failure),
  }
  if (!(await operations.reviseRow(parts.db, claimed(operation), change, now))) {
    throw new LostClaimError()
  }
}

/** What tells a claim of an import from others. */
export type Claim = Pick<OperationRow, 'id' | 'leased_until'>

/**
 * Ends an import whose claim ended because its thread had not enough memory. If it got any further under this
 * claim, it is free to be claimed again, since its batches then begin small.
 */
export async function endForMemory(
  parts: EndParts & { readonly db: Db },
  { id, leased_until }: Claim,
): Promise<void> {
  const claim = { id, leased_until, status: 'running' } as const
  const operation = await operations.find(parts.db, claim)
  if (!operation) return
  if (operation.attempts === 0) await operations.update(parts.db, claim, { leased_until: 0 })
  else
    await endImport(parts, operation, createMessage('import.memory', { line: operation.next_line }))
}
