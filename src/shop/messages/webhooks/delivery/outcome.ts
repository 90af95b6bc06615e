import { recordEvents } from '#shop/events/outbox-store.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import { dayMs, type Instant } from '#values/instant.ts'
import type { AttemptOutcome, AttemptParts, PreparedDelivery } from './attempt.ts'
import { attemptColumns, attemptsOf, isSuccess, statusAfter } from './delivery.ts'
import { lockActivations } from './fan-out-store.ts'
import { disableWithoutKey } from './key-store.ts'
import * as store from './outcome-store.ts'
import { nextAttemptAt } from './schedule.ts'
import type { WebhookRow } from './table.ts'

/** A webhook without any success for so long is disabled. */
const maxFailingMs = 5 * dayMs

/** The status by which an endpoint says that it wants no more (RFC 9110 section 15.5.11). */
const gone = 410

/** What outcomes are recorded with. */
export interface OutcomeParts extends Pick<AttemptParts, 'disabledEvent' | 'clock'> {
  readonly db: Db
  readonly transaction: RunTransaction
  /** Returns a number from 0 to 1. */
  readonly random: () => number
}

/** An attempt that was made, to be recorded. */
export interface MadeAttempt {
  readonly prepared: PreparedDelivery
  readonly outcome: AttemptOutcome
}

/**
 * Stores attempts and when the next ones take place, and disables webhooks that are gone or have been
 * failing for five days; returns these. Leaves out attempts whose claim has been lost.
 */
export async function recordOutcomes(
  parts: OutcomeParts,
  made: readonly MadeAttempt[],
): Promise<readonly WebhookRow[]> {
  const { db, transaction, clock } = parts
  const now = clock()
  const attempted = made.map((each) => stateAfter(parts, each, now))
  // One statement, if the state of no webhook changes.
  if (made.every(isAsUsual)) {
    await store.saveAttempts(db, attempted)
    return []
  }
  return transaction(async (transactionDb) => {
    if (made.some((each) => isGone(each) || hasFailedTooLong(each, now))) {
      await lockActivations(transactionDb)
    }
    const saved = await store.saveAttempts(transactionDb, attempted)
    const kept = made.filter(({ prepared }) => saved.has(prepared.delivery.id))
    await store.markWorking(
      transactionDb,
      webhookIdsOf(kept.filter(({ outcome }) => isSuccess(outcome.attempt))),
    )
    return recordFailures(
      parts,
      transactionDb,
      kept.filter(({ outcome }) => !isSuccess(outcome.attempt)),
      now,
    )
  })
}

const isAsUsual = ({ prepared, outcome }: MadeAttempt): boolean =>
  isSuccess(outcome.attempt) && prepared.webhook.failing_since === null

const isGone = ({ outcome }: MadeAttempt): boolean => outcome.attempt.status === gone

const hasFailedTooLong = ({ prepared }: MadeAttempt, now: Instant): boolean =>
  (prepared.webhook.failing_since ?? now) <= now - maxFailingMs

/** The webhooks, by ID: concurrent processes lock the rows in the same order. */
const webhooksOf = (made: readonly MadeAttempt[]): readonly WebhookRow[] =>
  [...new Map(made.map(({ prepared: { webhook } }) => [webhook.id, webhook])).values()].sort(
    (one, other) => one.id - other.id,
  )

const webhookIdsOf = (made: readonly MadeAttempt[]): readonly number[] =>
  webhooksOf(made).map(({ id }) => id)

function stateAfter(
  { random }: OutcomeParts,
  { prepared: { delivery }, outcome: { attempt, retryAt, isFinal } }: MadeAttempt,
  now: Instant,
): store.AttemptedDelivery {
  const attempts = [...attemptsOf(delivery), attempt]
  const isOver =
    isSuccess(attempt) || delivery.status === 'delivered' || isFinal || attempt.status === gone
  const next = isOver
    ? undefined
    : nextAttemptAt({ attempts: attempts.length, endedAt: now, retryAt }, random)
  return {
    id: delivery.id,
    leased_until: delivery.leased_until,
    status: statusAfter(delivery, attempt, next),
    ...attemptColumns(attempts),
    due_at: next ?? null,
    now,
  }
}

/** Disables the active webhooks whose API key no longer works; returns these. */
export const disableWebhooksWithoutKey = ({
  transaction,
  clock,
  disabledEvent,
}: OutcomeParts): Promise<readonly WebhookRow[]> =>
  transaction(async (transactionDb) => {
    await lockActivations(transactionDb)
    const now = clock()
    const disabled = await disableWithoutKey(transactionDb, now)
    const events = disabled.map((webhook) => disabledEvent(webhook, now))
    await recordEvents(transactionDb, events)
    return disabled
  })

async function recordFailures(
  { disabledEvent }: OutcomeParts,
  transactionDb: Db,
  failed: readonly MadeAttempt[],
  now: Instant,
): Promise<readonly WebhookRow[]> {
  await store.markFailing(transactionDb, webhookIdsOf(failed), now)
  const goneWebhooks = webhooksOf(failed.filter(isGone))
  const failingWebhooks = webhooksOf(failed.filter((each) => hasFailedTooLong(each, now)))
  const disabled: WebhookRow[] = []
  for (const [webhooks, reason, failingSince] of [
    [goneWebhooks, 'gone', now],
    [failingWebhooks, 'failing', now - maxFailingMs],
  ] as const) {
    for (const { id, url, activation } of webhooks) {
      const request = { id, url, activation, reason, failingSince, now }
      const row = await store.disableFailing(transactionDb, request)
      if (row) disabled.push(row)
    }
  }
  const events = disabled.map((webhook) => disabledEvent(webhook, now))
  await recordEvents(transactionDb, events)
  return disabled
}
