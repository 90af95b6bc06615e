import type { Algorithm } from './algorithm.ts'

/** The level of a bucket at a time. One token is `windowMs` units, so that levels are integers. */
export interface TokenBucket {
  readonly level: number
  readonly atMs: number
}

/**
 * A bucket that gains `limit` tokens evenly per window; each request takes one. After the limit
 * shrinks, tokens above it are lost, and a later rise does not restore them.
 */
export const tokenBucket: Algorithm<TokenBucket> = {
  name: 'token-bucket',
  decide(state, { limit, windowMs, nowMs, cost }) {
    const full = limit * windowMs
    const isUsable = state !== undefined && nowMs >= state.atMs - windowMs
    const atMs = isUsable ? Math.max(nowMs, state.atMs) : nowMs
    const before = isUsable ? Math.min(full, state.level + (atMs - state.atMs) * limit) : full
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
local level, at = load_state()
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
save_state(level, at, reset)
return { allowed and 1 or 0, math.floor(level / window), reset, retry }`,
}
