import type { Load } from '#http/pipeline/guards/overload.ts'
import { createMessage } from '#i18n/message.ts'
import type { Allowance } from '#values/allowance.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'
import type { LimitResult } from './counters.ts'

/** An allowance, as clients are told of it. */
export interface Quota extends Allowance {
  readonly name: string
}

/** For what is costly to allow often: guessing a password, keeping a file. */
export const strict: Allowance = { limit: 10, windowMs: minuteMs }

/** What of a quota can be had under the present load: at least one request. */
export function allowanceUnder(load: Load | undefined, quota: Quota): Allowance {
  const share = load ? load.share() : 1
  const limit = share === 1 ? quota.limit : Math.max(1, Math.floor(quota.limit * share))
  return limit === quota.limit ? quota : { limit, windowMs: quota.windowMs }
}

const inSeconds = (milliseconds: number): number => Math.ceil(milliseconds / secondMs)

/** Tells what is left, as draft-ietf-httpapi-ratelimit-headers-11 and as many clients expect it. */
export function limitHeaders({ name, limit, windowMs }: Quota) {
  const policy = `"${name}";q=${limit};w=${inSeconds(windowMs)}`
  return (
    limitResult: LimitResult,
    current: number,
    now: Instant,
  ): Readonly<Record<string, string>> => {
    const { allowed, remaining, resetMs, retryAfterMs } = limitResult
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

/** The refusal of what is more than a quota allows; says when to try again. */
export function tooMany({ limit, windowMs }: Quota, { retryAfterMs }: LimitResult): Problem {
  const seconds = inSeconds(windowMs)
  return new Problem('4291', createMessage('detail.rate_limit', { limit, seconds }), {
    headers: { 'retry-after': String(Math.max(1, inSeconds(retryAfterMs))) },
  })
}
