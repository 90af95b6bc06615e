import type { Store } from '#db/database.ts'
import { open, unstored } from '#http/declare/policy.ts'
import { document } from '#http/declare/resource.ts'
import { type Route, serve } from '#http/declare/route.ts'
import type { MessageKey } from '#i18n/message.ts'
import { createMessage } from '#i18n/message.ts'
import { Problem } from '#values/problem.ts'
import type { Metrics } from './metrics.ts'
import { metricsGuard } from './metrics-access.ts'

/** What the operations tell of. */
export interface MonitoringOptions {
  readonly store: Pick<Store, 'ping' | 'pending'>
  readonly metrics: Pick<Metrics, 'mediaType' | 'render'>
  /** True once the process has been asked to end. */
  readonly isStopping: () => boolean
  /** What measurements are asked for with; without, they are for this machine alone. */
  readonly metricsToken?: string | undefined
}

const databasePatienceMs = 2000
const json = 'application/json; charset=utf-8'
const policy = { access: open, rate: 'unlimited', cache: unstored } as const

/** How a machine asks whether the process lives, may be sent requests, and how it fares. */
export const monitoringRoutes = (operated: MonitoringOptions): readonly Route[] => [
  serve(
    document({
      name: 'health_live',
      description: 'Whether the process lives.',
      path: '/health/live',
      mediaType: json,
    }),
    {
      ...policy,
      // A probe takes a redirect for a sound answer.
      overPlainHttp: 'anybody',
      summary: 'Answers 200 as long as the process lives; restart it when it does not.',
      render: async () => '{"status":"live"}',
    },
  ),
  serve(
    document({
      name: 'health_ready',
      description: 'Whether the process can serve requests.',
      path: '/health/ready',
      mediaType: json,
    }),
    {
      ...policy,
      // A probe takes a redirect for a sound answer.
      overPlainHttp: 'anybody',
      summary: 'Answers 200 while requests are welcome: the database answers and is up to date.',
      problems: ['5031'],
      render: readiness(operated),
    },
  ),
  serve(
    document({
      name: 'metrics',
      description: 'Measurements of this process, for Prometheus.',
      path: '/metrics',
      mediaType: operated.metrics.mediaType,
    }),
    {
      ...policy,
      guard: metricsGuard(operated.metricsToken),
      summary: 'Tells the measurements of this process in the text format of Prometheus.',
      render: () => operated.metrics.render(),
    },
  ),
]

function readiness({ store, isStopping }: MonitoringOptions): () => Promise<string> {
  let isMigrated = false
  return async () => {
    if (isStopping()) throw unready('detail.stopping')
    try {
      await withinTimeout(store.ping())
      // A database that is up to date stays so.
      isMigrated ||= (await withinTimeout(store.pending())) === 0
    } catch {
      throw unready('detail.unavailable')
    }
    if (!isMigrated) throw unready('detail.migrations_pending')
    return '{"status":"ready"}'
  }
}

const unready = (reason: MessageKey): Problem =>
  new Problem('5031', createMessage(reason), { headers: { 'retry-after': '1' } })

/** Whoever asks gives up after a few seconds, and an answer is worth more to them than none. */
async function withinTimeout<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error('the database did not answer in time')),
    databasePatienceMs,
  )
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
