import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#store/database.ts'
import type { Instant } from '#values/instant.ts'
import { type PublishedEvent, readEvents } from './events-store.ts'
import { findDeletedThrough, publishEvents } from './feed-store.ts'
import { type EventAudience, isForAudience } from './types.ts'

/** Which events to follow. */
export interface FollowedEvents {
  /** The sequence number after which to begin. */
  readonly after: number
  readonly types?: readonly string[] | undefined
  readonly subject?: string | undefined
  readonly since?: Instant | undefined
  readonly audience?: EventAudience
}

/** Events in order, and how far they reach. */
export interface EventBatch {
  readonly events: readonly PublishedEvent[]
  /** No further event up to this sequence number is followed. */
  readonly position: number
  /** The event with that number, if it is known. */
  readonly last?: PublishedEvent | undefined
}

const pollIntervalMs = 250
/** While there are more new events than one poll reads. */
const busyPollIntervalMs = 20
/** Bounds the memory of a reader that does not keep up. */
const batchSize = 20
/** The newest events, which all subscribers of a process share. */
const maxTail = 200

/**
 * Follows the feed for any number of readers of this process. While there are any, one of them all looks
 * for new events four times a second.
 */
export class EventFeed {
  readonly #db: Db
  readonly #pollIntervalMs: number
  readonly #waiting = new Set<() => void>()
  #subscribers = 0
  /** Changes with each wake, so that none is missed while the database is read. */
  #version = 0
  #polling: AbortController | undefined
  /** The events after `#tailAfter` up to `#tailUpTo`; undefined until the first poll. */
  #tail: readonly PublishedEvent[] | undefined
  #tailAfter = 0
  #tailUpTo = 0

  constructor(db: Db, intervalMs: number = pollIntervalMs) {
    this.#db = db
    this.#pollIntervalMs = intervalMs
  }

  /**
   * Yields batches as events come, until the signal aborts. Ends if events after the position have been
   * deleted.
   */
  async *follow(followed: FollowedEvents, signal: AbortSignal): AsyncGenerator<EventBatch> {
    let { after: position } = followed
    this.#join()
    const wake = () => this.#wakeAll()
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        const version = this.#version
        const batch = await this.#read(position, followed)
        if (!batch) return
        if (batch.position > position) {
          ;({ position } = batch)
          yield batch
        } else if (version === this.#version) {
          await new Promise<void>((resolve) => this.#waiting.add(resolve))
        }
      }
    } finally {
      signal.removeEventListener('abort', wake)
      this.#leave()
    }
  }

  async #read(position: number, followed: FollowedEvents): Promise<EventBatch | undefined> {
    if (this.#tail === undefined) return { events: [], position }
    if (position >= this.#tailAfter) return this.#readTail(this.#tail, position, followed)
    const range = { ...followed, after: position, upTo: this.#tailUpTo, limit: batchSize }
    const events = await readEvents(this.#db, range)
    if (position < (await findDeletedThrough(this.#db))) return undefined
    const last = events.length < batchSize ? undefined : events.at(-1)
    return { events, position: last?.sequence ?? range.upTo, last }
  }

  #readTail(
    tail: readonly PublishedEvent[],
    position: number,
    { types, subject, since = 0, audience }: FollowedEvents,
  ): EventBatch {
    const next = tail.filter(({ sequence }) => sequence > position).slice(0, batchSize)
    const last = next.at(-1)
    const events = next.filter(
      (event) =>
        (types === undefined || types.includes(event.type)) &&
        (subject === undefined || subject === event.subject) &&
        event.time >= since &&
        (audience === undefined || isForAudience(event, audience)),
    )
    return { events, position: last?.sequence ?? position, last }
  }

  #join(): void {
    this.#subscribers += 1
    if (this.#polling) return
    this.#polling = new AbortController()
    void this.#pollUntil(this.#polling.signal)
  }

  #leave(): void {
    this.#subscribers -= 1
    if (this.#subscribers > 0) return
    this.#polling?.abort()
    this.#polling = undefined
    this.#tail = undefined
  }

  async #pollUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // While the database is away, subscribers wait.
      const mayHaveMore = await this.#poll(signal).catch(() => false)
      const pauseMs = mayHaveMore ? busyPollIntervalMs : this.#pollIntervalMs
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Reads the next new events; returns whether there may be more. */
  async #poll(signal: AbortSignal): Promise<boolean> {
    const upTo = await publishEvents(this.#db)
    if (signal.aborted) return false
    if (this.#tail === undefined) {
      this.#tail = []
      this.#tailAfter = upTo
      this.#tailUpTo = upTo
      this.#wakeAll()
    }
    if (upTo <= this.#tailUpTo) return false
    const range = { after: this.#tailUpTo, upTo, limit: maxTail }
    const events = await readEvents(this.#db, range)
    if (signal.aborted) return false
    const mayHaveMore = events.length === maxTail
    this.#append(events, mayHaveMore ? undefined : upTo)
    this.#wakeAll()
    return mayHaveMore
  }

  #append(events: readonly PublishedEvent[], upTo: number | undefined): void {
    const all = [...(this.#tail ?? []), ...events]
    const dropped = all.slice(0, -maxTail).at(-1)
    this.#tail = all.slice(-maxTail)
    this.#tailAfter = dropped?.sequence ?? this.#tailAfter
    this.#tailUpTo = upTo ?? events.at(-1)?.sequence ?? this.#tailUpTo
  }

  #wakeAll(): void {
    this.#version += 1
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }
}
