import { StoreClosedError } from './errors.ts'

/** Counts the work in progress at a store, so that closing rejects new work and waits for the rest. */
export class InFlightWork {
  readonly #onIdle: (() => void)[] = []
  #count = 0
  #isClosing = false

  /** Throws a StoreClosedError once the store is closing. */
  assertOpen(): void {
    if (this.#isClosing) throw new StoreClosedError('The store is closing')
  }

  /** Runs the work, counted until it settles. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.assertOpen()
    this.#count += 1
    try {
      return await work()
    } finally {
      this.#count -= 1
      if (this.#count === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
    }
  }

  /** Refuses new work and resolves once none is in progress. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#count > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }
}
