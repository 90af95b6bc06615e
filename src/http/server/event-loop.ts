import type { Load } from '#http/pipeline/guards/overload.ts'

/** A load that is watched until it is closed. */
export interface WatchedLoad extends Load {
  readonly close: () => void
}

const everyMs = 100
/** How much of the delay remembered is that of the last sample. */
const weight = 0.3
const relaxedMs = 100
const tooLateMs = 500
const minShare = 0.1

/** What is left of the limits when the event loop is late by so much: all, and less and less. */
export const shareAt = (delayMs: number): number => {
  const strain = (delayMs - relaxedMs) / (tooLateMs - relaxedMs)
  return 1 - Math.min(1, Math.max(0, strain)) * (1 - minShare)
}

/** True when the event loop is so late that it had better do less. */
export const isTooLate = (delayMs: number): boolean => delayMs > tooLateMs

/** The delay to remember after a sample: one long pause is forgiven, several are not. */
export const smoothed = (delayMs: number, sampleMs: number): number =>
  delayMs + (Math.max(0, sampleMs) - delayMs) * weight

/**
 * Judges the load of this process by how late its event loop is, ten times a second. A loop that
 * is busy but in time is no sign of too much work, so its utilisation is not looked at.
 */
export function watchEventLoop(): WatchedLoad {
  let delayMs = 0
  let share = 1
  let dueAt = performance.now() + everyMs
  const timer = setInterval(() => {
    const now = performance.now()
    delayMs = smoothed(delayMs, now - dueAt)
    share = shareAt(delayMs)
    dueAt = now + everyMs
  }, everyMs)
  timer.unref()
  return {
    share: () => share,
    isOverloaded: () => isTooLate(delayMs),
    close: () => clearInterval(timer),
  }
}
