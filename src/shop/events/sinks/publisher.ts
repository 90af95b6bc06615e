import { cloudEvent } from '#shop/events/cloud-event.ts'
import { type PublishedEvent, readEvents } from '#shop/events/events-store.ts'
import { findDeletedThrough, publishEvents } from '#shop/events/feed-store.ts'
import type { Db } from '#store/database.ts'
import { type Loop, retryTime, startLoop } from '#store/due.ts'
import { withinTimeout } from '#store/within-timeout.ts'
import type { EventSink } from '#values/event-sink.ts'
import { dayMs, type Instant, secondMs } from '#values/instant.ts'
import type { Broker } from './brokers/broker.ts'
import { openBroker } from './brokers/open.ts'
import { describeFailure } from './failure.ts'
import { findSink } from './sink-store.ts'
import { eventSinks, type SinkRow } from './table.ts'

/** What sending events to brokers depends on. */
export interface SinkParts {
  readonly db: Db
  readonly clock: () => Instant
  /** The URL of the shop. */
  readonly source: string
  /** How long the feed keeps events, in days. */
  readonly eventDays: number
  readonly log: {
    readonly info: (facts: object, message: string) => void
    readonly warn: (facts: object, message: string) => void
    readonly error: (facts: object, message: string) => void
  }
  /** Makes full rounds leave time for requests. */
  readonly pace: {
    readonly startRound: () => void
    /** Returns the pause before the next round, in milliseconds. */
    readonly endRound: () => number
  }
}

const pollIntervalMs = 250
const batchSize = 200
/** The characters of the data of a batch: Kafka takes a megabyte at once by default. */
const maxBatchLength = 512 * 1024
/** Connecting to a broker takes at most this long, and a batch twice as long. */
const timeoutMs = 4 * secondMs
/** A claim with less time left is prolonged before a batch. */
const minClaimMs = 3 * timeoutMs
/** How long `stop` waits for a batch, which is sent again if it is given up. */
const stopGraceMs = 3 * secondMs
/** The pauses after failed attempts; the last one repeats. */
const retryPausesMs = [1, 2, 5, 10, 20, 30].map((seconds) => seconds * secondMs)

/**
 * Sends the events of the feed to a broker, in order, each at least once. Any number of processes may do so: one
 * at a time has the claim to a sink, which another one gets 15 seconds after it has died.
 */
export class SinkPublisher {
  readonly #sink: EventSink
  readonly #parts: SinkParts
  readonly #loop: Loop
  #broker: Broker | undefined
  /** The end of the claim of this process; 0 without one. */
  #claimedUntil = 0

