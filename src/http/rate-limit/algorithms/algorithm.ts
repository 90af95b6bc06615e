import type { LimitResult } from '#http/rate-limit/counters.ts'
import type { Allowance } from '#values/allowance.ts'
import type { Instant } from '#values/instant.ts'

/** A request to spend `cost` of an allowance. */
export interface SpendRequest extends Allowance {
  readonly nowMs: Instant
  /** The number of requests, at most the limit; a negative one gives back. */
  readonly cost: number
}

/** The result and the new state of the counter. */
interface Decision<S> extends LimitResult {
  readonly state: S
}

/**
 * A rate limit as a state machine in integers, in TypeScript for this process and in Lua for Redis.
 * A clock that goes back allows no further requests; if it goes back by more than a window, the
 * state is discarded, so that a clock that was far ahead locks nobody out.
 */
export interface Algorithm<S> {
  readonly name: AlgorithmName
  /** Decides a request, without state for a new caller; a rejected request costs nothing. */
  // A method, whose parameters are bivariant, so that an Algorithm<unknown> can be any of them.
  decide(state: S | undefined, request: SpendRequest): Decision<S>
  /**
   * The same decision as a Lua fragment of `scriptOf`. It returns 1 or 0 for allowed, the remaining
   * requests, and the milliseconds until reset and until a retry.
   */
  readonly lua: string
}

/** The values of the setting RATE_LIMIT_ALGORITHM. */
export type AlgorithmName = 'sliding-window' | 'fixed-window' | 'token-bucket' | 'leaky-bucket'

/**
 * Returns the Lua script of an algorithm, which Redis runs atomically. KEYS[1] is the counter; ARGV
 * is the limit, the window in milliseconds, the cost, and the time in milliseconds. Without a time,
 * the clock of Redis counts, which all processes share.
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
local function save_state(first, second, reset)
  if reset <= 0 then redis.call('DEL', key) return end
  redis.call('HSET', key, 'a', whole(first), 'b', whole(second))
  redis.call('PEXPIRE', key, whole(reset))
end
local function load_state()
  local state = redis.call('HMGET', key, 'a', 'b')
  return tonumber(state[1]), tonumber(state[2])
end
${lua}`
