import { Gauge, type Registry } from 'prom-client'
import { readSinkStates, type SinkState } from '#shop/events/sinks/sink-store.ts'
import type { Db } from '#store/database.ts'
import { withinTimeout } from '#store/within-timeout.ts'
import { type Instant, secondMs } from '#values/instant.ts'

/** The message brokers that get events. */
export interface MeasuredSinks {
  readonly names: readonly string[]
  /** How long the feed keeps events. */
  readonly retentionMs: number
}

interface SinkGauge {
  readonly name: string
  readonly help: string
  readonly value: (state: SinkState, ageMs: number, retentionMs: number) => number
}

const gauges: readonly SinkGauge[] = [
  {
    name: 'event_sink_unsent_events',
    help: 'Events that a message broker has not confirmed.',
    value: ({ newest, position }) => newest - position,
  },
  {
    name: 'event_sink_oldest_event_age_seconds',
    help: 'Age of the oldest event that a message broker has not confirmed; 0 without any.',
    value: (_, ageMs) => ageMs / secondMs,
  },
  {
    name: 'event_sink_retention_used_ratio',
    help: 'The same age as a share of the time after which events are deleted: at 1, events are lost for the broker.',
    value: (_, ageMs, retentionMs) => ageMs / retentionMs,
  },
  {
    name: 'event_sink_lost_events',
    help: 'Events that were deleted before a message broker took them.',
    value: ({ lost }) => lost,
  },
  {
    name: 'event_sink_failing',
    help: '1 if the last attempt to send events to a message broker has failed, else 0.',
    value: ({ failing_since }) => (failing_since === null ? 0 : 1),
  },
]

const timeoutMs = 2 * secondMs

/** Measures how far message brokers are, the same in every process; nothing while the database is away. */
export function measureSinks(
  registry: Registry,
  {
    db,
    clock,
    sinks: { names, retentionMs },
  }: { readonly db: Db; readonly clock: () => Instant; readonly sinks: MeasuredSinks },
): void {
  let reading: Promise<readonly SinkState[]> | undefined
  // All gauges of a scrape share one reading.
  const read = () => {
    reading ??= withinTimeout(readSinkStates(db, names), timeoutMs)
      .catch(() => [])
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  for (const { name, help, value } of gauges) {
    new Gauge({
      ...{ name, help, labelNames: ['sink'], registers: [registry] },
      aggregator: 'max',
      async collect() {
        const states = await read()
        this.reset()
        for (const state of states) {
          const ageMs = Math.max(0, clock() - (state.oldest_unsent_at ?? clock()))
          this.set({ sink: state.name }, value(state, ageMs, retentionMs))
        }
      },
    })
  }
}
