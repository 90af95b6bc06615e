import type { Authentication } from '#kernel/authentication.ts'
import type { ErrorShape } from '#kernel/errors.ts'
import { type Mounted, mount } from '#kernel/mount.ts'
import { describe, type OpenApi } from '#kernel/openapi.ts'
import type { Protection } from '#kernel/pipeline.ts'
import type { Parts } from '#resources/parts.ts'
import type { Till } from '#resources/payments/acts.ts'
import { documentationRoutes, information } from '#src/operations/documentation.ts'
import { operationsRoutes } from '#src/operations/health.ts'
import { type Log, logServed } from '#src/operations/logging.ts'
import { openMetrics } from '#src/operations/metrics.ts'
import { type Drain, drainable } from '#src/operations/shutdown.ts'
import type { Store } from '#store/database.ts'
import { isUnavailable } from '#store/errors.ts'
import { retrying } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { allRoutes } from './resources.ts'

/** Everything the application is composed of. */
export interface Composition extends Protection {
  readonly store: Store
  readonly parts: Parts
  readonly authentication: Authentication
  readonly clock: () => Instant
  readonly linksField: '_links' | 'links'
  readonly errorShape: ErrorShape
  /** The version of the API where a request names none; the first by default. */
  readonly defaultVersion?: number
  readonly log?: Log
}

/** A composed application, and how it comes to rest. */
export interface App extends Mounted {
  readonly drain: Drain['drain']
  /** What pays and settles; the jobs use it too. */
  readonly till: Till
  /** Tells what the application offers as an OpenAPI 3.1 document. */
  readonly describe: () => OpenApi
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
  const describeApi = () =>
    describe(mounted.operations, {
      dress,
      errorShape,
      security: authentication.security ?? {},
      info: information,
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
    ...(limits ? { limits } : {}),
    ...(load ? { load } : {}),
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
