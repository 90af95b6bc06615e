import { ResponseCache } from '#http/cache/response-cache.ts'
import { operationsOfVersion } from '#http/codec/version-transform.ts'
import type { Authentication } from '#http/declare/authentication.ts'
import type { Route } from '#http/declare/route.ts'
import { createOpenApiDocument, type OpenApiDocument } from '#http/openapi/document.ts'
import type { DescribedRoute } from '#http/pipeline/compile.ts'
import type { Origins } from '#http/pipeline/guards/cors.ts'
import {
  idempotencyStore,
  type RequestCipher,
  type ResponseStore,
} from '#http/pipeline/idempotency/store.ts'
import type { Preconditions } from '#http/pipeline/middleware/conditional.ts'
import type { PipelineServices } from '#http/pipeline/step-order.ts'
import { fixedWindow } from '#http/rate-limit/algorithms/fixed-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import type { ErrorShape } from '#http/response/problems/body.ts'
import type { RepresentationOptions } from '#http/response/representation.ts'
import type { RejectedRequest, Timeouts } from '#http/server/connection/client-errors.ts'
import { type MountedServer, mount } from '#http/server/mount.ts'
import type { HttpsPolicy } from '#http/server/network/https-policy.ts'
import type { ServedRequest } from '#http/server/observe-requests.ts'
import type { RawRoute } from '#http/server/raw-routes.ts'
import type { EventStreamLimits } from '#http/server/streams/event-streams.ts'
import type { ExportLimits } from '#http/server/streams/exports.ts'
import { exportLimitsOn } from '#http/server/streams/exports.ts'
import type { TraceRequest } from '#http/server/trace-requests.ts'
import { accountPageRoutes } from '#shop/accounts/account-pages/routes.ts'
import { EventFeed } from '#shop/events/feed.ts'
import {
  type DispatcherParts,
  WebhookDispatcher,
} from '#shop/messages/webhooks/delivery/dispatcher.ts'
import { webhookEvent } from '#shop/messages/webhooks/events.ts'
import { joinGuestOrders, ordersAwaitAddress } from '#shop/orders/guest-orders/join.ts'
import { waitedFor } from '#shop/providers/waited-for.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import { monitoringRoutes } from '#src/observability/health.ts'
import { createRejectionLog, createRequestLog, type Log } from '#src/observability/log.ts'
import type { LogAddresses } from '#src/observability/log-addresses.ts'
import { createMetrics, type Metrics } from '#src/observability/metrics.ts'
import type { MeasuredSinks } from '#src/observability/sink-metrics.ts'
import type { Store } from '#store/database.ts'
import { isUnavailable } from '#store/errors.ts'
import { withRetries } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { apiInfo, documentationRoutes } from './documentation/routes.ts'
import { describeWebhooks } from './documentation/webhooks.ts'
import type { Parts } from './parts.ts'
import { personalDataDeclarations } from './personal-data.ts'
import { recoveries, requireRecoveries } from './recoveries.ts'
import { allRoutes, orderedTags } from './routes.ts'
import { createDrain, type Drain } from './shutdown.ts'
import { versionNotices } from './version-notices.ts'

/** The parts that the application makes itself. */
type OwnParts =
  | keyof RecoveryParts
  | ('db' | 'transaction' | 'returnOrigins' | 'eventFeed' | 'personalDataDeclarations')

