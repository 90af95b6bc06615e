import type { Actor } from '#http/declare/caller.ts'
import type { Route } from '#http/declare/operation.ts'
import type { Exchange, Gate, Says, Stage, Step } from '#http/pipeline/exchange.ts'
import type { Load } from '#http/pipeline/guards/overload.ts'
import { networkOf } from '#http/server/network/client-network.ts'
import type { Allowance } from '#values/allowance.ts'
import { Refusal } from '#values/problem.ts'
import type { Limits, Verdict } from './counters.ts'
import { allowanceUnder, type Quota, strict, teller, tooMany } from './limit-headers.ts'
import { attemptKey, pairQuota } from './login-throttle.ts'

const says: Says = {
  everyHeaders: [
    'RateLimit-Policy',
    'RateLimit',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
  ],
  refusals: ['4291'],
  refusalHeaders: { 429: ['Retry-After'] },
}

/**
 * Counts a request against what its caller (the user, else the address) may do at this endpoint,
 * and refuses what is too much with 429. Every answer from here on tells what is left.
 */
export const rateLimitGate = (limits: Limits, load?: Load): Gate => ({
  name: 'rate limit',
  prepare(route) {
    const charge = chargeFor(route, limits, load)
    return charge && { says, check: (exchange) => charge(exchange, callerOf(exchange)) }
  },
})

/** Charges a request to a caller; refuses with 429 what is too much. */
export type Charge = (metered: Metered, caller: string) => void | Promise<void>

/**
 * How requests of a route are charged; undefined where it has no limit. Where a charge is
 * refundable, the metered request can give it back.
 */
export function chargeFor(
  route: Route,
  limits: Limits,
  load: Load | undefined,
  isRefundable = false,
): Charge | undefined {
  const { rate, method, path } = route
  if (rate === 'unlimited' || rate === 'refusals') return undefined
  const quota =
    rate === 'uploads' ? { name: 'uploads', ...strict } : { name: 'default', ...limits.usual }
  const spend = meter(quota, limits, load, isRefundable)
  const endpoint = `${method} ${path} `
  return (metered, caller) => spend(metered, endpoint + caller)
}

/** How requests of a place that is no route of the API are charged. */
export function chargeAt(endpoint: string, limits: Limits, load: Load | undefined): Charge {
  const spend = meter({ name: 'default', ...limits.usual }, limits, load)
  return (metered, caller) => spend(metered, `${endpoint} ${caller}`)
}

/** Counts the refused requests of a route whose others have no limit, against their network. */
export const refusalLimitGate = (limits: Limits, load?: Load): Gate => ({
  name: 'refusal limit',
  prepare({ rate, method, path }) {
    if (rate !== 'refusals') return undefined
    const charge = chargeAt(`refused ${method} ${path}`, limits, load)
    return {
      says,
      check: (exchange) => {
        exchange.countRefusal = () => charge(exchange, networkOf(exchange.request.ip))
      },
    }
  },
})

/** Counts a refusal; resolves to what is answered: another one, 429, where there were too many. */
export async function countedRefusal<E>(
  { countRefusal }: Pick<Exchange, 'countRefusal'>,
  refused: E,
): Promise<E | Refusal> {
  try {
    await countRefusal?.()
    return refused
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** A gate, of which a refusal is counted too: against the address, for nobody else is known. */
export const countRefusals = (gate: Gate, counting: Gate): Gate => ({
  name: gate.name,
  prepare(route) {
    const inner = gate.prepare(route)
    const counted = counting.prepare(route)
    if (!inner || !counted) return inner
    return {
      says: inner.says,
      check: (exchange) => {
        const pending = inner.check(exchange)
        return pending?.catch(async (error) => {
          if (error instanceof Refusal) await counted.check(exchange)
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
export const attemptStage = (limits: Limits, load?: Load): Stage => ({
  name: 'attempts',
  prepare({ rate, claimant = () => '' }) {
    if (rate !== 'credentials') return undefined
    return { says, step: limitAttempts(meter(pairQuota(limits.usual), limits, load), claimant) }
  },
})

const limitAttempts =
  (spend: Meter, claimant: (body: unknown, actor: Actor) => string): Step =>
  async (exchange, next) => {
    const { request, input, actor } = exchange
    await spend(exchange, attemptKey(request.ip, claimant(input.body, actor)))
    return next()
  }

const callerOf = ({ actor, request }: Exchange): string =>
  actor.userId === null ? networkOf(request.ip) : `user ${actor.userId}`

/** A request as a meter sees it, and what the meter says of it. */
export interface Metered extends Pick<Exchange, 'now' | 'headers'> {
  /** Gives back what the request has cost its caller. */
  refund?: () => void
}

/** Spends one request of a quota and tells what is left; refuses with 429. */
type Meter = (metered: Metered, key: string) => void | Promise<void>

function meter(
  quota: Quota,
  { counters }: Limits,
  load: Load | undefined,
  isRefundable = false,
): Meter {
  const tell = teller(quota)
  const judge = (metered: Metered, key: string, allowance: Allowance, verdict: Verdict): void => {
    const { now } = metered
    metered.headers = tell(verdict, allowance.limit, now)
    if (!verdict.allowed) throw tooMany(quota, verdict)
    if (!isRefundable) return
    metered.refund = () => {
      // Nobody waits for it: what the answer tells is known.
      void counters.spend(key, allowance, -1, now)
      const remaining = Math.min(allowance.limit, verdict.remaining + 1)
      metered.headers = tell({ ...verdict, remaining }, allowance.limit, now)
    }
  }
  return (metered, key) => {
    const allowance = allowanceUnder(load, quota)
    const verdict = counters.spend(key, allowance, 1, metered.now)
    if (!(verdict instanceof Promise)) return judge(metered, key, allowance, verdict)
    return verdict.then((known) => judge(metered, key, allowance, known))
  }
}
