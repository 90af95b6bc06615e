import { secondMs } from '#values/instant.ts'

/** How fast a client must read. */
export interface MinPace {
  readonly bytesPerSecond: number
  /** How far it may fall behind, in milliseconds: networks pause now and then. */
  readonly maxBehindMs: number
}

/** Whether a client reads fast enough. */
export interface ReadingPace {
  /** Begins to wait until the client has taken this part of what it is sent. */
  readonly begin: (part: string | Buffer) => void
  /** The client has taken the part. */
  readonly end: () => void
  /** True while the client is further behind than it may be. */
  readonly isTooSlow: () => boolean
  /** How long the client has been waited for in all. */
  readonly waitedMs: () => number
}

/**
 * Measures how fast a client reads. Only time in which the client is waited for counts against it, and
 * what it reads ahead is not saved up.
 */
export function createReadingPace(
  { bytesPerSecond, maxBehindMs }: MinPace,
  nowMs = () => performance.now(),
): ReadingPace {
  let behindMs = 0
  let waitedMs = 0
  let waitingSinceMs: number | undefined
  const waitingMs = () => (waitingSinceMs === undefined ? 0 : nowMs() - waitingSinceMs)
  return {
    begin: (part) => {
      behindMs -= (Buffer.byteLength(part) / bytesPerSecond) * secondMs
      waitingSinceMs = nowMs()
    },
    end: () => {
      const ms = waitingMs()
      behindMs = Math.max(0, behindMs + ms)
      waitedMs += ms
      waitingSinceMs = undefined
    },
    isTooSlow: () => behindMs + waitingMs() > maxBehindMs,
    waitedMs: () => waitedMs + waitingMs(),
  }
}
