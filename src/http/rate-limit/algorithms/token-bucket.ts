import type { Algorithm } from './algorithm.ts'

/** What was left in a bucket, and when; one token is as many units as the window has milliseconds. */
export interface TokenBucket {
  readonly level: number
  readonly atMs: number
}

/**
 * A bucket of tokens that fills up evenly, the whole of it in a window; each request takes one. A
 * limit that shrinks lets what is above it run out, and the bucket is no fuller for its return.
 */
export const tokenBucket: Algorithm<TokenBucket> = {
  name: 'token-bucket',
  decide(state, { limit, windowMs, nowMs, cost }) {
    const full = limit * windowMs
    const holds = state !== undefined && nowMs >= state.atMs - windowMs
    const atMs = holds ? Math.max(nowMs, state.atMs) : nowMs
    const before = holds ? Math.min(full, state.level + (atMs - state.atMs) * limit) : full
    const needed = cost * windowMs
    const allowed = cost <= 0 || needed <= before
    const level = allowed ? Math.min(full, before - needed) : before
    const missing = full - level
    return {
      state: { level, atMs },
      allowed,
      remaining: Math.floor(level / windowMs),
      resetMs: missing === 0 ? 0 : atMs - nowMs + Math.ceil(missing / limit),
      retryAfterMs: allowed ? 0 : atMs - nowMs + Math.ceil((needed - before) / limit),
    }
  },
  lua: `
local full = limit * window
local level, at = recall()
if level and now >= at - window then
  local later = math.max(now, at)
  level, at = math.min(full, level + (later - at) * limit), later
else
  level, at = full, now
end
local needed = cost * window
local allowed = cost <= 0 or needed <= level
local retry = allowed and 0 or at - now + math.ceil((needed - level) / limit)
if allowed then level = math.min(full, level - needed) end
local missing = full - level
local reset = missing == 0 and 0 or at - now + math.ceil(missing / limit)
keep(level, at, reset)
return { allowed and 1 or 0, math.floor(level / window), reset, retry }`,
}