/** The parts and options of the application. */
export interface AppOptions
  extends Omit<Parts, OwnParts | 'wakeImports'>,
    Omit<PipelineServices, 'idempotency' | 'responseCache'>,
    Preconditions {
  readonly store: Store
  readonly authentication: Authentication
  readonly cipher: RequestCipher
  readonly linksField: '_links' | 'links'
  readonly errorShape: ErrorShape
  /** The public URL of the server; without it, generated URLs are paths only. */
  readonly baseUrl?: string
  /** The API version of requests that do not name one; 1 by default. */
  readonly defaultVersion?: number
  /** When version 1 may no longer be served; it is not deprecated by default. */
  readonly sunsetV1?: Instant | undefined
  /** The web origins that CORS allows; none by default. */
  readonly origins?: Origins
  /** The timeouts for clients; `defaultTimeouts` by default. */
  readonly timeouts?: Timeouts
  /** How long a request may wait, in milliseconds; 5,000 by default. */
  readonly requestTimeoutMs?: number
  /** The limits of event streams; those of `createEventStreams` by default. */
  readonly eventStreamLimits?: EventStreamLimits
  /** The limits of exports; those of `exportLimitsOn` by default. */
  readonly exportLimits?: ExportLimits
  /** Declared routes besides those of the shop; none by default. */
  readonly routes?: readonly Route[]
  /** Routes outside the resource definitions, such as the OAuth endpoints. */
  readonly rawRoutes?: readonly RawRoute[]
  /** Which requests need HTTPS and which proxies are trusted; plain HTTP without proxies by default. */
  readonly httpsPolicy?: HttpsPolicy
  /** Starts the waiting imports; by default they wait for a job. */
  readonly wakeImports?: Parts['wakeImports']
  readonly log?: Log
  /** Traces requests; they are not traced by default. */
  readonly traceRequest?: TraceRequest | undefined
  /** How far the clock of this machine is ahead of that of the database, in milliseconds; 0 by default. */
  readonly clockAheadMs?: () => number
  /** The part of client addresses that is logged; the network by default. */
  readonly logAddresses?: LogAddresses
  /** The bearer token of GET /metrics; without it, only loopback clients may read it. */
  readonly metricsToken?: string | undefined
  /** The message brokers that get events; none by default. */
  readonly sinks?: MeasuredSinks | undefined
  /** The size of the response cache, in bytes; 0, the default, disables it. */
  readonly responseCacheBytes?: number
}

/** A composed application. */
export interface App extends MountedServer {
  readonly drain: Drain['drain']
  /** The parts of the shop, shared with the jobs. */
  readonly parts: Parts
  /** Records that a job has started or a round of it has succeeded. */
  readonly observeJob: Metrics['observeJob']
  /** Sends the events to webhooks, once it is started. */
  readonly webhookDispatcher: WebhookDispatcher
  /** Returns the OpenAPI 3.1 document of an API version. */
  readonly describe: (version?: number) => OpenApiDocument
}

/** Creates a response cache that is invalidated by the changes of the store. */
function createResponseCache({ changes }: Store, maxBytes: number): ResponseCache | undefined {
  if (maxBytes === 0) return undefined
  const responseCache = new ResponseCache({ maxBytes, isConnected: () => changes.isConnected() })
  changes.subscribe((change) => responseCache.invalidate(change))
  return responseCache
}

/** Counts and logs responses. */
const observers = (
  metrics: Metrics,
  { log, logAddresses = 'network' }: Pick<AppOptions, 'log' | 'logAddresses'>,
) => {
  const logServed = log && createRequestLog(log, logAddresses)
  const logRejected = log && createRejectionLog(log, logAddresses)
  return {
    observe: (served: ServedRequest) => {
      metrics.observe(served)
      logServed?.(served)
    },
    observeRejected: (rejected: RejectedRequest) => {
      metrics.observeRejected(rejected)
      logRejected?.(rejected)
    },
  }
}

const createResponseStore = (cipher: RequestCipher): ResponseStore => ({
  ...idempotencyStore,
  ...cipher,
  storedBytes: memoryCounters(fixedWindow),
})

const noLog = { warn: () => undefined, error: () => undefined }

const createDispatcher = (parts: Parts, log: DispatcherParts['log'] = noLog): WebhookDispatcher =>
  new WebhookDispatcher({
    ...parts,
    log,
    random: Math.random,
    disabledEvent: (webhook, now) => webhookEvent('webhook.disabled', webhook, now),
  })

const partsOf = (options: AppOptions): Parts => ({
  wakeImports: () => undefined,
  ...options,
  provider: waitedFor(options.provider),
  db: options.store.db,
  transaction: withRetries(options.store),
  returnOrigins: returnOriginsOf(options.issuer, options.origins ?? []),
  eventFeed: new EventFeed(options.store.db),
  personalDataDeclarations,
  recoveries,
  awaitsAddress: ordersAwaitAddress,
  onAddressConfirmed: joinGuestOrders,
})

