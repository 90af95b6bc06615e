/** How the event loop of this thread was held. */
export interface Held {
  /** The longest time without a turn, in milliseconds. */
  readonly holdMs: number
  /** The processor time of the thread in the turn that took most of it, in milliseconds. */
  readonly busyMs: number
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
  let lastCpu = cpuMs()
  let startCpu = lastCpu
  let holdMs = 0
  let busyMs = 0
  const beat = (): void => {
    const now = performance.now()
    const cpu = cpuMs()
    holdMs = Math.max(holdMs, now - last - intervalMs)
    busyMs = Math.max(busyMs, cpu - lastCpu)
    last = now
    lastCpu = cpu
  }
  const timer = setInterval(beat, intervalMs)
  return {
    reset: () => {
      beat()
      holdMs = 0
      busyMs = 0
      startCpu = lastCpu
    },
    read: () => {
      beat()
      return { holdMs, busyMs, cpuMs: lastCpu - startCpu }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
