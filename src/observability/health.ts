import { type Static, Type } from 'typebox'
import type { Actor } from '#http/declare/actor.ts'
import type { Context } from '#http/declare/context.ts'
import { requireScope, requireUser } from '#http/declare/permissions.ts'
import { noAuthentication, noStore } from '#http/declare/policy.ts'
import { document } from '#http/declare/resource.ts'
import { type Route, readDocument } from '#http/declare/route.ts'
import type { MessageKey } from '#i18n/message.ts'
import { createMessage } from '#i18n/message.ts'
import type { Store } from '#store/database.ts'
import { withinTimeout } from '#store/within-timeout.ts'
import { secondMs } from '#values/instant.ts'
import { Problem, problem } from '#values/problem.ts'
import type { Metrics } from './metrics.ts'
import { metricsGuard } from './metrics-access.ts'
import { describeSinks } from './sink-states.ts'

const ReadinessFilters = Type.Object({
  verbose: Type.Optional(
    Type.String({
      pattern: '^(?:true)?$',
      description: 'Whether to return details, for administrators: `verbose` or `verbose=true`.',
    }),
  ),
})

interface ReadinessInput {
  readonly filters: Static<typeof ReadinessFilters>
}

export interface MonitoringOptions {
  readonly store: Pick<Store, 'ping' | 'pending'>
  readonly metrics: Pick<Metrics, 'mediaType' | 'render'>
  /** False if images are served unscaled, which GET /health/ready reports. */
  readonly scalesImages: () => boolean
  /** How far the clock of this machine is ahead of that of the database, which GET /health/ready reports. */
  readonly clockAheadMs?: (() => number) | undefined
  /** True once the process is shutting down. */
  readonly isStopping: () => boolean
  /** The bearer token of GET /metrics; without it, only loopback clients may read it. */
  readonly metricsToken?: string | undefined
  /** The public URL of the server. */
  readonly baseUrl?: string | undefined
  /** The message brokers that get events; none by default. */
  readonly sinkNames?: readonly string[] | undefined
}

// Probes give up after a few seconds.
const databaseTimeoutMs = 2000
/** A clock that is further away from that of the database is told. */
export const maxApartMs = 2 * secondMs
const json = 'application/json; charset=utf-8'
const policy = { access: noAuthentication, rateLimit: 'unlimited', cache: noStore } as const

/** Returns the routes for liveness, readiness and metrics. */
export const monitoringRoutes = (options: MonitoringOptions): readonly Route[] => [
  readDocument(
    document({
      name: 'health_live',
      description: 'Liveness of the process.',
      path: '/health/live',
      mediaType: json,
    }),
    {
      operationId: 'checkLiveness',
      ...policy,
      // A probe counts a redirect as success.
      allowPlainHttpFrom: 'anybody',
      summary: 'Answers 200 while the process runs; restart the process when it does not answer.',
      render: async () => '{"status":"live"}',
    },
  ),
  readDocument(
    document({
      name: 'health_ready',
      description: 'Readiness of the process to serve requests.',
      path: '/health/ready',
      mediaType: json,
    }),
    {
      operationId: 'checkReadiness',
      ...policy,
      access: { kind: 'no-authentication', unlessQuery: 'verbose' },
      filters: ReadinessFilters,
      // A probe counts a redirect as success.
      allowPlainHttpFrom: 'anybody',
      summary:
        'Answers 200 while the process accepts requests: the database is reachable and migrated.',
      description:
        'With `verbose`, for administrators with the scope `events:read`, `event_sinks` has the state of each message broker that gets events. Credentials are ignored without it.',
      problems: ['4011', '4031', '4033', '5031'],
      render: checkReadiness(options),
    },
  ),
  readDocument(
    document({
      name: 'metrics',
      description: 'Metrics for Prometheus.',
      path: '/metrics',
      mediaType: options.metrics.mediaType,
    }),
    {
      ...policy,
      guard: metricsGuard(options.metricsToken, options.baseUrl),
      summary: 'Returns the metrics in the Prometheus text format.',
      render: () => options.metrics.render(),
    },
  ),
]

function checkReadiness({
  store,
  isStopping,
  scalesImages,
  sinkNames = [],
  clockAheadMs = () => 0,
}: MonitoringOptions): (ctx: Context, input: ReadinessInput) => Promise<string> {
  let isMigrated = false
  return async ({ actor, db }, { filters: { verbose } }) => {
    if (verbose !== undefined) requireOperator(actor)
    if (isStopping()) throw notReady('detail.stopping')
    try {
      await withinTimeout(store.ping(), databaseTimeoutMs)
      // A migrated database stays migrated.
      isMigrated ||= (await withinTimeout(store.pending(), databaseTimeoutMs)) === 0
    } catch {
      throw notReady('detail.unavailable')
    }
    if (!isMigrated) throw notReady('detail.migrations_pending')
    const aheadMs = clockAheadMs()
    return JSON.stringify({
      status: 'ready',
      ...(scalesImages() ? {} : { images: 'unscaled' }),
      ...(Math.abs(aheadMs) > maxApartMs ? { clock_ahead_seconds: aheadMs / secondMs } : {}),
      ...(verbose === undefined ? {} : { event_sinks: await describeSinks(db, sinkNames) }),
    })
  }
}

function requireOperator(actor: Actor): void {
  requireUser(actor)
  if (actor.role !== 'admin') throw problem('4031', 'detail.admin_only')
  requireScope('events:read', actor)
}

const notReady = (reason: MessageKey): Problem =>
  new Problem('5031', createMessage(reason), { headers: { 'retry-after': '1' } })
