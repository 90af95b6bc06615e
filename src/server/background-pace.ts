/** For how long the event loop has run code and has waited so far, in milliseconds. */
interface LoopTime {
  readonly active: number
  readonly idle: number
}

/** Paces the rounds of background work by how busy requests keep the event loop. */
export interface BackgroundPace {
  /** Must be called when a round starts. */
  readonly startRound: () => void
  /** Must be called when a round has ended; returns the pause before the next one, in milliseconds. */
  readonly endRound: () => number
}

/**
 * Creates a pace with pauses of at most `maxPauseMs`: rounds take half of the time that requests leave. What
 * a round waits for, such as a mail server, does not count.
 */
export function createBackgroundPace(
  maxPauseMs: number,
  readLoopTime: () => LoopTime = () => performance.eventLoopUtilization(),
): BackgroundPace {
  let start = readLoopTime()
  let end = start
  /** The share of the pause before the round in which the event loop waited, 0 to 1. */
  let idleShare = 0
  return {
    startRound: () => {
      start = readLoopTime()
      const idle = start.idle - end.idle
      const active = start.active - end.active
      idleShare = idle > 0 ? idle / (idle + active) : 0
    },
    endRound: () => {
      end = readLoopTime()
      if (idleShare === 0) return maxPauseMs
      return Math.min((end.active - start.active) * (2 / idleShare - 1), maxPauseMs)
    },
  }
}
