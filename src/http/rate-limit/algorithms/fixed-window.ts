import type { Algorithm } from './algorithm.ts'

/** The start of a caller's window, and the requests spent in it. */
export interface FixedWindow {
  readonly startMs: number
  readonly spent: number
}

/**
 * Allows `limit` requests per window; a window starts with the first request after the last one.
 */
export const fixedWindow: Algorithm<FixedWindow> = {
  name: 'fixed-window',
  decide(state, { limit, windowMs, nowMs, cost }) {
    const isCurrent =
      state !== undefined && nowMs < state.startMs + windowMs && nowMs >= state.startMs - windowMs
    const startMs = isCurrent ? state.startMs : nowMs
    const before = isCurrent ? state.spent : 0
    const allowed = cost <= 0 || before + cost <= limit
    const spent = allowed ? Math.max(0, before + cost) : before
    const resetMs = spent === 0 ? 0 : startMs + windowMs - nowMs
    return {
      state: { startMs, spent },
      allowed,
      remaining: Math.max(0, limit - spent),
      resetMs,
      retryAfterMs: allowed ? 0 : resetMs,
    }
  },
  lua: `
local start, before = load_state()
if not start or now >= start + window or now < start - window then
  start, before = now, 0
end
local allowed = cost <= 0 or before + cost <= limit
local spent = allowed and math.max(0, before + cost) or before
local reset = spent == 0 and 0 or start + window - now
save_state(start, spent, reset)
return { allowed and 1 or 0, math.max(0, limit - spent), reset, allowed and 0 or reset }`,
}
