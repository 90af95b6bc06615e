import type { RankedId, RankedRange } from './ranked-ids.ts'

/** How many more than wanted are kept before they are sorted. */
const spare = 4096

/** The first of many ids that are added in any order: by distance, then by id. */
export class FirstIds {
  readonly #sign: 1 | -1
  readonly #after: RankedId | undefined
  readonly #count: number
  #kept: RankedId[] = []
  /** None after this one is among the first. */
  #last: RankedId | undefined

  constructor({ order, after, count }: Omit<RankedRange, 'skip'>) {
    this.#sign = order === 'asc' ? 1 : -1
    this.#after = after
    this.#count = count
  }

  /** False if none at this distance is among the first. */
  mayHave(distance: number): boolean {
    return this.#last === undefined || this.#sign * (distance - this.#last.distance) <= 0
  }

  add(id: number, distance: number): void {
    if (this.#last && this.#compare(id, distance, this.#last) > 0) return
    if (this.#after && this.#compare(id, distance, this.#after) <= 0) return
    this.#kept.push({ id, distance })
    if (this.#kept.length >= this.#count + spare) this.#cut()
  }

  /** The first ones, in order. */
  get ids(): readonly RankedId[] {
    this.#cut()
    return this.#kept
  }

  #cut(): void {
    this.#kept.sort((one, other) => this.#compare(one.id, one.distance, other))
    this.#kept.length = Math.min(this.#kept.length, this.#count)
    if (this.#kept.length === this.#count) this.#last = this.#kept.at(-1)
  }

  /** Numbers, since an object for each of a million ids would take as long as all else. */
  #compare(id: number, distance: number, other: RankedId): number {
    return this.#sign * (distance - other.distance || id - other.id)
  }
}
