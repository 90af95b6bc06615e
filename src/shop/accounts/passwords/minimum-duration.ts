/** Longer than a failed sign-in takes, and short enough for a client. */
const minMs = 20

/** A minimum duration of a response, so that its timing does not reveal what was found. */
export interface MinimumDuration {
  /** Resolves 20 ms after the start. */
  readonly wait: () => Promise<void>
  /** Stops the timer of a response that need not wait. */
  readonly cancel: () => void
}

/**
 * Starts the minimum duration. Call it before the work whose duration it hides: a pause after the
 * work would only add to that duration.
 */
export function startMinimumDuration(): MinimumDuration {
  const elapsed = Promise.withResolvers<void>()
  const timer = setTimeout(elapsed.resolve, minMs)
  return { wait: () => elapsed.promise, cancel: () => clearTimeout(timer) }
}
