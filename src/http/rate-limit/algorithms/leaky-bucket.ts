import type { Algorithm } from './algorithm.ts'

/** How full a bucket was, and when; one request is as many units as the window has milliseconds. */
export interface LeakyBucket {
  readonly level: number
  readonly atMs: number
}

/**
 * A bucket that each request fills by one and that leaks evenly, as much as it holds in a window;
 * what would overflow is refused, not delayed. Where the limit shrinks, what was poured in before
 * still has to leak away: unlike a token bucket, it asks of the past, not of the present.
 */
export const leakyBucket: Algorithm<LeakyBucket> = {
  name: 'leaky-bucket',
  decide(state, { limit, windowMs, nowMs, cost }) {
    const full = limit * windowMs
    const holds = state !== undefined && nowMs >= state.atMs - windowMs
    const atMs = holds ? Math.max(nowMs, state.atMs) : nowMs
    const before = holds ? Math.max(0, state.level - (atMs - state.atMs) * limit) : 0
    const poured = cost * windowMs
    const allowed = cost <= 0 || before + poured <= full
    const level = allowed ? Math.max(0, before + poured) : before
    return {
      state: { level, atMs },
      allowed,
      remaining: Math.max(0, Math.floor((full - level) / windowMs)),
      resetMs: level === 0 ? 0 : atMs - nowMs + Math.ceil(level / limit),
      retryAfterMs: allowed ? 0 : atMs - nowMs + Math.ceil((before + poured - full) / limit),
    }
  },
  lua: `
local full = limit * window
local level, at = recall()
if level and now >= at - window then
  local later = math.max(now, at)
  level, at = math.max(0, level - (later - at) * limit), later
else
  level, at = 0, now
end
local poured = cost * window
local allowed = cost <= 0 or level + poured <= full
local retry = allowed and 0 or at - now + math.ceil((level + poured - full) / limit)
if allowed then level = math.max(0, level + poured) end
local reset = level == 0 and 0 or at - now + math.ceil(level / limit)
keep(level, at, reset)
return { allowed and 1 or 0, math.max(0, math.floor((full - level) / window)), reset, retry }`,
}
