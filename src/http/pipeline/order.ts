import type { ReadyAnswers } from '#http/cache/response-cache.ts'
import { readyStage } from '#http/cache/store-response.ts'
import type { Dialect } from '#http/codec/codec.ts'
import { codingGate } from '#http/codec/content-coding/compress.ts'
import type { Limits } from '#http/rate-limit/counters.ts'
import {
  attemptStage,
  countRefusals,
  rateLimitGate,
  refusalLimitGate,
} from '#http/rate-limit/middleware.ts'
import type { ErrorSettings } from '#http/response/problems/response.ts'
import type { Answer, Exchange, Gate, Stage, Step } from './exchange.ts'
import { accessGate } from './guards/access.ts'
import { type Authentication, authenticationGate } from './guards/authentication.ts'
import { confidentialityGate } from './guards/confidentiality.ts'
import type { Origins } from './guards/cors.ts'
import { crossSiteGate } from './guards/cross-site.ts'
import { negotiationGate } from './guards/negotiation.ts'
import { type Load, overloadGate } from './guards/overload.ts'
import { guardGate } from './guards/route-guard.ts'
import { versionGate } from './guards/version.ts'
import {
  type AnswerKeeper,
  answerKeepingStage,
  idempotencyStage,
} from './idempotency/middleware.ts'
import { cachingStage } from './middleware/cache-control.ts'
import { currentStage, type Preconditions, validatorsStage } from './middleware/conditional.ts'
import { languageGate, languageStage } from './middleware/language.ts'
import { preferStage } from './middleware/prefer.ts'
import { beforehandStage } from './middleware/prepare-body.ts'
import { refusalStage } from './middleware/problem-response.ts'
import { changedFieldsStage, newFieldsStage } from './middleware/protected-fields.ts'
import { readingStage } from './middleware/read-input.ts'
import { transactionStage } from './middleware/transaction.ts'

/** What keeps callers from asking for too much, or twice; where a part is missing, nothing does. */
export interface Protection {
  readonly answers?: AnswerKeeper
  readonly limits?: Limits
  /** How often a name may be tried from one network; the further budgets of sign-ins follow from it. */
  readonly loginLimits?: Limits
  readonly load?: Load
  /** Where answers of the catalogue are kept ready. */
  readonly ready?: ReadyAnswers
}

/** The gates of a server. */
interface Gates {
  /** Before the body is read: cheap refusals, in this order. */
  readonly before: readonly Gate[]
  /** The last of them, which judge the caller: once more where it is the body that tells who. */
  readonly ofCaller: readonly Gate[]
}

/** Every gate, in order. */
export function gates(
  authentication: Authentication,
  origins: Origins,
  { limits, load }: Protection,
): Gates {
  const known = authenticationGate(authentication)
  const counted = limits && rateLimitGate(limits, load)
  const ofCaller = [
    confidentialityGate,
    crossSiteGate(origins),
    ...(counted ? [countRefusals(known, counted), counted] : [known]),
    accessGate,
    guardGate,
  ]
  const ofRefused = limits ? [refusalLimitGate(limits, load)] : []
  const ofRequest = [...ofRefused, negotiationGate, languageGate, codingGate, versionGate]
  return { before: [...(load ? [overloadGate(load)] : []), ...ofRequest, ...ofCaller], ofCaller }
}

/**
 * Around the handler, outermost first. A refusal turns into an answer outside the transaction, so
 * that it rolls back, and inside caching, so that it is dressed like every answer.
 */
export const stages = (
  errors: ErrorSettings,
  dialect: Dialect,
  { loginLimits, load, answers, ready, requireIfMatch = false }: Protection & Preconditions,
): readonly Stage[] => [
  ...(ready ? [readyStage(ready)] : []),
  cachingStage,
  preferStage,
  validatorsStage,
  languageStage,
  refusalStage(errors),
  ...(answers ? [idempotencyStage(answers)] : []),
  newFieldsStage,
  readingStage(dialect),
  ...(loginLimits ? [attemptStage(loginLimits, load)] : []),
  beforehandStage,
  transactionStage,
  ...(answers ? [answerKeepingStage(answers)] : []),
  currentStage({ requireIfMatch }),
  changedFieldsStage,
]

/** Folds steps, first outermost, around `core`. */
export const compose = (
  steps: readonly Step[],
  core: (exchange: Exchange) => Promise<Answer>,
): ((exchange: Exchange) => Promise<Answer>) =>
  steps.reduceRight<(exchange: Exchange) => Promise<Answer>>(
    (inner, step) => (exchange) => step(exchange, () => inner(exchange)),
    core,
  )
