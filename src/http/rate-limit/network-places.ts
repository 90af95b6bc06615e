import type { Instant } from '#values/instant.ts'
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
  readonly owner: string
  readonly #measure: Measure
  readonly #onEnd: (ms: number, now: Instant) => void
  readonly #queue = new TurnQueue({ total: maxWaiting, ofOwner: maxWaiting })
  #meanMs = assumedMs
  #inProgress = 0
  #away = 0

  /** `onEnd` gets what a request has cost, and when it began. */
  constructor(owner: string, measure: Measure, onEnd: (ms: number, now: Instant) => void) {
    this.owner = owner
    this.#measure = measure
    this.#onEnd = onEnd
  }

  /** True without a request. */
  get isIdle(): boolean {
    return this.#inProgress === 0 && this.#away === 0
  }

  /** Takes a place once there is one, in turn with other callers. Throws or rejects with 503/5031 if too many wait. */
  take(caller: string, now: Instant): Place | Promise<Place> {
    if (this.#queue.size > 0 || !this.#hasRoom()) {
      return this.#queue.wait(caller).then(() => new TakenPlace(this, this.#measure, now))
    }
    this.#inProgress += 1
    return new TakenPlace(this, this.#measure, now)
  }

  /** Gives a place to the next one while its request waits elsewhere; false if too many do. */
  leave(): boolean {
    if (this.#away >= maxAway) return false
    this.#away += 1
    this.#inProgress -= 1
    this.#admit()
    return true
  }

  /** Takes a place again, without a turn: the request may hold what others wait for. */
  comeBack(): void {
    this.#away -= 1
    this.#inProgress += 1
  }

  /** Ends a request that has a place. */
  end(ms: number, now: Instant): void {
    this.#inProgress -= 1
    this.#meanMs += (Math.min(ms, maxCountedMs) - this.#meanMs) * lastWeight
    this.#admit()
    this.#onEnd(ms, now)
  }

  /** Passes free places on to those that wait. */
  #admit(): void {
    while (this.#hasRoom() && this.#queue.admitNext()) this.#inProgress += 1
  }

  #hasRoom(): boolean {
    return this.#inProgress < Math.max(minInProgress, maxInProgressMs / this.#meanMs)
  }
}

const noop = () => undefined

class TakenPlace implements Place {
  readonly #places: NetworkPlaces
  readonly #measure: Measure
  readonly #now: Instant
  /** Ends what is measured; undefined while the request waits elsewhere. */
  #endPart: (() => number) | undefined
  #ms = 0
  isEnded = false

  constructor(places: NetworkPlaces, measure: Measure, now: Instant) {
    this.#places = places
    this.#measure = measure
    this.#now = now
    this.#endPart = measure()
  }

  get owner(): string {
    return this.#places.owner
  }

  leave(): () => void {
    const endPart = this.#endPart
    if (this.isEnded || !endPart || !this.#places.leave()) return noop
    this.#ms += endPart()
    this.#endPart = undefined
    return () => this.#comeBack()
  }

  end(): void {
    this.#comeBack()
    this.isEnded = true
    this.#ms += this.#endPart?.() ?? 0
    this.#places.end(this.#ms, this.#now)
  }

  #comeBack(): void {
    if (this.isEnded || this.#endPart) return
    this.#places.comeBack()
    this.#endPart = this.#measure()
  }
}
