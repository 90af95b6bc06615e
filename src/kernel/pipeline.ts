import { accessGate } from './access.ts'
import { type Authentication, authenticationGate } from './authentication.ts'
import { beforehandStage } from './beforehand.ts'
import { cachingStage } from './caching.ts'
import type { Dialect } from './codec.ts'
import { codingGate } from './compression.ts'
import { currentStage, type Preconditions, validatorsStage } from './conditional.ts'
import { confidentialityGate } from './confidentiality.ts'
import type { Origins } from './cors.ts'
import type { Limits } from './counters.ts'
import { crossSiteGate } from './cross-site.ts'
import type { ErrorSettings } from './error-answer.ts'
import type { Answer, Exchange, Gate, Stage, Step } from './exchange.ts'
import { guardGate } from './guard.ts'
import { type AnswerKeeper, answerKeepingStage, idempotencyStage } from './idempotency.ts'
import { languageGate, languageStage } from './language.ts'
import { negotiationGate } from './negotiation.ts'
import { type Load, overloadGate } from './overload.ts'
import { preferStage } from './prefer.ts'
import { changedFieldsStage, newFieldsStage } from './protected-fields.ts'
import { attemptStage, countRefusals, rateLimitGate, refusalLimitGate } from './rate-limit.ts'
import { readingStage } from './reading.ts'
import type { ReadyAnswers } from './ready/answers.ts'
import { readyStage } from './ready/keep.ts'
import { refusalStage } from './refusals.ts'
import { transactionStage } from './transaction.ts'
import { versionGate } from './version.ts'

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
