import type { TProperties } from 'typebox'
import type { Scope } from '#http/declare/actor.ts'
import type { Route } from '#http/declare/route.ts'
import type { HeaderName } from '#http/message/header-fields.ts'
import type { ErrorCode } from '#i18n/error-codes.ts'

/** What one step enforces of an operation, as its part of the OpenAPI document. */
export interface OpenApiFragment {
  readonly requestHeaders?: readonly HeaderName[]
  /** Header fields that responses of all operations have alike; documented once, at the root. */
  readonly commonHeaders?: readonly HeaderName[]
  /** As `commonHeaders`, in an API version that is deprecated. */
  readonly deprecationHeaders?: readonly HeaderName[]
  /** Header fields of responses below 400. */
  readonly responseHeaders?: readonly HeaderName[]
  readonly query?: TProperties
  /** The media types of the response. */
  readonly responseTypes?: readonly string[]
  /** The media types of the body. */
  readonly bodyTypes?: readonly string[]
  readonly problems?: readonly ErrorCode[]
  /** Header fields of the problems of a status. */
  readonly problemHeaders?: Readonly<Record<number, readonly HeaderName[]>>
  /** Further statuses without a body, with their descriptions. */
  readonly statuses?: Readonly<Record<number, string>>
  /** The scopes that a credential must have. */
  readonly requiredScopes?: readonly Scope[]
  /** Security schemes that the route accepts instead of those of users. */
  readonly security?: Readonly<Record<string, object>>
  /** A sentence on who may call; everybody by default. */
  readonly accessDescription?: string
}

// A step that adds something later steps need cannot be left out of a route.
type Skipped<In, Adds> = Adds extends object ? (In extends Adds ? undefined : never) : undefined

/**
 * A check before the body is read. Returns what it found for later steps, or throws a Problem.
 * `prepare` runs once per route; undefined where the guard does not apply to it.
 */
export interface Guard<In, Adds = void> {
  readonly name: string
  readonly prepare: (route: Route) => PreparedGuard<In, Adds> | Skipped<In, Adds>
}

/** A guard for one route. */
export interface PreparedGuard<In, Adds = void> {
  readonly check: (exchange: In) => Adds | Promise<Adds>
  readonly fragment: OpenApiFragment
}

/**
 * A step around all later ones. Passes what it found to `next`, and may change the result.
 * `prepare` runs once per route; undefined where the step does not apply to it.
 */
export interface Middleware<In, Adds, Result> {
  readonly name: string
  readonly prepare: (route: Route) => PreparedMiddleware<In, Adds, Result> | Skipped<In, Adds>
}

/** A middleware for one route. */
export interface PreparedMiddleware<In, Adds, Result> {
  readonly run: (exchange: In, next: (adds: Adds) => Promise<Result>) => Promise<Result>
  readonly fragment: OpenApiFragment
}

type Plus<Out, Adds> = Adds extends object ? Out & Adds : Out
type AnyGuard = Guard<never, unknown>
type AnyMiddleware = Middleware<never, unknown, unknown>

/** Guards in order; each may rely on what those before it added. */
export class GuardChain<In extends object, Out extends In = In> {
  readonly #guards: readonly AnyGuard[]

  constructor(guards: readonly AnyGuard[] = []) {
    this.#guards = guards
  }

  use<Adds>(guard: Guard<Out, Adds>): GuardChain<In, Plus<Out, Adds> & In> {
    return new GuardChain([...this.#guards, guard as unknown as AnyGuard])
  }

  /**
   * Compiles the guards of a route. `run` adds what they find to the exchange itself, so that what
   * is found before a problem is known, and returns it; at once where no guard has to wait.
   */
  prepare(route: Route): {
    readonly run: (exchange: In) => Out | Promise<Out>
    readonly fragments: readonly OpenApiFragment[]
  } {
    const prepared = this.#guards.flatMap((guard) => guard.prepare(route) ?? [])
    const checks = prepared.map(({ check }) => check as (exchange: object) => unknown)
    return {
      run: (exchange) => runChecks(checks, exchange, 0) as Out | Promise<Out>,
      fragments: prepared.map(({ fragment }) => fragment),
    }
  }
}

function runChecks(
  checks: readonly ((exchange: object) => unknown)[],
  exchange: object,
  from: number,
): object | Promise<object> {
  for (let at = from; at < checks.length; at++) {
    const added = checks[at]?.(exchange)
    if (added instanceof Promise) {
      return added.then((found) => runChecks(checks, Object.assign(exchange, found), at + 1))
    }
    Object.assign(exchange, added)
  }
  return exchange
}

const plus = (exchange: object, added: unknown): object =>
  added === undefined ? exchange : { ...exchange, ...(added as object) }

/** Middleware in order, outermost first; each may rely on what those before it added. */
export class MiddlewareChain<In extends object, Result, Out extends In = In> {
  readonly #steps: readonly AnyMiddleware[]

  constructor(steps: readonly AnyMiddleware[] = []) {
    this.#steps = steps
  }

  use<Adds>(
    step: Middleware<Out, Adds, Result>,
  ): MiddlewareChain<In, Result, Plus<Out, Adds> & In> {
    return new MiddlewareChain([...this.#steps, step as unknown as AnyMiddleware])
  }

  /** Compiles the middleware of a route around `core`. */
  prepare(
    route: Route,
    core: (exchange: Out) => Promise<Result>,
  ): {
    readonly run: (exchange: In) => Promise<Result>
    readonly fragments: readonly OpenApiFragment[]
  } {
    const prepared = this.#steps.flatMap((step) => step.prepare(route) ?? [])
    const run = prepared.reduceRight<(exchange: object) => Promise<unknown>>(
      (inner, { run }) =>
        (exchange) =>
          run(exchange as never, (added) => inner(plus(exchange, added))),
      core as (exchange: object) => Promise<unknown>,
    )
    return {
      run: run as (exchange: In) => Promise<Result>,
      fragments: prepared.map(({ fragment }) => fragment),
    }
  }
}
