import { accessGate } from './access.ts'
import { type Authentication, authenticationGate } from './authentication.ts'
import { beforehandStage } from './beforehand.ts'
import { cachingStage } from './caching.ts'
import { codingGate } from './compression.ts'
import { currentStage, validatorsStage } from './conditional.ts'
import type { ErrorSettings } from './errors.ts'
import type { Answer, Exchange, Gate, Stage, Step } from './exchange.ts'
import { type AnswerKeeper, answerKeepingStage, idempotencyStage } from './idempotency.ts'
import { negotiationGate } from './negotiation.ts'
import { type Load, overloadGate } from './overload.ts'
import { preferStage } from './prefer.ts'
import { countRefusals, type Limits, rateLimitGate, rateLimitStage } from './rate-limit.ts'
import { refusalStage } from './refusals.ts'
import { transactionStage } from './transaction.ts'
import { versionGate } from './version.ts'

/** What keeps callers from asking for too much, or twice; where a part is missing, nothing does. */
export interface Protection {
  readonly answers?: AnswerKeeper
  readonly limits?: Limits
  readonly load?: Load
}

/** Before the body is read: cheap refusals, in this order. */
export function gates(
  authentication: Authentication,
  { limits, load }: Protection,
): readonly Gate[] {
  const known = authenticationGate(authentication)
  const counted = limits && rateLimitGate(limits, load)
  return [
    ...(load ? [overloadGate(load)] : []),
    negotiationGate,
    codingGate,
    versionGate,
    ...(counted ? [countRefusals(known, counted), counted] : [known]),
    accessGate,
  ]
}

/**
 * Around the handler, outermost first. A refusal turns into an answer outside the transaction, so
 * that it rolls back, and inside caching, so that it is dressed like every answer.
 */
export const stages = (
  errors: ErrorSettings,
  { limits, load, answers }: Protection,
): readonly Stage[] => [
  ...(limits ? [rateLimitStage(limits, load)] : []),
  cachingStage,
  preferStage,
  validatorsStage,
  refusalStage(errors),
  ...(answers ? [idempotencyStage(answers)] : []),
  beforehandStage,
  transactionStage,
  ...(answers ? [answerKeepingStage(answers)] : []),
  currentStage,
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
