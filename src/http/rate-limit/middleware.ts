import type { Actor } from '#http/declare/caller.ts'
import type { Route } from '#http/declare/operation.ts'
import type { Exchange, Guard, Middleware, OpenApiFragment, Step } from '#http/pipeline/exchange.ts'
import type { Load } from '#http/pipeline/guards/overload.ts'
import { networkOf } from '#http/server/network/client-network.ts'
import type { Allowance } from '#values/allowance.ts'
import { Problem } from '#values/problem.ts'
import type { LimitResult, Limits } from './counters.ts'
import { allowanceUnder, limitHeaders, type Quota, strict, tooMany } from './limit-headers.ts'
import { attemptKey, pairQuota } from './login-throttle.ts'

const fragment: OpenApiFragment = {
  everyHeaders: [
    'RateLimit-Policy',
    'RateLimit',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
  ],
  problems: ['4291'],
  problemHeaders: { 429: ['Retry-After'] },
}

/**
 * Counts a request against what its caller (the user, else the address) may do at this endpoint,
 * and refuses what is too much with 429. Every answer from here on tells what is left.
 */
export const rateLimitGuard = (limits: Limits, load?: Load): Guard => ({
  name: 'rate limit',
  prepare(route) {
    const charge = costFor(route, limits, load)
    return charge && { fragment, check: (exchange) => charge(exchange, callerOf(exchange)) }
  },
})

/** Charges a request to a caller; refuses with 429 what is too much. */
export type RequestCost = (limitState: LimitState, caller: string) => void | Promise<void>

/**
 * How requests of a route are charged; undefined where it has no limit. Where a charge is
 * refundable, the metered request can give it back.
 */
export function costFor(
  route: Route,
  limits: Limits,
  load: Load | undefined,
  isRefundable = false,
): RequestCost | undefined {
  const { rate, method, path } = route
  if (rate === 'unlimited' || rate === 'problems') return undefined
  const quota =
    rate === 'uploads' ? { name: 'uploads', ...strict } : { name: 'default', ...limits.usual }
  const spend = limitMeter(quota, limits, load, isRefundable)
  const endpoint = `${method} ${path} `
  return (limitState, caller) => spend(limitState, endpoint + caller)
}

/** How requests of a place that is no route of the API are charged. */
export function costAt(endpoint: string, limits: Limits, load: Load | undefined): RequestCost {
  const spend = limitMeter({ name: 'default', ...limits.usual }, limits, load)
  return (limitState, caller) => spend(limitState, `${endpoint} ${caller}`)
}

/** Counts the refused requests of a route whose others have no limit, against their network. */
export const problemLimitGuard = (limits: Limits, load?: Load): Guard => ({
  name: 'refusal limit',
  prepare({ rate, method, path }) {
    if (rate !== 'problems') return undefined
    const charge = costAt(`refused ${method} ${path}`, limits, load)
    return {
      fragment,
      check: (exchange) => {
        exchange.countProblem = () => charge(exchange, networkOf(exchange.request.ip))
      },
    }
  },
})

/** Counts a refusal; resolves to what is answered: another one, 429, where there were too many. */
export async function countedProblem<E>(
  { countProblem }: Pick<Exchange, 'countProblem'>,
  refused: E,
): Promise<E | Problem> {
  try {
    await countProblem?.()
    return refused
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** A gate, of which a refusal is counted too: against the address, for nobody else is known. */
export const countProblems = (guard: Guard, counting: Guard): Guard => ({
  name: guard.name,
  prepare(route) {
    const inner = guard.prepare(route)
    const counted = counting.prepare(route)
    if (!inner || !counted) return inner
    return {
      fragment: inner.fragment,
      check: (exchange) => {
        const pending = inner.check(exchange)
        return pending?.catch(async (error) => {
          if (error instanceof Problem) await counted.check(exchange)
          throw error
        })
      },
    }
  },
})

/**
 * Holds whoever proves who they are to a stricter limit: by address and name, so that nobody can
 * lock out somebody else.
 */
export const loginThrottleMiddleware = (limits: Limits, load?: Load): Middleware => ({
  name: 'logins',
  prepare({ rate, loginName = () => '' }) {
    if (rate !== 'credentials') return undefined
    return {
      fragment,
      step: limitAttempts(limitMeter(pairQuota(limits.usual), limits, load), loginName),
    }
  },
})

const limitAttempts =
  (spend: Meter, loginName: (body: unknown, actor: Actor) => string): Step =>
  async (exchange, next) => {
    const { request, input, actor } = exchange
    await spend(exchange, attemptKey(request.ip, loginName(input.body, actor)))
    return next()
  }

const callerOf = ({ actor, request }: Exchange): string =>
  actor.userId === null ? networkOf(request.ip) : `user ${actor.userId}`

/** A request as a meter sees it, and what the meter says of it. */
export interface LimitState extends Pick<Exchange, 'now' | 'headers'> {
  /** Gives back what the request has cost its caller. */
  refund?: () => void
}

/** Spends one request of a quota and tells what is left; refuses with 429. */
type Meter = (limitState: LimitState, key: string) => void | Promise<void>

function limitMeter(
  quota: Quota,
  { counters }: Limits,
  load: Load | undefined,
  isRefundable = false,
): Meter {
  const tell = limitHeaders(quota)
  const judge = (
    limitState: LimitState,
    key: string,
    allowance: Allowance,
    limitResult: LimitResult,
  ): void => {
    const { now } = limitState
    limitState.headers = tell(limitResult, allowance.limit, now)
    if (!limitResult.allowed) throw tooMany(quota, limitResult)
    if (!isRefundable) return
    limitState.refund = () => {
      // Nobody waits for it: what the answer tells is known.
      void counters.spend(key, allowance, -1, now)
      const remaining = Math.min(allowance.limit, limitResult.remaining + 1)
      limitState.headers = tell({ ...limitResult, remaining }, allowance.limit, now)
    }
  }
  return (limitState, key) => {
    const allowance = allowanceUnder(load, quota)
    const limitResult = counters.spend(key, allowance, 1, limitState.now)
    if (!(limitResult instanceof Promise)) return judge(limitState, key, allowance, limitResult)
    return limitResult.then((known) => judge(limitState, key, allowance, known))
  }
}
