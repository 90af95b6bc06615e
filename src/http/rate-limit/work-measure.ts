/** Begins a request; returns what ends it and returns its share of the work, in milliseconds. */
export type Measure = () => () => number

/**
 * Creates a measure of requests: the time in which the event loop is active, or threads are busy for it
 * (`threadMs`), is divided among those in progress.
 */
export function createMeasure(threadMs: () => number): Measure {
  let inProgress = 0
  let activeMs = 0
  // What a request has cost that has been in progress since the start.
  let shareMs = 0
  const advance = (): number => {
    const active = performance.now() - performance.nodeTiming.idleTime + threadMs()
    if (inProgress > 0) shareMs += (active - activeMs) / inProgress
    activeMs = active
    return shareMs
  }
  return () => {
    const startedAt = advance()
    inProgress += 1
    return () => {
      const cost = advance() - startedAt
      inProgress -= 1
      return cost
    }
  }
}