  /** Begins at once, and again four times a second. */
  constructor(sink: EventSink, parts: SinkParts) {
    this.#sink = sink
    this.#parts = parts
    this.#loop = startLoop({
      round: () => this.#round(),
      report: (err) => parts.log.error({ err, sink: sink.name }, 'event sink failed'),
      firstMs: 0,
      pauseMs: secondMs,
    })
  }

  /** Ends the batch under way, and lets another process go on at once. */
  async stop(): Promise<void> {
    const grace = setTimeout(() => void this.#disconnect(), stopGraceMs)
    await this.#loop.stop()
    clearTimeout(grace)
    await this.#disconnect()
    const { db } = this.#parts
    const claim = { name: this.#sink.name, leased_until: this.#claimedUntil }
    if (this.#claimedUntil > 0) await eventSinks.update(db, claim, { leased_until: 0 })
  }

  /** Sends the next batch; returns the pause before the next round. */
  async #round(): Promise<number> {
    const { db, clock, pace } = this.#parts
    pace.startRound()
    const upTo = await publishEvents(db)
    const found = await findSink(db, this.#sink.name, clock())
    if (found === undefined || found.position >= upTo) return pollIntervalMs
    const row = await this.#claim(found)
    if (row === undefined) {
      // Another process has the claim.
      await this.#disconnect()
      return pollIntervalMs
    }
    const events = await readEvents(db, {
      after: row.position,
      upTo,
      limit: batchSize,
      audience: 'managers',
    })
    const deletedThrough = await findDeletedThrough(db)
    if (row.position < deletedThrough) {
      await this.#skip(row, deletedThrough)
      return 0
    }
    if (events.length === 0) return pollIntervalMs
    const batch = firstOf(events, maxBatchLength)
    const isSent = await this.#send(row, batch)
    return isSent && batch.length < upTo - row.position ? pace.endRound() : pollIntervalMs
  }

  /** Returns the row if this process has the claim to the sink, or gets it. */
  async #claim(row: SinkRow): Promise<SinkRow | undefined> {
    const { db, clock } = this.#parts
    const now = clock()
    const { name, leased_until } = row
    const isOwn = leased_until === this.#claimedUntil && leased_until > now
    if (isOwn && leased_until - now >= minClaimMs) return row
    const claimed = isOwn
      ? await eventSinks.updateRow(
          db,
          { name, leased_until },
          { leased_until: eventSinks.leaseFrom(now) },
        )
      : (await eventSinks.claim(db, { now, limit: 1, where: { name } }))[0]
    this.#claimedUntil = claimed?.leased_until ?? 0
    return claimed
  }

  /** Sends events and stores what came of it; returns whether all were sent. */
  async #send(row: SinkRow, events: readonly PublishedEvent[]): Promise<boolean> {
    const { source, eventDays } = this.#parts
    const options = { timeoutMs, retentionMs: eventDays * dayMs }
    try {
      this.#broker ??= await openBroker(this.#sink, options)
    } catch (error) {
      await this.#fail(row, row.position, error)
      return false
    }
    const messages = events.map((event) => cloudEvent(event, source))
    const { confirmed, error } = await this.#broker.send(messages)
    const position = events[confirmed - 1]?.sequence ?? row.position
    if (error === undefined) await this.#succeed(row, position)
    else await this.#fail(row, position, error)
    return error === undefined
  }

  async #succeed(row: SinkRow, position: number): Promise<void> {
    const until = eventSinks.leaseFrom(this.#parts.clock())
    const working = { attempts: 0, failing_since: null, error: null }
    await this.#store(row, { ...working, position, leased_until: until })
    if (row.attempts > 0) this.#parts.log.info({ sink: row.name }, 'event sink works again')
  }

  /** Stores a failed attempt, and lets any process make the next one. */
  async #fail(row: SinkRow, position: number, cause: unknown): Promise<void> {
    const { clock, log } = this.#parts
    await this.#disconnect()
    const now = clock()
    const attempts = row.attempts + 1
    const error = describeFailure(cause, this.#sink.credentials)
    const retry = {
      pausesMs: retryPausesMs,
      attempts: Math.min(attempts, retryPausesMs.length),
      now,
    }
    await this.#store(row, {
      ...{ position, attempts, error },
      failing_since: row.failing_since ?? now,
      due_at: retryTime(retry, Math.random()) ?? now,
      leased_until: 0,
    })
    log.warn({ sink: row.name, error, attempts }, 'event sink does not take events')
  }

  /** Passes over events that were deleted before they could be sent. */
  async #skip(row: SinkRow, position: number): Promise<void> {
    const lost = position - row.position
    await this.#store(row, { position, lost: row.lost + lost })
    this.#parts.log.error(
      { sink: row.name, lost },
      'events were deleted before an event sink took them: it was away for EVENT_RETENTION_DAYS',
    )
  }

  /** Changes the row while this process has the claim. */
  async #store(row: SinkRow, changes: Partial<SinkRow>): Promise<void> {
    const claim = { name: row.name, leased_until: this.#claimedUntil }
    const stored = await eventSinks.update(this.#parts.db, claim, changes)
    const { leased_until = this.#claimedUntil } = changes
    this.#claimedUntil = stored === 0 ? 0 : leased_until
  }

  async #disconnect(): Promise<void> {
    const broker = this.#broker
    this.#broker = undefined
    // One that does not answer cannot be closed in order.
    if (broker) await withinTimeout(broker.close(), timeoutMs, 'the broker').catch(() => undefined)
  }
}

/** Returns the first events, at least one, whose data has at most so many characters. */
function firstOf(events: readonly PublishedEvent[], maxLength: number): readonly PublishedEvent[] {
  let length = 0
  const end = events.findIndex(({ data }, at) => {
    length += data.length
    return at > 0 && length > maxLength
  })
  return end === -1 ? events : events.slice(0, end)
}
