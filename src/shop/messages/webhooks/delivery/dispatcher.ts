import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises'
import { type Loop, startLoop } from '#store/due.ts'
import { deletionBatchSize } from '#store/query/deletion-batch.ts'
import { secondMs } from '#values/instant.ts'
import { type AttemptParts, attemptDelivery, type PreparedDelivery } from './attempt.ts'
import { loadSubjects } from './claim-store.ts'
import { isOfEarlierActivation } from './delivery.ts'
import { DeliveryQueue, type DeliveryQueueLimits } from './delivery-queue.ts'
import { createDeliveries } from './fan-out.ts'
import { findWebhookKinds } from './fan-out-store.ts'
import {
  disableWebhooksWithoutKey,
  type MadeAttempt,
  type OutcomeParts,
  recordOutcomes,
} from './outcome.ts'
import { endDeliveries, finishStop, listStopped } from './outcome-store.ts'
import type { WebhookRow } from './table.ts'

/** What the dispatcher depends on. */
export interface DispatcherParts extends AttemptParts, OutcomeParts {
  readonly log: {
    readonly warn: (facts: object, message: string) => void
    readonly error: (facts: object, message: string) => void
  }
}

/** The limits for webhooks that work, and for those whose last attempt has failed. */
interface DispatcherLimits {
  readonly working: DeliveryQueueLimits
  readonly failing: DeliveryQueueLimits
}

const defaultLimits: DispatcherLimits = {
  working: { total: 200, perWebhook: 10 },
  failing: { total: 50, perWebhook: 2 },
}

const pollIntervalMs = 250
const idleIntervalMs = secondMs
/** The number of requests that begin in one turn of the event loop. */
const burst = 10
const recordIntervalMs = 5
/** How long `stop` waits for attempts; those that it leaves are made again. */
const stopGraceMs = 3 * secondMs

/**
 * Creates the deliveries of events and sends them, together with the other processes of a database. A
 * delivery is claimed before it is sent, and sent again if the claim ends before its result is stored.
 */
export class WebhookDispatcher {
  readonly #parts: DispatcherParts
  readonly #queues: readonly DeliveryQueue[]
  readonly #attempts = new Set<Promise<void>>()
  /** Attempts to be recorded. */
  readonly #made: MadeAttempt[] = []
  #recording: Promise<void> | undefined
  #loop: Loop | undefined

  constructor(parts: DispatcherParts, limits = defaultLimits) {
    this.#parts = parts
    this.#queues = [
      new DeliveryQueue(false, limits.working),
      new DeliveryQueue(true, limits.failing),
    ]
  }

  /** Runs rounds until `stop`: four times a second while there are active webhooks. */
  start(): void {
    this.#loop = startLoop({
      round: async () => ((await this.round()) === undefined ? idleIntervalMs : pollIntervalMs),
      report: (err) => this.#parts.log.error({ err }, 'webhooks failed'),
      firstMs: 0,
      pauseMs: idleIntervalMs,
    })
  }

  /**
   * Begins no further attempt and resolves once those in progress have ended, or after 3 seconds.
   */
  async stop(): Promise<void> {
    await this.#loop?.stop()
    const grace = new AbortController()
    await Promise.race([
      this.settled(),
      sleep(stopGraceMs, undefined, { signal: grace.signal }).catch(() => undefined),
    ])
    grace.abort()
  }

  /** Resolves once no attempt is in progress. */
  async settled(): Promise<void> {
    while (this.#attempts.size > 0) await Promise.all(this.#attempts)
  }

  /**
   * Disables webhooks whose API key no longer works, ends the deliveries of stopped ones, creates those of
   * new events, and begins the attempts that are due. Returns how many attempts have begun; undefined while
   * there are no active webhooks.
   */
  async round(): Promise<number | undefined> {
    const { db, transaction, clock } = this.#parts
    const { hasActive, hasStopped, hasWithoutKey } = await findWebhookKinds(db)
    if (hasWithoutKey) this.#warnOf(await disableWebhooksWithoutKey(this.#parts))
    if (hasStopped) await this.#endStopped()
    if (!hasActive) return undefined
    await createDeliveries(transaction, db, clock)
    let begun = 0
    for (const queue of this.#queues) begun += await this.#beginDue(queue)
    return begun
  }

  async #endStopped(): Promise<void> {
    const { db, clock } = this.#parts
    for (const webhook of await listStopped(db)) {
      const limit = deletionBatchSize
      const ended = await endDeliveries(db, { ...webhook, now: clock(), limit })
      if (ended < limit) await finishStop(db, webhook)
    }
  }

  async #beginDue(queue: DeliveryQueue): Promise<number> {
    const { db, clock } = this.#parts
    const claimed = await queue.claim(db, clock())
    if (claimed.length === 0) return 0
    const { webhooks, events } = await loadSubjects(db, claimed)
    for (const [at, delivery] of claimed.entries()) {
      // A request costs about half a millisecond; others are served in between.
      if (at % burst === burst - 1) await yieldToOthers()
      const webhook = webhooks.get(delivery.webhook_id)
      // Stopped meanwhile: the delivery is ended once the claim has.
      if (webhook?.active !== 1 || isOfEarlierActivation(delivery, webhook)) continue
      const event = events.get(delivery.event_sequence ?? 0)
      this.#begin(queue, { delivery, webhook, event })
    }
    return claimed.length
  }

  #begin(queue: DeliveryQueue, prepared: PreparedDelivery): void {
    const webhookId = prepared.webhook.id
    queue.begin(webhookId)
    const attempt = this.#attempt(prepared).finally(() => {
      this.#attempts.delete(attempt)
      queue.end(webhookId)
      // There is room for another one.
      this.#loop?.wake()
    })
    this.#attempts.add(attempt)
  }

  /** Never rejects: if the result cannot be stored, the attempt is made again. */
  async #attempt(prepared: PreparedDelivery): Promise<void> {
    const { log } = this.#parts
    try {
      const outcome = await attemptDelivery(this.#parts, prepared)
      this.#made.push({ prepared, outcome })
      this.#recording ??= this.#record()
      await this.#recording
    } catch (error) {
      log.error({ err: error, delivery: prepared.delivery.id }, 'webhook delivery failed')
    }
  }

  /** Stores the attempts that end within a short time together, which costs one commit. */
  async #record(): Promise<void> {
    await sleep(recordIntervalMs)
    this.#recording = undefined
    const { log } = this.#parts
    try {
      this.#warnOf(await recordOutcomes(this.#parts, this.#made.splice(0)))
    } catch (error) {
      log.error({ err: error }, 'attempts of webhooks were not recorded')
    }
  }

  #warnOf(disabled: readonly WebhookRow[]): void {
    for (const { id: webhook, disabled_reason: reason } of disabled) {
      this.#parts.log.warn({ webhook, reason }, 'webhook disabled')
    }
  }
}
