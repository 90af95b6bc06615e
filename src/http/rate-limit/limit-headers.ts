import type { OpenApiFragment } from '#http/exchange/step.ts'
import { createMessage } from '#i18n/message.ts'
import type { Allowance, Quota } from '#values/allowance.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'
import type { LimitResult, Limits } from './counters.ts'
import type { Load } from './overload.ts'

/** What a limit adds to an operation of the OpenAPI document. */
export const limitFragment: OpenApiFragment = {
  commonHeaders: ['RateLimit', 'RateLimit-Policy'],
  problems: ['4291'],
  problemHeaders: { 429: ['Retry-After'] },
}

/** The allowance of uploads. */
export const uploadAllowance: Allowance = { limit: 10, windowMs: minuteMs }

/** The allowance of guesses that are rejected. */
export const guessAllowance: Allowance = { limit: 10, windowMs: minuteMs }

/** Returns the allowance of a quota for a network under the current load: at least one request. */
export function allowanceUnder(load: Load | undefined, quota: Quota, network: string): Allowance {
  const share = load ? load.share(network) : 1
  const limit = share === 1 ? quota.limit : Math.max(1, Math.floor(quota.limit * share))
  return limit === quota.limit ? quota : { limit, windowMs: quota.windowMs, fullLimit: quota.limit }
}

const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / secondMs)

/**
 * Compiles the limit headers: RateLimit (draft-ietf-httpapi-ratelimit-headers-11) and X-RateLimit.
 */
export function limitHeaders({ name, limit, windowMs }: Quota) {
  const policy = `"${name}";q=${limit};w=${toSeconds(windowMs)}`
  return (
    limitResult: LimitResult,
    currentLimit: number,
    now: Instant,
  ): Readonly<Record<string, string>> => {
    const { allowed, remaining, resetMs, retryAfterMs } = limitResult
    // A counter may remember requests slightly longer than the window.
    const waitMs = allowed ? Math.min(resetMs, windowMs) : retryAfterMs
    return {
      'ratelimit-policy': policy,
      ratelimit: `"${name}";r=${remaining};t=${toSeconds(waitMs)}`,
      'x-ratelimit-limit': String(currentLimit),
      'x-ratelimit-remaining': String(remaining),
      // Seconds since 1970, as in the API of GitHub.
      'x-ratelimit-reset': String(toSeconds(now + waitMs)),
    }
  }
}

/** The problem of a request over the limit (429/4291), with Retry-After. */
export function tooManyRequestsProblem(
  { limit, windowMs }: Quota,
  { retryAfterMs }: LimitResult,
): Problem {
  const seconds = toSeconds(windowMs)
  return new Problem('4291', createMessage('detail.rate_limit', { limit, seconds }), {
    headers: { 'retry-after': String(Math.max(1, toSeconds(retryAfterMs))) },
  })
}

/** Spends one of a quota; throws 429/4291 without any left. */
export function spendQuota(
  { counters }: Limits,
  quota: Quota,
  key: string,
  now: Instant,
): void | Promise<void> {
  const check = (result: LimitResult) => {
    if (!result.allowed) throw tooManyRequestsProblem(quota, result)
  }
  const result = counters.spend(key, quota, 1, now)
  return result instanceof Promise ? result.then(check) : check(result)
}
