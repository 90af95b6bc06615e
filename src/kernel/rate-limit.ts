import { hash } from 'node:crypto'
import { accountKey } from '#values/account-key.ts'
import type { Allowance } from '#values/allowance.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import { say } from '#values/message.ts'
import { Refusal } from '#values/refusal.ts'
import { isValidated } from './conditional.ts'
import type { Exchange, Gate, Says, Stage, Step } from './exchange.ts'
import { networkOf } from './network.ts'
import type { Load } from './overload.ts'

/** What a counter says to a request. */
export interface Verdict {
  readonly allowed: boolean
  /** How many more would be allowed now. */
  readonly remaining: number
  /** How long until the whole allowance is there again, if nothing more is spent. */
  readonly resetMs: number
  /** How long until a request that was refused would be allowed; 0 where it is. */
  readonly retryAfterMs: number
}

/** Counts what callers spend. */
export interface Counters {
  /**
   * Spends `cost` of an allowance, or nothing where that is too much; a negative cost gives back.
   * Never rejects.
   */
  readonly spend: (
    key: string,
    allowance: Allowance,
    cost: number,
    now: Instant,
  ) => Verdict | Promise<Verdict>
}

/** How requests are limited. */
export interface Limits {
  /** What a caller may do at most endpoints. */
  readonly usual: Allowance
  readonly counters: Counters
}

interface Quota extends Allowance {
  readonly name: string
}

/** For what is costly to allow often: guessing a password, keeping a file. */
const strict: Allowance = { limit: 10, windowMs: minuteMs }

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
    const { rate, method, path } = route
    if (rate === 'unlimited') return undefined
    const quota =
      rate === 'uploads' ? { name: 'uploads', ...strict } : { name: 'default', ...limits.usual }
    const spend = meter(quota, limits, load, isRefundable(route))
    const endpoint = `${method} ${path} `
    return { says, check: (exchange) => spend(exchange, endpoint + callerOf(exchange)) }
  },
})

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
 * Gives back what a 304 has cost (its client has the answer already), and holds whoever proves who
 * they are to a stricter limit: by address and name, so that nobody can lock out somebody else.
 */
export const rateLimitStage = (limits: Limits, load?: Load): Stage => ({
  name: 'rate limit',
  prepare(route) {
    if (route.rate === 'credentials') {
      const { claimant = () => '' } = route
      return { says, step: limitAttempts(meter(attempts, limits, load), claimant) }
    }
    return isRefundable(route) ? { says: {}, step: refundUnchanged } : undefined
  },
})

const isRefundable = (route: Parameters<Gate['prepare']>[0]): boolean =>
  route.rate !== 'unlimited' && route.method === 'GET' && isValidated(route)

const refundUnchanged: Step = async (exchange, next) => {
  const answer = await next()
  if (answer.status === 304) exchange.refund?.()
  return answer
}

const attempts: Quota = { name: 'credentials', ...strict }

const limitAttempts =
  (spend: Meter, claimant: (body: unknown) => string): Step =>
  async (exchange, next) => {
    const { request, input } = exchange
    await spend(exchange, attemptKey(request.ip, claimant(input.body)))
    return next()
  }

/** Names the counter of who tries to be somebody; a name may be long or a secret, so it is hashed. */
const attemptKey = (address: string, name: string): string =>
  `attempt ${networkOf(address)} ${hash('sha256', accountKey(name), 'base64url')}`

const callerOf = ({ actor, request }: Exchange): string =>
  actor.userId === null ? networkOf(request.ip) : `user ${actor.userId}`

/** Spends one request of a quota and tells what is left; refuses with 429. */
type Meter = (exchange: Exchange, key: string) => void | Promise<void>

function meter(
  quota: Quota,
  { counters }: Limits,
  load: Load | undefined,
  isRefundable = false,
): Meter {
  const { windowMs } = quota
  const tell = teller(quota)
  const judge = (exchange: Exchange, key: string, allowance: Allowance, verdict: Verdict): void => {
    const { now } = exchange
    exchange.headers = tell(verdict, allowance.limit, now)
    if (!verdict.allowed) throw tooMany(quota, verdict)
    if (!isRefundable) return
    exchange.refund = () => {
      // Nobody waits for it: what the answer tells is known.
      void counters.spend(key, allowance, -1, now)
      const remaining = Math.min(allowance.limit, verdict.remaining + 1)
      exchange.headers = tell({ ...verdict, remaining }, allowance.limit, now)
    }
  }
  return (exchange, key) => {
    const share = load ? load.share() : 1
    const limit = share === 1 ? quota.limit : Math.max(1, Math.floor(quota.limit * share))
    const allowance = limit === quota.limit ? quota : { limit, windowMs }
    const verdict = counters.spend(key, allowance, 1, exchange.now)
    if (!(verdict instanceof Promise)) return judge(exchange, key, allowance, verdict)
    return verdict.then((known) => judge(exchange, key, allowance, known))
  }
}

const inSeconds = (milliseconds: number): number => Math.ceil(milliseconds / secondMs)

/** What is left, as draft-ietf-httpapi-ratelimit-headers-11 and as many clients expect it. */
function teller({ name, limit, windowMs }: Quota) {
  const policy = `"${name}";q=${limit};w=${inSeconds(windowMs)}`
  return (verdict: Verdict, current: number, now: Instant): Readonly<Record<string, string>> => {
    const { allowed, remaining, resetMs, retryAfterMs } = verdict
    // What is remembered a little longer than the window is no reason to tell a longer one.
    const waitMs = allowed ? Math.min(resetMs, windowMs) : retryAfterMs
    return {
      'ratelimit-policy': policy,
      ratelimit: `"${name}";r=${remaining};t=${inSeconds(waitMs)}`,
      'x-ratelimit-limit': String(current),
      'x-ratelimit-remaining': String(remaining),
      // As GitHub has it: the second since 1970.
      'x-ratelimit-reset': String(inSeconds(now + waitMs)),
    }
  }
}

function tooMany({ limit, windowMs }: Quota, { retryAfterMs }: Verdict): Refusal {
  const seconds = inSeconds(windowMs)
  return new Refusal('4291', say('detail.rate_limit', { limit, seconds }), {
    headers: { 'retry-after': String(Math.max(1, inSeconds(retryAfterMs))) },
  })
}
