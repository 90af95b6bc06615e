import { unavailableProblem } from './problem.ts'

type Waiting = Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>

/** How many may wait in a queue. */
interface QueueLimits {
  /** In all; beyond it, the last one of the owner with most of them gives way, with 503/5031. */
  readonly total: number
  /** Of one owner; beyond it, 503/5031. */
  readonly ofOwner: number
}

/** Works that wait for a place: their owners take turns, and those of one owner keep their order. */
export class TurnQueue {
  // A Map iterates in insertion order: an owner who had a turn goes to the end.
  readonly #queues = new Map<string, Waiting[]>()
  readonly #limits: QueueLimits
  #size = 0

  constructor(limits: Partial<QueueLimits> = {}) {
    this.#limits = { total: Number.POSITIVE_INFINITY, ofOwner: Number.POSITIVE_INFINITY, ...limits }
  }

  /** The number of works that wait. */
  get size(): number {
    return this.#size
  }

  /** Resolves when it is the turn of a work of the owner; throws or rejects with 503/5031 if too many wait. */
  wait(owner: string): Promise<void> {
    const queue = this.#queues.get(owner) ?? []
    if (queue.length >= this.#limits.ofOwner) throw unavailableProblem('detail.overloaded')
    if (this.#size >= this.#limits.total) this.#giveWay(queue.length)
    const { promise, ...waiting } = Promise.withResolvers<void>()
    queue.push(waiting)
    this.#queues.set(owner, queue)
    this.#size += 1
    return promise
  }

  /** Lets the next one go on; false if none waits. */
  admitNext(): boolean {
    const [first] = this.#queues
    if (!first) return false
    const [owner, queue] = first
    const next = queue.shift()
    this.#queues.delete(owner)
    if (queue.length > 0) this.#queues.set(owner, queue)
    this.#size -= 1
    next?.resolve()
    return true
  }

  /** Makes room for one more of an owner who has `waiting`: throws if nobody has more than that. */
  #giveWay(waiting: number): void {
    const longest = [...this.#queues.values()].reduce(
      (found, queue) => (queue.length > found.length ? queue : found),
      [],
    )
    if (longest.length <= waiting + 1) throw unavailableProblem('detail.overloaded')
    longest.pop()?.reject(unavailableProblem('detail.overloaded'))
    this.#size -= 1
  }
}
