import { type CacheKeyStyle, cacheKeyMiddleware } from '#http/cache/cache-keys.ts'
import { cacheMiddleware } from '#http/cache/middleware.ts'
import type { ResponseCache } from '#http/cache/response-cache.ts'
import type { CodecOptions } from '#http/codec/value-codec.ts'
import type { Authentication } from '#http/declare/authentication.ts'
import type { AdmittedExchange, Exchange } from '#http/exchange/exchange.ts'
import type { Outcome, Response } from '#http/exchange/response.ts'
import { GuardChain, MiddlewareChain } from '#http/exchange/step.ts'
import type { Limits } from '#http/rate-limit/counters.ts'
import {
  countFailures,
  guessLimitMiddleware,
  loginThrottleMiddleware,
  rateLimitGuard,
  uncountNotModifiedMiddleware,
} from '#http/rate-limit/middleware.ts'
import { networkQuotaMiddleware } from '#http/rate-limit/network-quota.ts'
import type { NetworkWork } from '#http/rate-limit/network-work.ts'
import { type Load, overloadGuard } from '#http/rate-limit/overload.ts'
import type { ErrorSettings } from '#http/response/problems/response.ts'
import type { ReadReplica } from '#store/database.ts'
import type { ListReader } from '#store/list-reader.ts'
import { accessGuard } from './guards/access.ts'
import { authenticationGuard } from './guards/authentication.ts'
import { confidentialityGuard } from './guards/confidentiality.ts'
import { contentCodingGuard } from './guards/content-coding.ts'
import type { Origins } from './guards/cors.ts'
import { crossSiteGuard } from './guards/cross-site.ts'
import { languageGuard } from './guards/language.ts'
import { negotiationGuard } from './guards/negotiation.ts'
import { routeGuard } from './guards/route-guard.ts'
import { versionGuard } from './guards/version.ts'
import { claimMiddleware, storeResponseMiddleware } from './idempotency/middleware.ts'
import type { ResponseStore } from './idempotency/store.ts'
import { cacheControlMiddleware } from './middleware/cache-control.ts'
import {
  currentEntityMiddleware,
  type Preconditions,
  revalidateMiddleware,
  validatorsMiddleware,
} from './middleware/conditional.ts'
import {
  confirmCallerMiddleware,
  confirmLateCallerMiddleware,
} from './middleware/confirm-caller.ts'
import { contentLanguageMiddleware } from './middleware/content-language.ts'
import { freshSignInMiddleware } from './middleware/fresh-sign-in.ts'
import { preferMiddleware } from './middleware/prefer.ts'
import { prepareMiddleware } from './middleware/prepare.ts'
import { problemMiddleware } from './middleware/problem-response.ts'
import { changedFieldsMiddleware, newFieldsMiddleware } from './middleware/protected-fields.ts'
import { readInputMiddleware } from './middleware/read-input.ts'
import { listReaderMiddleware, replicaMiddleware } from './middleware/readers.ts'
import { receiveUploadMiddleware } from './middleware/receive-upload.ts'
import { transactionMiddleware } from './middleware/transaction.ts'

/** What limits the requests of callers and remembers responses; a missing part does nothing. */
export interface PipelineServices {
  /** Stores responses by Idempotency-Key. */
  readonly idempotency?: ResponseStore
  readonly limits?: Limits
  /** How often a login name may be tried from one network; other sign-in limits follow from it. */
  readonly loginLimits?: Limits
  readonly load?: Load
  /** What the requests of each network cost. */
  readonly work?: NetworkWork
  /** Caches responses of the catalogue for anonymous callers. */
  readonly responseCache?: ResponseCache
  /** The keys of public responses for a shared cache; none by default. */
  readonly cacheKeys?: CacheKeyStyle | undefined
}

/** The configuration of the pipeline. */
export interface PipelineOptions extends PipelineServices, Preconditions {
  readonly authentication: Authentication
  readonly origins: Origins
  readonly errors: ErrorSettings
  readonly codecOptions: CodecOptions
  /** Where reads may run; undefined without a replica. */
  readonly replica?: ReadReplica | undefined
  /** Where lists are read from a large SQLite file; undefined without one. */
  readonly listReader?: ListReader | undefined
}

/** Returns the steps of every request, in the order in which they run. */
export function orderedSteps(options: PipelineOptions) {
  const { limits, loginLimits, load, idempotency, errors } = options
  const rateLimit = rateLimitGuard(limits, load)
  return {
    /**
     * Before the body is read, cheapest first. Run again where the body turns out to hold the API
     * key.
     */
    guards: new GuardChain<Exchange>()
      .use(overloadGuard(load))
      .use(negotiationGuard)
      .use(languageGuard)
      .use(contentCodingGuard)
      .use(versionGuard)
      .use(confidentialityGuard)
      .use(crossSiteGuard(options.origins))
      .use(countFailures(authenticationGuard(options.authentication), rateLimit))
      .use(rateLimit)
      .use(accessGuard)
      .use(routeGuard),

    /** From a result or a problem to the response, outermost first. */
    response: new MiddlewareChain<AdmittedExchange, Response>()
      .use(uncountNotModifiedMiddleware)
      .use(revalidateMiddleware)
      .use(cacheMiddleware(options.responseCache))
      .use(cacheKeyMiddleware(options.cacheKeys))
      .use(cacheControlMiddleware)
      .use(preferMiddleware)
      .use(validatorsMiddleware)
      .use(contentLanguageMiddleware)
      .use(problemMiddleware(errors)),

    /** Around the handler, outermost first. A problem thrown here rolls the transaction back. */
    execution: new MiddlewareChain<AdmittedExchange, Outcome>()
      .use(receiveUploadMiddleware(options.codecOptions))
      .use(claimMiddleware(idempotency))
      .use(newFieldsMiddleware)
      .use(readInputMiddleware(options.codecOptions))
      .use(loginThrottleMiddleware(loginLimits, load))
      .use(guessLimitMiddleware(limits, load))
      .use(networkQuotaMiddleware(limits))
      .use(freshSignInMiddleware(options.authentication))
      .use(prepareMiddleware)
      .use(replicaMiddleware(options.replica))
      .use(listReaderMiddleware(options.listReader))
      .use(confirmLateCallerMiddleware(options.authentication))
      .use(transactionMiddleware)
      .use(confirmCallerMiddleware(options.authentication))
      .use(storeResponseMiddleware(idempotency))
      .use(currentEntityMiddleware(options))
      .use(changedFieldsMiddleware),
  }
}
