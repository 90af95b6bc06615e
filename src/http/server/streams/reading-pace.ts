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
  readonly begin: (part: string) => void
  /** The client has taken the part. */
  readonly end: () => void
  /** True while the client is further behind than it may be. */
  readonly isTooSlow: () => boolean
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
  let waitingSinceMs: number | undefined
  const behindNowMs = () => behindMs + (waitingSinceMs === undefined ? 0 : nowMs() - waitingSinceMs)
  return {
    begin: (part) => {
      behindMs -= (Buffer.byteLength(part) / bytesPerSecond) * secondMs
      waitingSinceMs = nowMs()
    },
    end: () => {
      behindMs = Math.max(0, behindNowMs())
      waitingSinceMs = undefined
    },
    isTooSlow: () => behindNowMs() > maxBehindMs,
  }
}
