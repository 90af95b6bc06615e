import type { Authentication } from '#kernel/authentication.ts'
import type { Patience } from '#kernel/client-errors.ts'
import type { Origins } from '#kernel/cors.ts'
import type { ErrorShape } from '#kernel/errors.ts'
import type { Sealer } from '#kernel/idempotency.ts'
import { type Mounted, mount } from '#kernel/mount.ts'
import { describe, type OpenApi } from '#kernel/openapi.ts'
import type { Protection } from '#kernel/pipeline.ts'
import type { Trust } from '#kernel/proxies.ts'
import { operationsIn } from '#kernel/reshape.ts'
import type { Parts } from '#resources/parts.ts'
import type { Till } from '#resources/payments/acts.ts'
import { documentationRoutes, information } from '#src/operations/documentation.ts'
import { operationsRoutes } from '#src/operations/health.ts'
import { type Log, logServed } from '#src/operations/logging.ts'
import { openMetrics } from '#src/operations/metrics.ts'
import { type Drain, drainable } from '#src/operations/shutdown.ts'
import type { Store } from '#store/database.ts'
import { isUnavailable } from '#store/errors.ts'
import { keptAnswers } from '#store/idempotency.ts'
import { retrying } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { allRoutes } from './resources.ts'

/** Everything the application is composed of. */
export interface Composition extends Protection {
  readonly store: Store
  readonly parts: Parts
  readonly authentication: Authentication
  readonly sealer: Sealer
  readonly clock: () => Instant
  readonly linksField: '_links' | 'links'
  readonly errorShape: ErrorShape
  /** The version of the API where a request names none; the first by default. */
  readonly defaultVersion?: number
  /** Whose pages may use the API; nobody's by default. */
  readonly origins?: Origins
  /** How long clients may take; the usual time by default. */
  readonly patience?: Patience
  /** Which proxies are believed, and whom they bring over plain HTTP; none by default. */
  readonly proxies?: { readonly trusts: Trust; readonly plain: 'loopback' | 'redirect' }
  readonly log?: Log
}

/** A composed application, and how it comes to rest. */
export interface App extends Mounted {
  readonly drain: Drain['drain']
  /** What pays and settles; the jobs use it too. */
  readonly till: Till
  /** Tells what the application offers as an OpenAPI 3.1 document. */
  readonly describe: (version?: number) => OpenApi
}

/** Composes the application; tests build the same one. */
export function buildApp(composition: Composition): App {
  const { store, parts, authentication, clock, linksField, errorShape, log } = composition
  const { limits, load, defaultVersion = 1 } = composition
  const metrics = openMetrics(store)
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
      ...allRoutes(parts, till),
      ...operationsRoutes({ store, metrics, isStopping }),
      ...documentationRoutes(describeApi),
    ],
    db: store.db,
    transaction,
    authentication,
    dress,
    errors: { shape: errorShape },
    clock,
    answers: { ...keptAnswers, ...composition.sealer },
    ...(limits ? { limits } : {}),
    ...(load ? { load } : {}),
    ...(composition.patience ? { patience: composition.patience } : {}),
    ...(composition.proxies ? { proxies: composition.proxies } : {}),
    origins: composition.origins ?? [],
    ...(log ? { logger: log } : {}),
    observe: (served) => {
      metrics.observe(served)
      if (log) logServed(log, served)
    },
    isUnavailable,
  })
  const drain = drainable(mounted.app.server)
  return { ...mounted, till, describe: describeApi, drain: drain.drain }
}
