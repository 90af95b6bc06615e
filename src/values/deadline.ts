import { unavailableProblem } from './problem.ts'
import { type RequestPlace, type RequestScope, requestScopes } from './request-place.ts'

/** How long a request may wait in all, for the database, for its turn and for other services. */
export class Deadline implements RequestScope {
  place: RequestPlace | undefined
  /** Called once no time is left; undefined before something waits. */
  #onLate: Set<() => void> | undefined
  #leftMs: number
  /** Since when the time runs; undefined while it does not. */
  #runsSinceMs: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number) {
    this.#leftMs = timeoutMs
  }

  /** False before the request is worked on, while it waits for its client, and after its end. */
  get isRunning(): boolean {
    return this.#runsSinceMs !== undefined
  }

  /** The time that is left, in milliseconds. */
  get leftMs(): number {
    const since = this.#runsSinceMs
    return since === undefined ? this.#leftMs : this.#leftMs - (performance.now() - since)
  }

  /** Runs work of the request; the time runs until it has settled. */
  run<T>(work: () => T): T {
    this.#start()
    let result: T
    try {
      result = requestScopes.run(this, work)
    } catch (error) {
      this.#stop()
      throw error
    }
    if (!(result instanceof Promise)) this.#stop()
    else {
      const stop = () => this.#stop()
      result.then(stop, stop)
    }
    return result
  }

  /** Waits for what the client does; the time does not run meanwhile. */
  async pause<T>(wait: () => Promise<T>): Promise<T> {
    this.#stop()
    try {
      return await wait()
    } finally {
      this.#start()
    }
  }

  /** Waits for work; gives it up and throws 503/5031 once no time is left. */
  async wait<T>(work: () => Promise<T>, giveUp?: () => void): Promise<T> {
    if (this.leftMs <= 0) throw lateProblem()
    const late = Promise.withResolvers<never>()
    const onLate = (): void => {
      giveUp?.()
      late.reject(lateProblem())
    }
    this.#onLate ??= new Set()
    this.#onLate.add(onLate)
    this.#timer ??= this.#schedule()
    try {
      return await Promise.race([work(), late.promise])
    } finally {
      this.#onLate?.delete(onLate)
    }
  }

  #start(): void {
    this.#runsSinceMs = performance.now()
    if (this.#onLate && this.#onLate.size > 0) this.#timer ??= this.#schedule()
  }

  #stop(): void {
    this.#leftMs = this.leftMs
    this.#runsSinceMs = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): NodeJS.Timeout {
    return setTimeout(() => this.#end(), Math.max(1, Math.ceil(this.leftMs)))
  }

  #end(): void {
    this.#timer = undefined
    for (const onLate of [...(this.#onLate ?? [])]) onLate()
  }
}

const lateProblem = () => unavailableProblem('detail.late')

/** The deadline of the request that is worked on; undefined for work of the server itself. */
function currentDeadline(): Deadline | undefined {
  const scope = requestScopes.getStore()
  return scope instanceof Deadline && scope.isRunning ? scope : undefined
}

/**
 * Waits for work until the deadline of the request that is worked on; then calls `giveUp` and throws
 * 503/5031.
 */
export function inTime<T>(work: () => Promise<T>, giveUp?: () => void): Promise<T> {
  return currentDeadline()?.wait(work, giveUp) ?? work()
}

/** Throws 503/5031 if the request that is worked on has no time left. */
export function requireTime(): void {
  if (leftMs(1) <= 0) throw lateProblem()
}

/** The time that the request that is worked on has left, in whole milliseconds; at most `limitMs`. */
export const leftMs = (limitMs: number): number =>
  Math.max(0, Math.floor(Math.min(limitMs, currentDeadline()?.leftMs ?? limitMs)))

/** Waits for work that may take longer than a request may; the time of the request does not run meanwhile. */
export const withoutTimeLimit = <T>(work: () => Promise<T>): Promise<T> => waitForClient(work)

/** Waits for what the client of the request does or asks to wait for; its time does not run meanwhile. */
export const waitForClient = <T>(wait: () => Promise<T>): Promise<T> =>
  currentDeadline()?.pause(wait) ?? wait()
