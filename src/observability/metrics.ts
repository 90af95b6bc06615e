import cluster from 'node:cluster'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { RejectedRequest } from '#http/server/connection/client-errors.ts'
import type { ServedRequest } from '#http/server/observe-requests.ts'
import type { Store } from '#store/database.ts'
import { type Instant, secondMs } from '#values/instant.ts'
import { countEvents, measureBacklog } from './shop-metrics.ts'
import { type MeasuredSinks, measureSinks } from './sink-metrics.ts'
import { joinWorkerMetrics } from './worker-metrics.ts'

/** The measurements of one process. */
export interface Metrics {
  readonly mediaType: string
  /** Counts a response and its duration. */
  readonly observe: (served: ServedRequest) => void
  /** Counts a malformed request that was rejected. */
  readonly observeRejected: (unread: RejectedRequest) => void
  /** Records that a job has started or a round of it has succeeded. */
  readonly observeJob: (job: string) => void
  /**
   * Returns all measurements, those of all workers added up, in the Prometheus text format 0.0.4.
   */
  readonly render: () => Promise<string>
}

// From the duration of a read by key to the timeout of the payment provider.
const secondBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** What the measurements depend on. */
export interface MetricsOptions {
  readonly store: Pick<Store, 'kind' | 'stats' | 'db'>
  /** The currency of the shop. */
  readonly currency: string
  readonly clock: () => Instant
  /** The message brokers that get events; none by default. */
  readonly sinks?: MeasuredSinks | undefined
  /** How far the clock of this machine is ahead of that of the database, in milliseconds. */
  readonly clockAheadMs?: (() => number) | undefined
}

/**
 * Measures requests and events from now on and, from the first rendering on, the process and its event
 * loop.
 */
export function createMetrics(options: MetricsOptions): Metrics {
  const { store, currency, clock, clockAheadMs, sinks } = options
  const registry = new Registry()
  measureStore(registry, store)
  if (clockAheadMs) measureClock(registry, clockAheadMs)
  measureBacklog(registry, { db: store.db, clock })
  if (sinks) measureSinks(registry, { db: store.db, clock, sinks })
  countEvents(registry, currency)
  return {
    mediaType: Registry.PROMETHEUS_CONTENT_TYPE,
    observe: requestMeter(registry),
    observeRejected: rejectedCounter(registry),
    observeJob: jobMeter(registry, clock),
    render: cluster.isWorker ? renderWorkers(registry) : renderProcess(registry),
  }
}

/**
 * Samples the event loop from the first scrape on; a server without scrapes does not pay for it.
 */
function renderProcess(registry: Registry): Metrics['render'] {
  let isSampled = false
  return () => {
    if (!isSampled) collectDefaultMetrics({ register: registry })
    isSampled = true
    return registry.metrics()
  }
}

/** A scrape reaches any of the workers, so each returns the metrics of all. */
function renderWorkers(registry: Registry): Metrics['render'] {
  collectDefaultMetrics({ register: registry })
  return joinWorkerMetrics(registry)
}

function requestMeter(registry: Registry): Metrics['observe'] {
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, from their first byte to the last of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: secondBuckets,
    registers: [registry],
  })
  // Finding a series by its labels costs more than counting in it.
  const series = new Map<string, { observe: (seconds: number) => void }>()
  return ({ method, route = 'unmatched', status, milliseconds }) => {
    const name = `${method} ${route} ${status}`
    let one = series.get(name)
    if (!one) {
      one = histogram.labels(method, route, String(status))
      series.set(name, one)
    }
    one.observe(milliseconds / 1000)
  }
}

function rejectedCounter(registry: Registry): Metrics['observeRejected'] {
  const counter = new Counter({
    name: 'http_unread_requests_total',
    help: 'Answers to what never became a request: malformed, too large or too slow.',
    labelNames: ['status'],
    registers: [registry],
  })
  return ({ status }) => counter.inc({ status: String(status) })
}

function jobMeter(registry: Registry, clock: () => Instant): Metrics['observeJob'] {
  const gauge = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a round of this job last succeeded, or the jobs started, as a Unix time; of several workers, the earliest.',
    // `job` is a label of Prometheus itself.
    labelNames: ['name'],
    registers: [registry],
    aggregator: 'min',
  })
  return (name) => gauge.set({ name }, clock() / secondMs)
}

const storeGauges = [
  ['store_commits', 'commits', 'Transactions committed since the start.'],
  ['store_commit_groups', 'groups', 'Groups they were committed in since the start (SQLite).'],
  ['store_waiting_transactions', 'waiting', 'Transactions that wait for their turn.'],
] as const
const poolGauges = [
  ['store_pool_connections', 'connections', 'Connections that this process may open (PostgreSQL).'],
  [
    'store_pool_busy_connections',
    'busy',
    'Connections with a transaction or a query (PostgreSQL).',
  ],
] as const

function measureClock(registry: Registry, aheadMs: () => number): void {
  new Gauge({
    name: 'clock_ahead_seconds',
    help: 'How far the clock of this machine is ahead of that of PostgreSQL; negative if it is behind.',
    aggregator: 'average',
    registers: [registry],
    collect() {
      this.set(aheadMs() / secondMs)
    },
  })
}

function measureStore(registry: Registry, store: Pick<Store, 'kind' | 'stats'>): void {
  const gauges = store.kind === 'postgres' ? [...storeGauges, ...poolGauges] : storeGauges
  for (const [name, key, help] of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(store.stats()[key] ?? 0)
      },
    })
  }
}
