import type { Static, TObject } from 'typebox'
import type { ErrorCode } from '#i18n/error-codes.ts'
import type { Quota } from '#values/allowance.ts'
import type { Actor } from './actor.ts'
import type { Context } from './context.ts'
import type { AccessPolicy, RateLimitPolicy, RouteGuard } from './policy.ts'
import type { AfterCommit } from './results.ts'

/** A group of operations in the OpenAPI document. */
export interface Tag {
  readonly name: string
  readonly description: string
}

/** What every operation declares. */
export interface OperationOptions {
  /**
   * The OpenAPI `operationId`: a verb and what it acts on, unique. By default it follows from the
   * kind and the name of the resource, such as `getProduct`.
   */
  readonly operationId?: string
  /** The OpenAPI summary: one sentence, in the third person. */
  readonly summary: string
  /** What the OpenAPI description says before who may use the operation: whole sentences. */
  readonly description?: string
  /** Who may use the operation. */
  readonly access: AccessPolicy
  /** The fields of the body that prove the caller's own password; the handler gets `provedHash`. */
  readonly passwordFields?: readonly string[]
  /**
   * True where a caller who signed in by password must have done so within ten minutes, or prove the
   * password again; 403/4031. The links to the operation are shown without.
   */
  readonly needsFreshSignIn?: (caller: Actor, params: Readonly<Record<string, number>>) => boolean
  /** How often a caller may use it. */
  readonly rateLimit: RateLimitPolicy
  /** How often callers of one network, of IPv6 a site, may do it in all; failures and administrators do not count. */
  readonly networkQuota?: Quota
  /** A check of the request beside `access`. */
  readonly guard?: RouteGuard
  /** The codes of problems that the handler throws; those of the pipeline are known. */
  readonly problems?: readonly ErrorCode[]
  /**
   * The clients that are not redirected to HTTPS, whatever the HTTPS policy: `anybody` for health
   * checks, `loopback` for a process on this machine.
   */
  readonly allowPlainHttpFrom?: 'anybody' | 'loopback'
}

export type HandlerResult<R> = Promise<R | AfterCommit<R>>

/**
 * `one`: the handler runs in one transaction, again after a conflict with a concurrent one, so it
 * must have no effect but on the database. `own`: the handler opens transactions itself, because it
 * has slow work between them; such an operation accepts no Idempotency-Key.
 */
export type TransactionMode = 'one' | 'own'

export interface BodyOptions<B extends TObject, V> {
  /**
   * Does slow work for the validated body, such as hashing a password, before the transaction
   * begins. The handler gets the result as `prepared`. What is read from the database here may be
   * stale.
   */
  readonly prepare?: (
    body: Static<B>,
    ctx: Context,
    params: Readonly<Record<string, number>>,
  ) => Promise<V>
  /** The login name that a request tries; sign-ins with the rate `credentials` count per name. */
  readonly loginName?: (body: Static<B>, actor: Actor) => string
  /**
   * True if the caller may be guessing what the body names, such as a code. Guesses that are rejected
   * are limited per caller, over all operations together.
   */
  readonly isGuess?: (body: Static<B>) => boolean
}

/** How a POST or PATCH handles `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07). */
export interface IdempotencyOptions<R> {
  /** False if a stored response must not be sent again: the field is ignored. True by default. */
  readonly acceptsIdempotencyKey?: boolean
  /**
   * Finds the result of an `AfterCommit` whose process ended before its response was stored, by its
   * `subject`. Throws the Problem of work that failed. Returns undefined for work that had no effect
   * and never will; the handler then runs again. Without it, such a request is 409/4094.
   */
  readonly resumeResult?: (ctx: Context, subject: number) => Promise<R | undefined>
}
