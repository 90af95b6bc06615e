import { accessGate } from './access.ts'
import { type Authentication, authenticationGate } from './authentication.ts'
import { beforehandStage } from './beforehand.ts'
import { cachingStage } from './caching.ts'
import { currentStage, validatorsStage } from './conditional.ts'
import type { ErrorSettings } from './errors.ts'
import type { Answer, Exchange, Gate, Stage, Step } from './exchange.ts'
import { refusalStage } from './refusals.ts'
import { transactionStage } from './transaction.ts'

/** Before the body is read: cheap refusals, in this order. */
export const gates = (authentication: Authentication): readonly Gate[] => [
  authenticationGate(authentication),
  accessGate,
]

/**
 * Around the handler, outermost first. A refusal turns into an answer outside the transaction, so
 * that it rolls back, and inside caching, so that it is dressed like every answer.
 */
export const stages = (errors: ErrorSettings): readonly Stage[] => [
  cachingStage,
  validatorsStage,
  refusalStage(errors),
  beforehandStage,
  transactionStage,
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
