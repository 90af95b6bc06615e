/** A server-sent event (HTML section 9.2); none of its fields has a line break. */
export interface ServerSentEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** The entries of a feed as they are published. */
export interface EventStream {
  /** Yields events in order, some at a time, until the signal aborts or no more can follow. */
  readonly read: (signal: AbortSignal) => AsyncIterable<readonly ServerSentEvent[]>
  /**
   * Returns the ID after which a client resumes: that of the last event the stream has passed, also if
   * a filter left it out; undefined without any.
   */
  readonly lastId: () => string | undefined
}
