/** Counts the uses of a key that are in progress in this process. */
export interface InFlight {
  readonly begin: (key: string) => void
  readonly end: (key: string) => void
  /** Resolves when a use of the key ends; undefined if none is in progress. */
  readonly next: (key: string) => Promise<void> | undefined
}

interface Uses {
  count: number
  readonly waiting: (() => void)[]
}

/** Creates an empty count. */
export function createInFlight(): InFlight {
  const byKey = new Map<string, Uses>()
  return {
    begin: (key) => {
      const uses = byKey.get(key)
      if (uses) uses.count += 1
      else byKey.set(key, { count: 1, waiting: [] })
    },
    end: (key) => {
      const uses = byKey.get(key)
      if (!uses) return
      uses.count -= 1
      if (uses.count > 0) {
        uses.waiting.shift()?.()
        return
      }
      byKey.delete(key)
      for (const wake of uses.waiting) wake()
    },
    next: (key) => {
      const uses = byKey.get(key)
      return uses && new Promise((resolve) => uses.waiting.push(resolve))
    },
  }
}
