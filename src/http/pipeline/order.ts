import type { ResponseCache } from '#http/cache/response-cache.ts'
import { cacheResponseMiddleware } from '#http/cache/store-response.ts'
import type { CodecOptions } from '#http/codec/codec.ts'
import { contentCodingGuard } from '#http/codec/content-coding/compress.ts'
import type { Limits } from '#http/rate-limit/counters.ts'
import {
  countProblems,
  loginThrottleMiddleware,
  problemLimitGuard,
  rateLimitGuard,
} from '#http/rate-limit/middleware.ts'
import type { ErrorSettings } from '#http/response/problems/response.ts'
import type { Exchange, Guard, Middleware, Response, Step } from './exchange.ts'
import { accessGuard } from './guards/access.ts'
import { type Authentication, authenticationGuard } from './guards/authentication.ts'
import { confidentialityGuard } from './guards/confidentiality.ts'
import type { Origins } from './guards/cors.ts'
import { crossSiteGuard } from './guards/cross-site.ts'
import { negotiationGuard } from './guards/negotiation.ts'
import { type Load, overloadGuard } from './guards/overload.ts'
import { routeGuard } from './guards/route-guard.ts'
import { versionGuard } from './guards/version.ts'
import {
  idempotencyMiddleware,
  type ResponseStore,
  storeResponseMiddleware,
} from './idempotency/middleware.ts'
import { cacheControlMiddleware } from './middleware/cache-control.ts'
import {
  currentEntityMiddleware,
  type Preconditions,
  validatorsMiddleware,
} from './middleware/conditional.ts'
import { languageGuard, languageMiddleware } from './middleware/language.ts'
import { preferMiddleware } from './middleware/prefer.ts'
import { prepareBodyMiddleware } from './middleware/prepare-body.ts'
import { problemMiddleware } from './middleware/problem-response.ts'
import { changedFieldsMiddleware, newFieldsMiddleware } from './middleware/protected-fields.ts'
import { readInputMiddleware } from './middleware/read-input.ts'
import { transactionMiddleware } from './middleware/transaction.ts'

/** What keeps callers from asking for too much, or twice; where a part is missing, nothing does. */
export interface Protection {
  readonly answers?: ResponseStore
  readonly limits?: Limits
  /** How often a name may be tried from one network; the further budgets of sign-ins follow from it. */
  readonly loginLimits?: Limits
  readonly load?: Load
  /** Where answers of the catalogue are kept ready. */
  readonly responseCache?: ResponseCache
}

/** The gates of a server. */
interface Guards {
  /** Before the body is read: cheap refusals, in this order. */
  readonly before: readonly Guard[]
  /** The last of them, which judge the caller: once more where it is the body that tells who. */
  readonly ofCaller: readonly Guard[]
}

/** Every gate, in order. */
export function guards(
  authentication: Authentication,
  origins: Origins,
  { limits, load }: Protection,
): Guards {
  const known = authenticationGuard(authentication)
  const counted = limits && rateLimitGuard(limits, load)
  const ofCaller = [
    confidentialityGuard,
    crossSiteGuard(origins),
    ...(counted ? [countProblems(known, counted), counted] : [known]),
    accessGuard,
    routeGuard,
  ]
  const ofRefused = limits ? [problemLimitGuard(limits, load)] : []
  const ofRequest = [
    ...ofRefused,
    negotiationGuard,
    languageGuard,
    contentCodingGuard,
    versionGuard,
  ]
  return { before: [...(load ? [overloadGuard(load)] : []), ...ofRequest, ...ofCaller], ofCaller }
}

/**
 * Around the handler, outermost first. A refusal turns into an answer outside the transaction, so
 * that it rolls back, and inside caching, so that it is dressed like every answer.
 */
export const middleware = (
  errors: ErrorSettings,
  codecOptions: CodecOptions,
  { loginLimits, load, answers, responseCache, requireIfMatch = false }: Protection & Preconditions,
): readonly Middleware[] => [
  ...(responseCache ? [cacheResponseMiddleware(responseCache)] : []),
  cacheControlMiddleware,
  preferMiddleware,
  validatorsMiddleware,
  languageMiddleware,
  problemMiddleware(errors),
  ...(answers ? [idempotencyMiddleware(answers)] : []),
  newFieldsMiddleware,
  readInputMiddleware(codecOptions),
  ...(loginLimits ? [loginThrottleMiddleware(loginLimits, load)] : []),
  prepareBodyMiddleware,
  transactionMiddleware,
  ...(answers ? [storeResponseMiddleware(answers)] : []),
  currentEntityMiddleware({ requireIfMatch }),
  changedFieldsMiddleware,
]

/** Folds steps, first outermost, around `core`. */
export const compose = (
  steps: readonly Step[],
  core: (exchange: Exchange) => Promise<Response>,
): ((exchange: Exchange) => Promise<Response>) =>
  steps.reduceRight<(exchange: Exchange) => Promise<Response>>(
    (inner, step) => (exchange) => step(exchange, () => inner(exchange)),
    core,
  )
