import type { Db } from '#store/database.ts'
import { type DueDelivery, dueDeliveriesQuery } from './claim-store.ts'
import { type DeliveryRow, webhookDeliveries } from './table.ts'

/** How many attempts one process makes at the same time. */
export interface DeliveryQueueLimits {
  /** Beyond it, each webhook makes one. */
  readonly total: number
  readonly perWebhook: number
}

/** How many due deliveries are found at once, to be claimed as there is room. */
const maxFound = 1000

/** Attempts that share a limit, so that failing webhooks leave room for the others. */
export class DeliveryQueue {
  readonly #limits: DeliveryQueueLimits
  readonly #find: ReturnType<typeof dueDeliveriesQuery>
  /** The attempts in progress by webhook. */
  readonly #inFlight = new Map<number, number>()
  #total = 0
  /** Due deliveries, the oldest first; some may have been claimed elsewhere since. */
  #found: readonly DueDelivery[] = []

  constructor(isFailing: boolean, limits: DeliveryQueueLimits) {
    this.#limits = limits
    this.#find = dueDeliveriesQuery(isFailing, limits.perWebhook)
  }

  /** Claims due deliveries for which there is room. */
  async claim(db: Db, now: number): Promise<readonly DeliveryRow[]> {
    let ids = this.#take()
    if (ids.length === 0) {
      const busy = [...this.#inFlight].filter(([, count]) => !this.#hasRoom(count, this.#total))
      const excluded = busy.map(([id]) => id)
      this.#found = await this.#find(db, { now, excluded, limit: maxFound })
      ids = this.#take()
    }
    const request = { now, limit: ids.length, where: { id: ids } }
    return ids.length === 0 ? [] : webhookDeliveries.claim(db, request)
  }

  /**
   * True if a webhook with `inFlight` attempts may begin another one. Each may have one, however many the
   * others have: no number of slow endpoints delays another.
   */
  #hasRoom(inFlight: number, total: number): boolean {
    return inFlight === 0 || (inFlight < this.#limits.perWebhook && total < this.#limits.total)
  }

  /** Takes those of the found deliveries for which there is room; forgets those of busy webhooks. */
  #take(): readonly number[] {
    const inFlight = new Map(this.#inFlight)
    const ids: number[] = []
    const left: DueDelivery[] = []
    for (const delivery of this.#found) {
      const { id, webhook_id } = delivery
      const count = inFlight.get(webhook_id) ?? 0
      if (this.#hasRoom(count, this.#total + ids.length)) {
        inFlight.set(webhook_id, count + 1)
        ids.push(id)
      } else if (count < this.#limits.perWebhook) left.push(delivery)
    }
    this.#found = left
    return ids
  }

  begin(webhookId: number): void {
    this.#total += 1
    this.#inFlight.set(webhookId, (this.#inFlight.get(webhookId) ?? 0) + 1)
  }

  end(webhookId: number): void {
    this.#total -= 1
    const left = (this.#inFlight.get(webhookId) ?? 0) - 1
    if (left > 0) this.#inFlight.set(webhookId, left)
    else this.#inFlight.delete(webhookId)
  }
}
