import type { Store } from '#db/database.ts'
import { isUnavailable } from '#db/errors.ts'
import { withRetries } from '#db/stale-write.ts'
import { ResponseCache } from '#http/cache/response-cache.ts'
import { operationsOfVersion } from '#http/codec/version-transform.ts'
import { createOpenApiDocument, type OpenApiDocument } from '#http/openapi/document.ts'
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
import { type MountedServer, mount } from '#http/server/mount.ts'
import type { HttpsPolicy } from '#http/server/network/https-policy.ts'
import type { ServedRequest } from '#http/server/observe-requests.ts'
import type { RawRoute } from '#http/server/raw-routes.ts'
import type { Dependencies } from '#resources/dependencies.ts'
import type { PaymentDependencies } from '#resources/payments/actions.ts'
import { monitoringRoutes } from '#src/observability/health.ts'
import { type Log, logRejected, logServed } from '#src/observability/log.ts'
import type { LogAddresses } from '#src/observability/log-addresses.ts'
import { type Metrics, openMetrics } from '#src/observability/metrics.ts'
import type { Instant } from '#values/instant.ts'
import { versionNotices } from './api-versions.ts'
import { documentationRoutes, information } from './documentation/routes.ts'
import { personalDataDeclarations } from './personal-data.ts'
import { allRoutes } from './routes.ts'
import { createDrain, type Drain } from './shutdown.ts'

/** The dependencies and options of the application. */
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
  /** The public URL of the server; without it, generated URLs are paths only. */
  readonly baseUrl?: string
  /** The API version of requests that do not name one; 1 by default. */
  readonly defaultVersion?: number
  /** The web origins that CORS allows; none by default. */
  readonly origins?: Origins
  /** The timeouts for clients; `defaultTimeouts` by default. */
  readonly timeouts?: Timeouts
  /** Routes outside the resource definitions, such as the OAuth endpoints. */
  readonly rawRoutes?: readonly RawRoute[]
  /** Which requests need HTTPS and which proxies are trusted; plain HTTP without proxies by default. */
  readonly httpsPolicy?: HttpsPolicy
  readonly log?: Log
  /** The part of client addresses that is logged; the network by default. */
  readonly logAddresses?: LogAddresses
  /** The bearer token of GET /metrics; without it, only loopback clients may read it. */
  readonly metricsToken?: string | undefined
  /** The size of the response cache, in bytes; 0, the default, disables it. */
  readonly responseCacheBytes?: number
}

/** A composed application. */
export interface App extends MountedServer {
  readonly drain: Drain['drain']
  /** The dependencies of payment actions, shared with the jobs. */
  readonly paymentDependencies: PaymentDependencies
  /** Returns the OpenAPI 3.1 document of an API version. */
  readonly describe: (version?: number) => OpenApiDocument
}

/** Opens a response cache that is invalidated by the changes of the store. */
function openResponseCache({ changes }: Store, maxBytes: number): ResponseCache | undefined {
  if (maxBytes === 0) return undefined
  const responseCache = new ResponseCache({ maxBytes, isConnected: () => changes.isConnected() })
  changes.subscribe((change) => responseCache.invalidate(change))
  return responseCache
}

/** Counts and logs responses. */
const observers = (
  metrics: Metrics,
  { log, logAddresses = 'network' }: Pick<Composition, 'log' | 'logAddresses'>,
) => ({
  observe: (served: ServedRequest) => {
    metrics.observe(served)
    if (log) logServed(log, served, logAddresses)
  },
  observeRejected: (rejected: RejectedRequest) => {
    metrics.observeRejected(rejected)
    if (log) logRejected(log, rejected, logAddresses)
  },
})

const openResponseStore = (sealer: RequestSealer): ResponseStore => ({
  ...idempotencyStore,
  ...sealer,
  storedBytes: memoryCounters(fixedWindow),
})

/** Builds the application from its dependencies; it does not listen yet. */
export function composeApp(composition: Composition): App {
  const { store, dependencies, authentication, clock, linksField, errorShape, log } = composition
  const { limits, loginLimits, load, metricsToken, defaultVersion = 1 } = composition
  const metrics = openMetrics(store)
  const responseCache = openResponseCache(store, composition.responseCacheBytes ?? 0)
  const transaction = withRetries(store)
  const { provider, callbackUrl, shop } = dependencies
  const paymentDependencies = { transaction, provider, callbackUrl, clock }
  const isStopping = () => drain.isStopping()
  const { currency, currencyDigits } = shop
  const representationOptions = { version: defaultVersion, currency, currencyDigits, linksField }
  const describeApi = (version = defaultVersion) =>
    createOpenApiDocument(operationsOfVersion(version, mounted.operations), {
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
    versionNotices,
    errors: { shape: errorShape, baseUrl: composition.baseUrl ?? '' },
    clock,
    idempotency: openResponseStore(composition.sealer),
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
  const drain = createDrain(mounted.app.server)
  return { ...mounted, paymentDependencies, describe: describeApi, drain: drain.drain }
}
