/** How the event loop of this thread was held. */
export interface Held {
  /** The longest time without a turn, in milliseconds. */
  readonly holdMs: number
  /** Processor time of the thread, in milliseconds. */
  readonly cpuMs: number
}

/** Beats each millisecond in the event loop of this thread. */
export interface Heartbeat extends Disposable {
  /** Begins anew. */
  readonly reset: () => void
  /** Returns what was measured since. */
  readonly read: () => Held
}

const intervalMs = 1

/** Starts a heartbeat, which measures whatever runs in this thread. */
export function startHeartbeat(): Heartbeat {
  let last = performance.now()
  let holdMs = 0
  let cpu = process.threadCpuUsage()
  const beat = (): void => {
    const now = performance.now()
    holdMs = Math.max(holdMs, now - last - intervalMs)
    last = now
  }
  const timer = setInterval(beat, intervalMs)
  return {
    reset: () => {
      last = performance.now()
      holdMs = 0
      cpu = process.threadCpuUsage()
    },
    read: () => {
      beat()
      const { user, system } = process.threadCpuUsage(cpu)
      return { holdMs, cpuMs: (user + system) / 1000 }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
