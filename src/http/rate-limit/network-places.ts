import type { RequestPlace } from '#values/request-place.ts'
import { TurnQueue } from '#values/turn-queue.ts'
import type { Measure } from './work-measure.ts'

/** The work of one network that may be in progress at once, in milliseconds of the event loop. */
const maxInProgressMs = 50
const minInProgress = 2
/** The requests of one network that may wait: more than it has connections, unless it is hostile. */
const maxWaiting = 500
/** The requests of one network that may wait elsewhere without a place; others keep theirs. */
const maxAway = 500
/** What a request of a network costs until some are measured. */
const assumedMs = 25
/** The weight of the last request in the mean cost of a network's requests. */
const lastWeight = 0.2
const maxCountedMs = 250

/** A place of a request until its end. */
export interface Place extends RequestPlace {
  readonly end: () => void
}

/** The places of one network: as many requests are in progress as cost 50 ms together. */
export class NetworkPlaces {
  readonly #owner: string
  readonly #measure: Measure
  readonly #queue = new TurnQueue({ total: maxWaiting, ofOwner: maxWaiting })
  #meanMs = assumedMs
  #inProgress = 0
  #away = 0

  constructor(owner: string, measure: Measure) {
    this.#owner = owner
    this.#measure = measure
  }

  /** True without a request. */
  get isIdle(): boolean {
    return this.#inProgress === 0 && this.#away === 0
  }

  /**
   * Takes a place once there is one, in turn with other callers; `onEnd` gets what the request has cost.
   * Throws or rejects with 503/5031 if too many wait.
   */
  take(caller: string, onEnd: (ms: number) => void): Place | Promise<Place> {
    if (this.#queue.size > 0 || !this.#hasRoom()) {
      return this.#queue.wait(caller).then(() => this.#begin(onEnd))
    }
    this.#inProgress += 1
    return this.#begin(onEnd)
  }

  #begin(onEnd: (ms: number) => void): Place {
    let endPart: (() => number) | undefined = this.#measure()
    let ms = 0
    let isEnded = false
    const free = (): void => {
      ms += endPart?.() ?? 0
      endPart = undefined
      this.#inProgress -= 1
    }
    const comeBack = (): void => {
      if (endPart || isEnded) return
      endPart = this.#measure()
      this.#away -= 1
      // Without a turn: it may hold what others wait for.
      this.#inProgress += 1
    }
    return {
      owner: this.#owner,
      get isEnded() {
        return isEnded
      },
      leave: () => {
        if (isEnded || !endPart || this.#away >= maxAway) return () => undefined
        free()
        this.#away += 1
        this.#admit()
        return comeBack
      },
      end: () => {
        comeBack()
        isEnded = true
        free()
        this.#meanMs += (Math.min(ms, maxCountedMs) - this.#meanMs) * lastWeight
        this.#admit()
        onEnd(ms)
      },
    }
  }

  /** Passes free places on to those that wait. */
  #admit(): void {
    while (this.#hasRoom() && this.#queue.admitNext()) this.#inProgress += 1
  }

  #hasRoom(): boolean {
    return this.#inProgress < Math.max(minInProgress, maxInProgressMs / this.#meanMs)
  }
}
