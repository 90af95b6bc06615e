import { type Actor, anonymous } from '#http/declare/actor.ts'
import type { Route } from '#http/declare/route.ts'
import { requireConfirmed } from '#http/exchange/confirmation.ts'
import type {
  AdmittedExchange,
  AuthenticatedExchange,
  Exchange,
  NegotiatedExchange,
  ValidatedExchange,
} from '#http/exchange/exchange.ts'
import type { Outcome, Response } from '#http/exchange/response.ts'
import type { Guard, Middleware } from '#http/exchange/step.ts'
import { acceptsAnyCopy } from '#http/message/any-copy.ts'
import { networkOf } from '#http/message/client-network.ts'
import type { Allowance, Quota } from '#values/allowance.ts'
import { Problem } from '#values/problem.ts'
import {
  callerKey,
  isStranger,
  type LimitResult,
  type Limits,
  networkKey,
  strangerKey,
} from './counters.ts'
import {
  allowanceUnder,
  guessAllowance,
  limitFragment,
  limitHeaders,
  spendQuota,
  tooManyRequestsProblem,
  uploadAllowance,
} from './limit-headers.ts'
import { attemptKey, pairQuota } from './login-throttle.ts'
import type { Load } from './overload.ts'

/** The parts of a request that a limit needs. */
export interface LimitTarget extends Pick<Exchange, 'now' | 'responseHeaders'> {
  readonly request: { readonly ip: string }
}

type LimitedCaller = LimitTarget & Pick<AuthenticatedExchange, 'actor'>
type Identity = Pick<AuthenticatedExchange, 'actor' | 'ctx' | 'confirmation'>
type Uncount = () => void
type CountedRequest = Pick<AdmittedExchange, 'uncount'>

/**
 * Counts one request of a key and sets the limit headers. Returns a function that takes the
 * request out of the count; throws 429/4291 over the limit.
 */
type Spend = (limited: LimitTarget, key: string) => Uncount | Promise<Uncount>

const unlimited: CountedRequest = { uncount: undefined }

/**
 * Limits the requests per caller (a credential with its own limit, else the user, else the network) and
 * route, and of all users of a network; throws 429/4291.
 */
export const rateLimitGuard = (
  limits: Limits | undefined,
  load: Load | undefined,
): Guard<LimitedCaller, CountedRequest> => ({
  name: 'rate limit',
  prepare({ rateLimit, method, path }) {
    if (!limits || rateLimit === 'unlimited' || rateLimit === 'problems') {
      return { fragment: {}, check: () => unlimited }
    }
    const quota =
      rateLimit === 'uploads'
        ? { name: 'uploads', ...uploadAllowance }
        : { name: 'default', ...limits.defaultAllowance }
    const spend = spender(quota, limits, load)
    const share = networkSharer(quota, limits, requestShares)
    return {
      fragment: limitFragment,
      check: (exchange) => {
        const own = rateLimit === 'uploads' ? undefined : exchange.actor.credential?.rateLimit
        if (own?.allowance === 'off') return unlimited
        const spendOwn = own ? spender({ name: 'key', ...own.allowance }, limits, load) : spend
        const counter = own?.counter ?? callerKey(exchange)
        const uncount = spendOwn(exchange, `${method} ${path} ${counter}`)
        // What administrators allow a key does not depend on where its requests come from.
        const isOwn = own !== undefined && !isStranger(exchange)
        const unshare = isOwn ? noop : share(exchange, `${method} ${path}`)
        if (!(uncount instanceof Promise) && !(unshare instanceof Promise)) {
          return counted(uncount, unshare)
        }
        return Promise.all([uncount, unshare]).then((known) => counted(...known))
      },
    }
  },
})

/**
 * How many users' allowances the users of one network have together: its strangers, and all others, of
 * whom an office may have many behind one address. Without a number they count otherwise.
 */
interface NetworkShares {
  readonly strangers?: number
  readonly users: number
}

const requestShares: NetworkShares = { strangers: 10, users: 50 }
/** Guesses of strangers count for the network alone. */
const guessShares: NetworkShares = { users: 10 }

const noop: Uncount = () => undefined

const counted = (...uncounts: readonly Uncount[]): CountedRequest => ({
  uncount: () => {
    for (const uncount of uncounts) uncount()
  },
})

/**
 * Compiles what counts a request of a user for the network too; throws 429/4291. A caller without a user
 * is counted as a network anyway.
 */
function networkSharer(quota: Quota, limits: Limits, { strangers, users }: NetworkShares) {
  return (limited: LimitedCaller, counter: string): Uncount | Promise<Uncount> => {
    const times = isStranger(limited) ? strangers : users
    if (limited.actor.userId === null || times === undefined) return noop
    const shared = { ...quota, limit: quota.limit * times }
    const key = `${counter} ${networkKey(limited)}`
    const giveBack = () => void limits.counters.spend(key, shared, -1, limited.now)
    const spent = spendQuota(limits, shared, key, limited.now)
    return spent instanceof Promise ? spent.then(() => giveBack) : giveBack
  }
}

