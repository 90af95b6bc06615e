import type { Store } from '#db/database.ts'
import { noAuthentication, noStore } from '#http/declare/policy.ts'
import { document } from '#http/declare/resource.ts'
import { type Route, serve } from '#http/declare/route.ts'
import type { MessageKey } from '#i18n/message.ts'
import { createMessage } from '#i18n/message.ts'
import { Problem } from '#values/problem.ts'
import type { Metrics } from './metrics.ts'
import { metricsGuard } from './metrics-access.ts'

export interface MonitoringOptions {
  readonly store: Pick<Store, 'ping' | 'pending'>
  readonly metrics: Pick<Metrics, 'mediaType' | 'render'>
  /** True once the process is shutting down. */
  readonly isStopping: () => boolean
  /** The bearer token of GET /metrics; without it, only loopback clients may read it. */
  readonly metricsToken?: string | undefined
}

const databaseTimeoutMs = 2000
const json = 'application/json; charset=utf-8'
const policy = { access: noAuthentication, rateLimit: 'unlimited', cache: noStore } as const

/** Returns the routes for liveness, readiness and metrics. */
export const monitoringRoutes = (options: MonitoringOptions): readonly Route[] => [
  serve(
    document({
      name: 'health_live',
      description: 'Liveness of the process.',
      path: '/health/live',
      mediaType: json,
    }),
    {
      ...policy,
      // A probe counts a redirect as success.
      allowPlainHttpFrom: 'anybody',
      summary: 'Answers 200 while the process runs; restart the process when it does not answer.',
      render: async () => '{"status":"live"}',
    },
  ),
  serve(
    document({
      name: 'health_ready',
      description: 'Readiness of the process to serve requests.',
      path: '/health/ready',
      mediaType: json,
    }),
    {
      ...policy,
      // A probe counts a redirect as success.
      allowPlainHttpFrom: 'anybody',
      summary:
        'Answers 200 while the process accepts requests: the database is reachable and migrated.',
      problems: ['5031'],
      render: checkReadiness(options),
    },
  ),
  serve(
    document({
      name: 'metrics',
      description: 'Metrics for Prometheus.',
      path: '/metrics',
      mediaType: options.metrics.mediaType,
    }),
    {
      ...policy,
      guard: metricsGuard(options.metricsToken),
      summary: 'Returns the metrics in the Prometheus text format.',
      render: () => options.metrics.render(),
    },
  ),
]

function checkReadiness({ store, isStopping }: MonitoringOptions): () => Promise<string> {
  let isMigrated = false
  return async () => {
    if (isStopping()) throw notReady('detail.stopping')
    try {
      await withinTimeout(store.ping())
      // A migrated database stays migrated.
      isMigrated ||= (await withinTimeout(store.pending())) === 0
    } catch {
      throw notReady('detail.unavailable')
    }
    if (!isMigrated) throw notReady('detail.migrations_pending')
    return '{"status":"ready"}'
  }
}

const notReady = (reason: MessageKey): Problem =>
  new Problem('5031', createMessage(reason), { headers: { 'retry-after': '1' } })

/** Rejects after `databaseTimeoutMs`, since probes give up after a few seconds. */
async function withinTimeout<T>(answer: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => timeout.reject(new Error('the database did not answer in time')),
    databaseTimeoutMs,
  )
  try {
    return await Promise.race([answer, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
