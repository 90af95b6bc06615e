import type { Algorithm, Ask } from './algorithm.ts'

/** Requests made at the same time: when, and how many there had been with them. */
interface Slot {
  readonly atMs: number
  readonly upTo: number
}

/** The requests of a window, the oldest first, after what had been before them. */
export type SlidingWindow = readonly [before: Slot, ...slots: Slot[]]

/** A limit up to this is exact to the millisecond, a larger one to this part of the window. */
const maxSlots = 256

/**
 * Never more than so many requests in any window, wherever it begins: each is remembered until the
 * window has passed. What is not remembered to the millisecond is taken to have been made later.
 */
export const slidingWindow: Algorithm<SlidingWindow> = {
  name: 'sliding-window',
  decide(state = [{ atMs: 0, upTo: 0 }], ask) {
    const { limit, windowMs, nowMs, cost } = ask
    const live = within(state, nowMs - windowMs, nowMs + windowMs)
    const before = countOf(live)
    const allowed = cost <= 0 || before + cost <= limit
    const slots = allowed ? spend(live, ask) : live
    return {
      state: slots,
      allowed,
      remaining: Math.max(0, limit - countOf(slots)),
      resetMs: slots.length > 1 ? newestOf(slots).atMs + windowMs - nowMs : 0,
      retryAfterMs: allowed ? 0 : endOf(live, before + cost - limit, nowMs) + windowMs - nowMs,
    }
  },
  // A list of a time and a count for each slot.
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

/** What is left without the slots up to one time and after another. */
function within(slots: SlidingWindow, past: number, future: number): SlidingWindow {
  let from = 0
  let to = slots.length
  while (from + 1 < to && (slots[from + 1]?.atMs ?? 0) <= past) from += 1
  while (to > from + 1 && (slots[to - 1]?.atMs ?? 0) > future) to -= 1
  if (from === 0 && to === slots.length) return slots
  return slots.slice(from, to) as readonly Slot[] as SlidingWindow
}

function spend(slots: SlidingWindow, { limit, windowMs, nowMs, cost }: Ask): SlidingWindow {
  const [first, ...rest] = slots
  const newest = rest.at(-1)
  const upTo = Math.max(first.upTo, newestOf(slots).upTo + cost)
  if (cost <= 0) {
    const kept = rest.filter((slot) => slot.upTo <= upTo)
    const cut = rest[kept.length]
    const whole = (kept.at(-1) ?? first).upTo === upTo
    return cut && !whole ? [first, ...kept, { atMs: cut.atMs, upTo }] : [first, ...kept]
  }
  const grainMs = limit <= maxSlots ? 1 : Math.ceil(windowMs / maxSlots)
  const atMs = Math.max(newest?.atMs ?? 0, Math.ceil(nowMs / grainMs) * grainMs)
  if (newest?.atMs === atMs) rest.pop()
  return [first, ...rest, { atMs, upTo }]
}

/** When the requests were made of which the oldest `count` have to go. */
const endOf = ([first, ...rest]: SlidingWindow, count: number, nowMs: number): number =>
  (rest.find(({ upTo }) => upTo - first.upTo >= count) ?? rest.at(-1))?.atMs ?? nowMs
