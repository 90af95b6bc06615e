import { setImmediate as nextTurn } from 'node:timers/promises'

/** What a load is paced by, in milliseconds; tests replace it. */
export interface Clock {
  readonly now: () => number
  /** Resolves at a moment. Waiting callers must ask in the order of their moments. */
  readonly reach: (atMs: number) => Promise<void>
}

/** So many iterations a second, for so long. */
export interface FixedRate {
  readonly rate: number
  readonly seconds: number
}

/** One iteration of a worker. */
export type Iterate = (worker: number) => Promise<void>

/**
 * Lets each worker begin an iteration when its previous one has ended, until it is over; returns how many
 * milliseconds each took.
 */
export async function repeatUntil(
  iterate: Iterate,
  workers: number,
  isOver: () => boolean,
): Promise<readonly number[]> {
  const tookMs: number[] = []
  const work = async (worker: number): Promise<void> => {
    while (!isOver()) {
      const beganMs = performance.now()
      await iterate(worker)
      tookMs.push(performance.now() - beganMs)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
  return tookMs
}

/**
 * Plans iterations at equal distances, `rate` a second, and lets the next free worker begin the next one at
 * its moment; returns how many milliseconds after its moment each ended. One that is late, because no
 * worker is free, is not left out.
 */
export async function repeatAtRate(
  iterate: Iterate,
  workers: number,
  { rate, seconds }: FixedRate,
  { now, reach }: Clock = systemClock(),
): Promise<readonly number[]> {
  const tookMs: number[] = []
  const startMs = now()
  let planned = 0
  const work = async (worker: number): Promise<void> => {
    while (planned < rate * seconds) {
      const momentMs = startMs + (planned * 1000) / rate
      planned += 1
      await reach(momentMs)
      await iterate(worker)
      tookMs.push(now() - momentMs)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
  return tookMs
}

// Timers are good to a millisecond, which is more than a response takes; a loop that never sleeps would
// take a processor from the server.
const napMs = 0.05

function systemClock(): Clock {
  const waiting: { readonly atMs: number; readonly resolve: () => void }[] = []
  const cell = new Int32Array(new SharedArrayBuffer(4))
  let isWatched = false
  const watch = async (): Promise<void> => {
    for (isWatched = true; waiting.length > 0; ) {
      const nowMs = performance.now()
      const later = waiting.findIndex(({ atMs }) => atMs > nowMs)
      for (const { resolve } of waiting.splice(0, later === -1 ? waiting.length : later)) resolve()
      Atomics.wait(cell, 0, 0, napMs)
      await nextTurn()
    }
    isWatched = false
  }
  return {
    now: () => performance.now(),
    reach: (atMs) => {
      if (performance.now() >= atMs) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ atMs, resolve })
      if (!isWatched) void watch()
      return promise
    },
  }
}
