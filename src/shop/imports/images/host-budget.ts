import { minuteMs, secondMs } from '#values/instant.ts'

/** What is known of a host that images of an import are fetched from. */
interface HostState {
  /** The images in a row for which it did not answer. */
  failures: number
  /** The time beyond `freeMs` that its images have taken. */
  lostMs: number
}

/** A host is given up after this many images in a row for which it did not answer. */
const maxFailures = 3
/** The time for an image that costs nothing. */
const freeMs = 2 * secondMs
/** A host is given up once its images have taken this much longer. */
const maxLostMs = 5 * minuteMs
/** No image is fetched any more once those of all hosts have taken this much longer. */
const maxTotalMs = 60 * minuteMs

/** Bounds the time that the images of an import take, however many slow hosts it names. */
export class HostBudget {
  readonly #hosts = new Map<string, HostState>()
  #totalMs = 0

  /** True if nothing more is fetched from a host. */
  isGivenUp(host: string): boolean {
    const { failures = 0, lostMs = 0 } = this.#hosts.get(host) ?? {}
    return failures >= maxFailures || lostMs > maxLostMs || this.#totalMs > maxTotalMs
  }

  /** Notes how long an image of a host has taken, and whether the host answered. */
  note(host: string, tookMs: number, hasAnswered: boolean): void {
    const { failures, lostMs } = this.#hosts.get(host) ?? { failures: 0, lostMs: 0 }
    const lost = Math.max(0, tookMs - freeMs)
    this.#totalMs += lost
    this.#hosts.set(host, { failures: hasAnswered ? 0 : failures + 1, lostMs: lostMs + lost })
  }
}
