import type { Store } from '#db/database.ts'
import { isUnavailable } from '#db/errors.ts'
import { retrying } from '#db/stale-write.ts'
import { ResponseCache } from '#http/cache/response-cache.ts'
import { operationsIn } from '#http/codec/version-transform.ts'
import { describe, type OpenApi } from '#http/openapi/document.ts'
import type { Authentication } from '#http/pipeline/guards/authentication.ts'
import type { Origins } from '#http/pipeline/guards/cors.ts'
import type { RequestSealer, ResponseStore } from '#http/pipeline/idempotency/middleware.ts'
import { idempotencyStore } from '#http/pipeline/idempotency/store.ts'
import type { Preconditions } from '#http/pipeline/middleware/conditional.ts'
import type { Protection } from '#http/pipeline/order.ts'
import { fixedWindow } from '#http/rate-limit/algorithms/fixed-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import type { ErrorShape } from '#http/response/problems/body.ts'
import type { RejectedRequest, Timeouts } from '#http/server/connection/client-errors.ts'
import { type Mounted, mount } from '#http/server/mount.ts'
import type { HttpsPolicy } from '#http/server/network/https-policy.ts'
import type { Served } from '#http/server/observe-requests.ts'
import type { RawRoute } from '#http/server/raw-routes.ts'
import type { Dependencies } from '#resources/dependencies.ts'
import type { PaymentDependencies } from '#resources/payments/actions.ts'
import { monitoringRoutes } from '#src/observability/health.ts'
import { type Log, logRejected, logServed } from '#src/observability/log.ts'
import type { LogAddresses } from '#src/observability/log-addresses.ts'
import { type Metrics, openMetrics } from '#src/observability/metrics.ts'
import type { Instant } from '#values/instant.ts'
import { documentationRoutes, information } from './documentation/routes.ts'
import { personalDataDeclarations } from './personal-data.ts'
import { allRoutes } from './routes.ts'
import { type Drain, drainable } from './shutdown.ts'

/** Everything the application is composed of. */
export interface Composition
  extends Omit<Protection, 'idempotency' | 'responseCache'>,
    Preconditions {
  readonly store: Store
  readonly dependencies: Dependencies
  readonly authentication: Authentication
  readonly sealer: RequestSealer
  readonly clock: () => Instant
  readonly linksField: '_links' | 'links'
  readonly errorShape: ErrorShape
  /** Where clients reach the server; what names it by address does so by path alone without. */
  readonly baseUrl?: string
  /** The version of the API where a request names none; the first by default. */
  readonly defaultVersion?: number
  /** Whose pages may use the API; nobody's by default. */
  readonly origins?: Origins
  /** How long clients may take; the usual time by default. */
  readonly timeouts?: Timeouts
  /** Places whose answers follow another specification, such as those of OAuth. */
  readonly rawRoutes?: readonly RawRoute[]
  /** On which ways requests may come in; any, and no proxy is believed, by default. */
  readonly httpsPolicy?: HttpsPolicy
  readonly log?: Log
  /** How much of a client's address the log holds; the network by default. */
  readonly logAddresses?: LogAddresses
  /** What measurements are asked for with; without, they are for this machine alone. */
  readonly metricsToken?: string | undefined
  /** How many bytes of memory answers of the catalogue are kept ready in; none by default. */
  readonly responseCacheBytes?: number
}

/** A composed application, and how it comes to rest. */
export interface App extends Mounted {
  readonly drain: Drain['drain']
  /** What pays and settles; the jobs use it too. */
  readonly paymentDependencies: PaymentDependencies
  /** Tells what the application offers as an OpenAPI 3.1 document. */
  readonly describe: (version?: number) => OpenApi
}

/** Keeps answers of the catalogue ready, and lets them go by what the store says has changed. */
function openResponseCache({ changes }: Store, maxBytes: number): ResponseCache | undefined {
  if (maxBytes === 0) return undefined
  const responseCache = new ResponseCache({ maxBytes, isConnected: () => changes.isConnected() })
  changes.subscribe((change) => responseCache.invalidate(change))
  return responseCache
}

/** Counts and logs what has been answered. */
const observers = (
  metrics: Metrics,
  { log, logAddresses = 'network' }: Pick<Composition, 'log' | 'logAddresses'>,
) => ({
  observe: (served: Served) => {
    metrics.observe(served)
    if (log) logServed(log, served, logAddresses)
  },
  observeRejected: (unread: RejectedRequest) => {
    metrics.observeRejected(unread)
    if (log) logRejected(log, unread, logAddresses)
  },
})

const responseStore = (sealer: RequestSealer): ResponseStore => ({
  ...idempotencyStore,
  ...sealer,
  storedBytes: memoryCounters(fixedWindow),
})

/** Composes the application; tests build the same one. */
export function composeApp(composition: Composition): App {
  const { store, dependencies, authentication, clock, linksField, errorShape, log } = composition
  const { limits, loginLimits, load, metricsToken, defaultVersion = 1 } = composition
  const metrics = openMetrics(store)
  const responseCache = openResponseCache(store, composition.responseCacheBytes ?? 0)
  const transaction = retrying(store)
  const { provider, callbackUrl, shop } = dependencies
  const paymentDependencies = { transaction, provider, callbackUrl, clock }
  const isStopping = () => drain.isStopping()
  const { currency, currencyDigits } = shop
  const representationOptions = { version: defaultVersion, currency, currencyDigits, linksField }
  const describeApi = (version = defaultVersion) =>
    describe(operationsIn(version, mounted.operations), {
      representationOptions: { ...representationOptions, version },
      errorShape,
      security: authentication.security ?? {},
      info: information,
      server: version === defaultVersion ? '/' : `/v${version}`,
    })
  const mounted = mount({
    routes: [
      ...allRoutes(dependencies, paymentDependencies, personalDataDeclarations),
      ...monitoringRoutes({ store, metrics, isStopping, metricsToken }),
      ...documentationRoutes(describeApi),
    ],
    rawRoutes: composition.rawRoutes ?? [],
    db: store.db,
    transaction,
    authentication,
    representationOptions,
    errors: { shape: errorShape, baseUrl: composition.baseUrl ?? '' },
    clock,
    idempotency: responseStore(composition.sealer),
    ...(limits ? { limits } : {}),
    ...(loginLimits ? { loginLimits } : {}),
    ...(load ? { load } : {}),
    ...(responseCache ? { responseCache } : {}),
    ...(composition.timeouts ? { timeouts: composition.timeouts } : {}),
    ...(composition.httpsPolicy ? { httpsPolicy: composition.httpsPolicy } : {}),
    origins: composition.origins ?? [],
    requireIfMatch: composition.requireIfMatch ?? false,
    ...(log ? { logger: log } : {}),
    ...observers(metrics, composition),
    isUnavailable,
  })
  const drain = drainable(mounted.app.server)
  return { ...mounted, paymentDependencies, describe: describeApi, drain: drain.drain }
}
