import type { Algorithm } from './algorithm.ts'

/**
 * The level of a bucket at a time. One request is `windowMs` units, so that levels are integers.
 */
export interface LeakyBucket {
  readonly level: number
  readonly atMs: number
}

/**
 * A bucket that each request fills by one, and that leaks `limit` requests evenly per window. A
 * request that would overflow it is rejected, not delayed. After the limit shrinks, earlier
 * requests still have to leak out, unlike in a token bucket.
 */
export const leakyBucket: Algorithm<LeakyBucket> = {
  name: 'leaky-bucket',
  decide(state, { limit, windowMs, nowMs, cost }) {
    const full = limit * windowMs
    const isUsable = state !== undefined && nowMs >= state.atMs - windowMs
    const atMs = isUsable ? Math.max(nowMs, state.atMs) : nowMs
    const before = isUsable ? Math.max(0, state.level - (atMs - state.atMs) * limit) : 0
    const added = cost * windowMs
    const allowed = cost <= 0 || before + added <= full
    const level = allowed ? Math.max(0, before + added) : before
    return {
      state: { level, atMs },
      allowed,
      remaining: Math.max(0, Math.floor((full - level) / windowMs)),
      resetMs: level === 0 ? 0 : atMs - nowMs + Math.ceil(level / limit),
      retryAfterMs: allowed ? 0 : atMs - nowMs + Math.ceil((before + added - full) / limit),
    }
  },
  lua: `
local full = limit * window
local level, at = load_state()
if level and now >= at - window then
  local later = math.max(now, at)
  level, at = math.max(0, level - (later - at) * limit), later
else
  level, at = 0, now
end
local added = cost * window
local allowed = cost <= 0 or level + added <= full
local retry = allowed and 0 or at - now + math.ceil((level + added - full) / limit)
if allowed then level = math.max(0, level + added) end
local reset = level == 0 and 0 or at - now + math.ceil(level / limit)
save_state(level, at, reset)
return { allowed and 1 or 0, math.max(0, math.floor((full - level) / window)), reset, retry }`,
}
