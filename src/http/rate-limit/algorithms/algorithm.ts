import type { LimitResult } from '#http/rate-limit/counters.ts'
import type { Allowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'

/** A question to a rate limit: may `cost` requests be made now? */
export interface Ask extends Allowance {
  readonly nowMs: Instant
  /** How many requests, at most the limit; less than nothing gives back what was spent. */
  readonly cost: number
}

/** The answer, and what is to be remembered of it. */
interface Decision<S> extends LimitResult {
  readonly state: S
}

/**
 * A rate limit as a state machine in integers, told twice: for this process and for Redis. A clock
 * that goes back gains nobody anything, unless it goes back by more than a window: then the state
 * is forgotten, lest a clock that was far ahead locks somebody out.
 */
export interface Algorithm<S> {
  readonly name: AlgorithmName
  // A method, so that what keeps states without looking at them can take any algorithm.
  /** Answers, where nothing is remembered as to a newcomer; what is refused costs nothing. */
  decide(state: S | undefined, ask: Ask): Decision<S>
  /**
   * The same in Lua, inside `scriptOf`. It returns whether the request is allowed (1 or 0), what
   * remains, and the milliseconds until all is given back and until another try.
   */
  readonly lua: string
}

/** What RATE_LIMIT_ALGORITHM can be. */
export type AlgorithmName = 'sliding-window' | 'fixed-window' | 'token-bucket' | 'leaky-bucket'

/**
 * The whole script of an algorithm, which Redis runs atomically. KEYS is the counter; ARGV is the
 * limit, the window in milliseconds, the cost, and the time in milliseconds or nothing: then
 * Redis goes by its own clock, which is the same for every process.
 */
export const scriptOf = ({ lua }: Pick<Algorithm<unknown>, 'lua'>): string => `
local key = KEYS[1]
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
-- Lua would write a large number with an exponent.
local function whole(number) return string.format('%.0f', number) end
local function keep(first, second, reset)
  if reset <= 0 then redis.call('DEL', key) return end
  redis.call('HSET', key, 'a', whole(first), 'b', whole(second))
  redis.call('PEXPIRE', key, whole(reset))
end
local function recall()
  local kept = redis.call('HMGET', key, 'a', 'b')
  return tonumber(kept[1]), tonumber(kept[2])
end
${lua}`
