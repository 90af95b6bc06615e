/** Values by the name of a cookie, of which the least recently used and the expired ones are forgotten. */
export interface Sessions<T> {
  readonly get: (name: string) => T | undefined
  readonly set: (name: string, value: T) => void
  readonly delete: (name: string) => void
}

/** Creates sessions that end a time after they began, and of which at most `limit` are kept. */
export function createSessions<T>(
  limit: number,
  lifetimeMs: number,
  clock: () => number = Date.now,
): Sessions<T> {
  // In the order of their last use.
  const sessions = new Map<string, { readonly value: T; readonly endsAt: number }>()
  return {
    get: (name) => {
      const session = sessions.get(name)
      sessions.delete(name)
      if (session === undefined || session.endsAt <= clock()) return undefined
      sessions.set(name, session)
      return session.value
    },
    set: (name, value) => {
      sessions.set(name, { value, endsAt: clock() + lifetimeMs })
      const [oldest] = sessions.keys()
      if (sessions.size > limit && oldest !== undefined) sessions.delete(oldest)
    },
    delete: (name) => {
      sessions.delete(name)
    },
  }
}
