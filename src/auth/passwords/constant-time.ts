/** More than telling that somebody is not who they say takes, and nothing that a client would mind. */
const minMs = 20

/** What an answer waits for, so that how long it took tells nothing of what was found. */
export interface ConstantTime {
  /** Resolves once as much time is over as every answer of its kind takes. */
  readonly pass: () => Promise<void>
  /** For an answer that need not wait. */
  readonly forget: () => void
}

/**
 * Begins to count the time of a request. It has to begin before the work: a pause that follows would
 * end later by as much as the work took longer.
 */
export function constantTime(): ConstantTime {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, minMs)
  return { pass: () => over.promise, forget: () => clearTimeout(timer) }
}