/** Takes a 304 out of the count of its caller, unless any copy would do: then it has not been paid for. */
export const uncountNotModifiedMiddleware: Middleware<AdmittedExchange, void, Response> = {
  name: 'uncount not modified',
  prepare: ({ method }) =>
    method === 'GET'
      ? {
          fragment: {},
          run: async ({ uncount, request, now }, next) => {
            const response = await next()
            if (response.status === 304 && !acceptsAnyCopy(request.headers, now)) uncount?.()
            return response
          },
        }
      : undefined,
}

/** Limits the requests of a raw route, per network; throws 429/4291. */
export function limitEndpoint(
  endpoint: string,
  limits: Limits,
  load: Load | undefined,
): (limited: LimitTarget) => Promise<void> {
  const spend = spender({ name: 'default', ...limits.defaultAllowance }, limits, load)
  return async (limited) => {
    await spend(limited, `${endpoint} ${networkOf(limited.request.ip)}`)
  }
}

/** Limits the problem responses of a route without another limit, per network. */
export function compileProblemLimit(
  { rateLimit, method, path }: Route,
  limits: Limits | undefined,
  load: Load | undefined,
) {
  if (!limits || rateLimit !== 'problems') return undefined
  return {
    fragment: limitFragment,
    count: limitEndpoint(`rejected ${method} ${path}`, limits, load),
  }
}

/** Counts a problem response. Returns the problem to send: 429/4291 if there were too many. */
export async function countedProblem<E>(
  { countProblem }: Pick<Exchange, 'countProblem'>,
  thrown: E,
): Promise<E | Problem> {
  try {
    await countProblem()
    return thrown
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** Counts a request whose authentication fails in the rate limit of its network. */
export const countFailures = (
  guard: Guard<NegotiatedExchange, Identity>,
  counter: Guard<LimitedCaller, CountedRequest>,
): Guard<NegotiatedExchange, Identity> => ({
  name: guard.name,
  prepare(route) {
    const { fragment, check } = guard.prepare(route)
    const { check: count } = counter.prepare(route)
    const countFailure = async (exchange: NegotiatedExchange, error: unknown): Promise<never> => {
      if (error instanceof Problem) await count({ ...exchange, actor: anonymous })
      throw error
    }
    return {
      fragment,
      check: (exchange) => {
        try {
          const found = check(exchange)
          if (!(found instanceof Promise)) return found
          return found.catch((error) => countFailure(exchange, error))
        } catch (error) {
          return countFailure(exchange, error)
        }
      },
    }
  },
})

/** Limits sign-ins per network and login name, so that no caller can lock out another. */
export const loginThrottleMiddleware = (
  limits: Limits | undefined,
  load: Load | undefined,
): Middleware<ValidatedExchange, void, Outcome> => ({
  name: 'login throttle',
  prepare({ rateLimit, loginName = () => '' }) {
    if (!limits || rateLimit !== 'credentials') return undefined
    const spend = spender(pairQuota(limits.defaultAllowance), limits, load)
    const nameOf: (body: unknown, actor: Actor) => string = loginName
    return {
      fragment: limitFragment,
      run: async (exchange, next) => {
        const { request, input, actor } = exchange
        await spend(exchange, attemptKey(request.ip, nameOf(input.body, actor)))
        return next()
      },
    }
  },
})

/**
 * Limits rejected guesses over all routes, per user, of all users of a network, and of all its strangers;
 * throws 429/4291. A request that succeeds was none and is given back.
 */
export const guessLimitMiddleware = (
  limits: Limits | undefined,
  load: Load | undefined,
): Middleware<ValidatedExchange, void, Outcome> => ({
  name: 'guess limit',
  prepare({ isGuess }) {
    if (!limits || !isGuess) return undefined
    const quota = { name: 'guesses', ...guessAllowance }
    const spend = spender(quota, limits, load)
    const share = networkSharer(quota, limits, guessShares)
    const mayGuess: (body: unknown) => boolean = isGuess
    return {
      fragment: limitFragment,
      run: async (exchange, next) => {
        if (!mayGuess(exchange.input.body)) return next()
        await requireConfirmed(exchange)
        const uncount = await spend(exchange, `guess ${strangerKey(exchange)}`)
        const unshare = await share(exchange, 'guess')
        const outcome = await next()
        uncount()
        unshare()
        return outcome
      },
    }
  },
})

function spender(quota: Quota, { counters }: Limits, load: Load | undefined): Spend {
  const headersOf = limitHeaders(quota)
  const applyResult = (
    { now, responseHeaders }: LimitTarget,
    key: string,
    allowance: Allowance,
    result: LimitResult,
  ): Uncount => {
    Object.assign(responseHeaders, headersOf(result, allowance.limit, now))
    if (!result.allowed) throw tooManyRequestsProblem(quota, result)
    return () => {
      // The response does not wait: its header fields are known.
      void counters.spend(key, allowance, -1, now)
      const remaining = Math.min(allowance.limit, result.remaining + 1)
      Object.assign(responseHeaders, headersOf({ ...result, remaining }, allowance.limit, now))
    }
  }
  return (limited, key) => {
    const allowance = allowanceUnder(load, quota, networkOf(limited.request.ip))
    const result = counters.spend(key, allowance, 1, limited.now)
    if (!(result instanceof Promise)) return applyResult(limited, key, allowance, result)
    return result.then((known) => applyResult(limited, key, allowance, known))
  }
}
