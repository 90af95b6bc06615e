import type { Algorithm, SpendRequest } from './algorithm.ts'

/** The requests of one moment. */
interface Slot {
  readonly atMs: number
  /** The running total of requests, including these. */
  readonly upTo: number
}

/** The running total before the window, then the slots of the window, oldest first. */
export type SlidingWindow = readonly [before: Slot, ...slots: Slot[]]

/** A limit up to this is exact to the millisecond, a larger one to 1/256 of the window. */
const maxSlots = 256

/**
 * Allows at most `limit` requests in any window, wherever it starts: a request counts until a
 * window has passed. Times that are not exact to the millisecond are rounded up.
 */
export const slidingWindow: Algorithm<SlidingWindow> = {
  name: 'sliding-window',
  decide(state = [{ atMs: 0, upTo: 0 }], request) {
    const { limit, windowMs, nowMs, cost } = request
    const live = slotsBetween(state, nowMs - windowMs, nowMs + windowMs)
    const before = countOf(live)
    const allowed = cost <= 0 || before + cost <= limit
    const slots = allowed ? spend(live, request) : live
    return {
      state: slots,
      allowed,
      remaining: Math.max(0, limit - countOf(slots)),
      resetMs: slots.length > 1 ? newestOf(slots).atMs + windowMs - nowMs : 0,
      retryAfterMs: allowed ? 0 : endOf(live, before + cost - limit, nowMs) + windowMs - nowMs,
    }
  },
  // The state is a Redis list of a time and a running total per slot.
  lua: `
local function get(index) return tonumber(redis.call('LINDEX', key, index)) end
local function add(at, up_to) redis.call('RPUSH', key, whole(at), whole(up_to)) end
local slots = redis.call('LLEN', key) / 2
if slots == 0 then add(0, 0) slots = 1 end
while slots > 1 and get(2) <= now - window do
  redis.call('LPOP', key, 2)
  slots = slots - 1
end
local function drop() redis.call('RPOP', key, 2) slots = slots - 1 end
while slots > 1 and get(-2) > now + window do drop() end
local base, total = get(1), get(-1)
local before = total - base
local allowed = cost <= 0 or before + cost <= limit
local retry = 0
if not allowed then
  local slot, excess = 1, before + cost - limit
  while slot < slots - 1 and get(slot * 2 + 1) - base < excess do slot = slot + 1 end
  retry = (slot < slots and get(slot * 2) or now) + window - now
elseif cost > 0 then
  local grain = limit <= ${maxSlots} and 1 or math.ceil(window / ${maxSlots})
  local newest = slots > 1 and get(-2) or 0
  local at = math.max(newest, math.ceil(now / grain) * grain)
  if slots > 1 and newest == at then drop() end
  add(at, total + cost)
  slots = slots + 1
else
  local left = math.max(base, total + cost)
  local at = get(-2)
  while slots > 1 and get(-1) > left do at = get(-2) drop() end
  if get(-1) < left then add(at, left) slots = slots + 1 end
end
local reset = slots > 1 and get(-2) + window - now or 0
local remaining = math.max(0, limit - (get(-1) - base))
if reset > 0 then redis.call('PEXPIRE', key, whole(reset)) else redis.call('DEL', key) end
return { allowed and 1 or 0, remaining, reset, retry }`,
}

const newestOf = (slots: SlidingWindow): Slot => slots.at(-1) ?? slots[0]
const countOf = (slots: SlidingWindow): number => newestOf(slots).upTo - slots[0].upTo

/** The slots after `fromMs`, up to and including `toMs`. */
function slotsBetween(slots: SlidingWindow, fromMs: number, toMs: number): SlidingWindow {
  let from = 0
  let to = slots.length
  while (from + 1 < to && (slots[from + 1]?.atMs ?? 0) <= fromMs) from += 1
  while (to > from + 1 && (slots[to - 1]?.atMs ?? 0) > toMs) to -= 1
  if (from === 0 && to === slots.length) return slots
  return slots.slice(from, to) as readonly Slot[] as SlidingWindow
}

function spend(
  slots: SlidingWindow,
  { limit, windowMs, nowMs, cost }: SpendRequest,
): SlidingWindow {
  const [first, ...rest] = slots
  const newest = rest.at(-1)
  const upTo = Math.max(first.upTo, newestOf(slots).upTo + cost)
  if (cost <= 0) {
    const whole = rest.filter((slot) => slot.upTo <= upTo)
    const partial = rest[whole.length]
    const isExact = (whole.at(-1) ?? first).upTo === upTo
    return partial && !isExact ? [first, ...whole, { atMs: partial.atMs, upTo }] : [first, ...whole]
  }
  const grainMs = limit <= maxSlots ? 1 : Math.ceil(windowMs / maxSlots)
  const atMs = Math.max(newest?.atMs ?? 0, Math.ceil(nowMs / grainMs) * grainMs)
  if (newest?.atMs === atMs) rest.pop()
  return [first, ...rest, { atMs, upTo }]
}

/** The time of the `count`-th oldest request. */
const endOf = ([first, ...rest]: SlidingWindow, count: number, nowMs: number): number =>
  (rest.find(({ upTo }) => upTo - first.upTo >= count) ?? rest.at(-1))?.atMs ?? nowMs
