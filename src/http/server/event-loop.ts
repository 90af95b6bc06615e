/** The load of this process, measured until it is closed. */
interface EventLoopLoad {
  /** The share of every rate limit that is left: 1 without load, 0.1 under the highest. */
  readonly share: () => number
  /** True while requests are shed. */
  readonly isOverloaded: () => boolean
  readonly close: () => void
}

const sampleIntervalMs = 100
/** The weight of the last sample in the moving average of the delay. */
const sampleWeight = 0.3
const toleratedDelayMs = 100
const maxDelayMs = 500
/** Longer samples count as this one, so that no single pause, such as a start, sheds requests. */
const maxSampleMs = 1500
const minShare = 0.1

/** The share of every rate limit that is left at a delay: 1 up to 100 ms, 0.1 from 500 ms on. */
export const limitShare = (delayMs: number): number => {
  const excess = (delayMs - toleratedDelayMs) / (maxDelayMs - toleratedDelayMs)
  return 1 - Math.min(1, Math.max(0, excess)) * (1 - minShare)
}

/** True for a delay at which requests are shed. */
export const isOverloadedAt = (delayMs: number): boolean => delayMs > maxDelayMs

/**
 * The moving average of the delay after another sample, so that a single pause has little effect.
 */
export const averageDelay = (delayMs: number, sampleMs: number): number =>
  delayMs + (Math.min(Math.max(0, sampleMs), maxSampleMs) - delayMs) * sampleWeight

/**
 * Measures the load of this process by the delay of its event loop, ten times a second. Utilisation
 * is not used: a busy loop without delay is not overloaded.
 */
export function watchEventLoop(): EventLoopLoad {
  let delayMs = 0
  let share = 1
  let dueAt = performance.now() + sampleIntervalMs
  const timer = setInterval(() => {
    const now = performance.now()
    delayMs = averageDelay(delayMs, now - dueAt)
    share = limitShare(delayMs)
    dueAt = now + sampleIntervalMs
  }, sampleIntervalMs)
  timer.unref()
  return {
    share: () => share,
    isOverloaded: () => isOverloadedAt(delayMs),
    close: () => clearInterval(timer),
  }
}