/** The origins to which a buyer may return: that of the server and those that CORS names. */
const returnOriginsOf = (issuer: string, origins: Origins): ReadonlySet<string> =>
  new Set([new URL(issuer).origin, ...(origins === '*' ? [] : origins)])

const representationOptionsOf = (
  { shop: { currency, currencyDigits }, linksField }: AppOptions,
  version: number,
): RepresentationOptions => ({ version, currency, currencyDigits, linksField })

/** Returns the OpenAPI document of a version of the operations. */
function describeVersion(
  composition: AppOptions,
  operations: readonly DescribedRoute[],
  version: number,
): OpenApiDocument {
  const { shopName, authentication, errorShape, sunsetV1 } = composition
  const { defaultVersion = 1, baseUrl = '' } = composition
  return createOpenApiDocument(operationsOfVersion(version, operations), {
    representationOptions: representationOptionsOf(composition, version),
    errorShape,
    security: authentication.security ?? {},
    info: { title: shopName, ...apiInfo },
    tags: orderedTags,
    webhooks: describeWebhooks(),
    server: serverUrl(baseUrl, version === defaultVersion ? '' : `/v${version}`),
    isDeprecated: versionNotices(sunsetV1).get(version)?.link !== undefined,
  })
}

const serverUrl = (baseUrl: string, prefix: string): string => `${baseUrl}${prefix}` || '/'

/** What the routes of a process tell of it. */
interface ProcessState {
  readonly metrics: Metrics
  readonly describe: App['describe']
  readonly isStopping: Drain['isStopping']
}

/** Returns the declared routes, those of the shop first. */
function declaredRoutes(
  { store, metricsToken, baseUrl, sinks, routes = [], clockAheadMs }: AppOptions,
  parts: Parts,
  { metrics, describe, isStopping }: ProcessState,
): readonly Route[] {
  const { shopName, issuer, scaler } = parts
  const scalesImages = () => scaler.isAvailable()
  const documentation = documentationRoutes(describe, shopName, issuer)
  const monitoring = monitoringRoutes({
    ...{ store, metrics, isStopping, metricsToken, baseUrl, scalesImages, clockAheadMs },
    sinkNames: sinks?.names,
  })
  return [...allRoutes(parts, { documentation, monitoring }), ...routes]
}

/** Builds the application from its parts; it does not listen yet. */
export function composeApp(composition: AppOptions): App {
  const { store, shop, errorShape, cipher, clock, log } = composition
  const { rawRoutes = [], defaultVersion = 1, baseUrl = '' } = composition
  const parts = partsOf(composition)
  const { db, transaction } = parts
  const { sinks, clockAheadMs } = composition
  const metrics = createMetrics({
    ...{ store, currency: shop.currency, clock, clockAheadMs, sinks },
  })
  const responseCache = createResponseCache(store, composition.responseCacheBytes ?? 0)
  const describe = (version = defaultVersion) =>
    describeVersion(composition, mounted.operations, version)
  const isStopping = () => drain.isStopping()
  const routes = declaredRoutes(composition, parts, { metrics, describe, isStopping })
  requireRecoveries(routes)
  const mounted = mount({
    ...composition,
    routes,
    rawRoutes: [...accountPageRoutes(parts), ...rawRoutes],
    db,
    replica: store.replica,
    listReader: store.listReader,
    transaction,
    openSnapshot: (onLost) => store.openSnapshot(onLost),
    exportLimits: composition.exportLimits ?? exportLimitsOn(store.kind),
    representationOptions: representationOptionsOf(composition, defaultVersion),
    versionNotices: versionNotices(composition.sunsetV1),
    errors: { shape: errorShape, baseUrl },
    idempotency: createResponseStore(cipher),
    ...(responseCache ? { responseCache } : {}),
    ...(log ? { logger: log } : {}),
    ...observers(metrics, composition),
    isUnavailable,
  })
  const drain = createDrain(mounted.app.server)
  return {
    ...mounted,
    parts,
    observeJob: metrics.observeJob,
    webhookDispatcher: createDispatcher(parts, log),
    describe,
    drain: (listeners) => {
      mounted.endStreams()
      return drain.drain(listeners)
    },
  }
}
