import type { Authentication } from '#kernel/authentication.ts'
import type { Patience, Unread } from '#kernel/client-errors.ts'
import type { Preconditions } from '#kernel/conditional.ts'
import type { Origins } from '#kernel/cors.ts'
import type { ErrorShape } from '#kernel/errors.ts'
import type { ForeignRoute } from '#kernel/foreign.ts'
import type { AnswerKeeper, RequestSealer } from '#kernel/idempotency.ts'
import { type Mounted, mount } from '#kernel/mount.ts'
import { describe, type OpenApi } from '#kernel/openapi.ts'
import type { Passage } from '#kernel/passage.ts'
import type { Protection } from '#kernel/pipeline.ts'
import { ReadyAnswers } from '#kernel/ready/answers.ts'
import { operationsIn } from '#kernel/reshape.ts'
import type { Served } from '#kernel/served.ts'
import type { Parts } from '#resources/parts.ts'
import type { Till } from '#resources/payments/acts.ts'
import { fixedWindow } from '#src/limits/fixed-window.ts'
import { memoryCounters } from '#src/limits/memory-counters.ts'
import { documentationRoutes, information } from '#src/operations/documentation.ts'
import { operationsRoutes } from '#src/operations/health.ts'
import type { LogAddresses } from '#src/operations/log-addresses.ts'
import { type Log, logServed, logUnread } from '#src/operations/logging.ts'
import { type Metrics, openMetrics } from '#src/operations/metrics.ts'
import { type Drain, drainable } from '#src/operations/shutdown.ts'
import type { Store } from '#store/database.ts'
import { isUnavailable } from '#store/errors.ts'
import { keptAnswers } from '#store/idempotency.ts'
import { retrying } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { holdings } from './holdings.ts'
import { allRoutes } from './resources.ts'

/** Everything the application is composed of. */
export interface Composition extends Omit<Protection, 'answers' | 'ready'>, Preconditions {
  readonly store: Store
  readonly parts: Parts
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
  readonly patience?: Patience
  /** Places whose answers follow another specification, such as those of OAuth. */
  readonly foreign?: readonly ForeignRoute[]
  /** On which ways requests may come in; any, and no proxy is believed, by default. */
  readonly passage?: Passage
  readonly log?: Log
  /** How much of a client's address the log holds; the network by default. */
  readonly logAddresses?: LogAddresses
  /** What measurements are asked for with; without, they are for this machine alone. */
  readonly metricsToken?: string | undefined
  /** How many bytes of memory answers of the catalogue are kept ready in; none by default. */
  readonly readyBytes?: number
}

/** A composed application, and how it comes to rest. */
export interface App extends Mounted {
  readonly drain: Drain['drain']
  /** What pays and settles; the jobs use it too. */
  readonly till: Till
  /** Tells what the application offers as an OpenAPI 3.1 document. */
  readonly describe: (version?: number) => OpenApi
}

/** Keeps answers of the catalogue ready, and lets them go by what the store says has changed. */
function openReady({ changes }: Store, mostBytes: number): ReadyAnswers | undefined {
  if (mostBytes === 0) return undefined
  const ready = new ReadyAnswers({ mostBytes, isHeard: () => changes.isHeard() })
  changes.follow((change) => ready.drop(change))
  return ready
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
  observeUnread: (unread: Unread) => {
    metrics.observeUnread(unread)
    if (log) logUnread(log, unread, logAddresses)
  },
})

const answerKeeper = (sealer: RequestSealer): AnswerKeeper => ({
  ...keptAnswers,
  ...sealer,
  keptBytes: memoryCounters(fixedWindow),
})

/** Composes the application; tests build the same one. */
export function buildApp(composition: Composition): App {
  const { store, parts, authentication, clock, linksField, errorShape, log } = composition
  const { limits, loginLimits, load, metricsToken, defaultVersion = 1 } = composition
  const metrics = openMetrics(store)
  const ready = openReady(store, composition.readyBytes ?? 0)
  const transaction = retrying(store)
  const { provider, callbackUrl, shop } = parts
  const till = { transaction, provider, callbackUrl, clock }
  const isStopping = () => drain.isStopping()
  const { currency, currencyDigits } = shop
  const dress = { version: defaultVersion, currency, currencyDigits, linksField }
  const describeApi = (version = defaultVersion) =>
    describe(operationsIn(version, mounted.operations), {
      dress: { ...dress, version },
      errorShape,
      security: authentication.security ?? {},
      info: information,
      server: version === defaultVersion ? '/' : `/v${version}`,
    })
  const mounted = mount({
    routes: [
      ...allRoutes(parts, till, holdings),
      ...operationsRoutes({ store, metrics, isStopping, metricsToken }),
      ...documentationRoutes(describeApi),
    ],
    foreign: composition.foreign ?? [],
    db: store.db,
    transaction,
    authentication,
    dress,
    errors: { shape: errorShape, baseUrl: composition.baseUrl ?? '' },
    clock,
    answers: answerKeeper(composition.sealer),
    ...(limits ? { limits } : {}),
    ...(loginLimits ? { loginLimits } : {}),
    ...(load ? { load } : {}),
    ...(ready ? { ready } : {}),
    ...(composition.patience ? { patience: composition.patience } : {}),
    ...(composition.passage ? { passage: composition.passage } : {}),
    origins: composition.origins ?? [],
    requireIfMatch: composition.requireIfMatch ?? false,
    ...(log ? { logger: log } : {}),
    ...observers(metrics, composition),
    isUnavailable,
  })
  const drain = drainable(mounted.app.server)
  return { ...mounted, till, describe: describeApi, drain: drain.drain }
}
