/** Paces the rounds of background work by how busy requests keep the event loop. */
export interface BackgroundPace {
  /** Notes that a round starts. Since the last one, requests alone have kept the event loop busy. */
  readonly startRound: () => void
  /** Returns the pause after a round that took so long, in milliseconds. */
  readonly restAfter: (roundMs: number) => number
}

/** Opens a pace with pauses of at most `maxRestMs`. */
export function openBackgroundPace(maxRestMs: number): BackgroundPace {
  let lastEnd = performance.eventLoopUtilization()
  let load = 0
  return {
    startRound: () => {
      load = performance.eventLoopUtilization(lastEnd).utilization
    },
    restAfter: (roundMs) => {
      lastEnd = performance.eventLoopUtilization()
      return restAt(load, roundMs, maxRestMs)
    },
  }
}

/**
 * Returns the pause with which rounds take half of the time that requests leave, at most `maxRestMs`.
 * `load` is the share of the time for which requests keep the event loop busy, 0 to 1.
 */
export function restAt(load: number, roundMs: number, maxRestMs: number): number {
  const free = 1 - load
  const restMs = free > 0 ? roundMs * (2 / free - 1) : maxRestMs
  return Math.min(restMs, maxRestMs)
}
