import { StoreClosedError } from './errors.ts'

/** What is under way at a store: to close, it takes nothing more and waits for that. */
export class InFlightWork {
  readonly #waiting: (() => void)[] = []
  #count = 0
  #closing = false

  /** Refuses where the store is closing. */
  assertOpen(): void {
    if (this.#closing) throw new StoreClosedError('The store is closing')
  }

  /** Does the work and counts it as under way until it settles. */
  async do<T>(work: () => Promise<T>): Promise<T> {
    this.assertOpen()
    this.#count += 1
    try {
      return await work()
    } finally {
      this.#count -= 1
      if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  /** Takes nothing more, and resolves once nothing is under way. */
  async close(): Promise<void> {
    this.#closing = true
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}
