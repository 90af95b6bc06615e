import { type Bits, emptyBits, type IdRange, IdSet, intersect, unite } from './id-set.ts'

/** An id, and how far it is from what was searched. */
export interface RankedId {
  readonly id: number
  readonly distance: number
}

/** A range of ranked ids; the position after which it begins has both. */
export interface RankedRange extends Omit<IdRange, 'after'> {
  readonly after?: RankedId | undefined
}

/** The ids that a search has found, by their distance from what was searched. */
export class RankedIds {
  /** The ids by distance, ascending. */
  readonly #sets: readonly (readonly [distance: number, ids: IdSet])[]
  /** All of them. */
  readonly all: IdSet

  constructor(blocks: ReadonlyMap<number, ReadonlyMap<number, Bits>>) {
    const byDistance = new Map<number, Map<number, Bits>>()
    const all = new Map<number, Bits>()
    for (const [block, sets] of blocks) {
      for (const [distance, bits] of sets) {
        byDistance.set(distance, (byDistance.get(distance) ?? new Map()).set(block, bits))
        all.set(block, unite(all.get(block) ?? emptyBits(), bits))
      }
    }
    this.#sets = Array.from(
      byDistance,
      ([distance, found]) => [distance, new IdSet(found)] as const,
    )
      .filter(([, { size }]) => size > 0)
      .sort(([one], [other]) => one - other)
    this.all = new IdSet(all)
  }

  /** The ids of a set, all equally far. */
  static equal(set: IdSet): RankedIds {
    return new RankedIds(
      new Map(set.blocks.map((block) => [block, new Map([[0, set.block(block)]])])),
    )
  }

  /** The ids of a range: by distance, then by id, both in the same order; `skip` is ignored with `after`. */
  take({ order, skip, after, count }: RankedRange): RankedId[] {
    const taken: RankedId[] = []
    let rest = after === undefined ? skip : 0
    for (const [distance, ids] of order === 'asc' ? this.#sets : this.#sets.toReversed()) {
      if (taken.length >= count) break
      if (after !== undefined && isBefore(distance, after.distance, order)) continue
      const from = distance === after?.distance ? after.id : undefined
      const range = { order, skip: rest, after: from, count: count - taken.length }
      rest -= Math.min(rest, ids.size)
      for (const id of ids.take(range)) taken.push({ id, distance })
    }
    return taken
  }

  /** Those of them that are in a set. */
  within(set: IdSet): RankedIds {
    const blocks = set.blocks.map((block) => {
      const found = this.#sets.map(
        ([distance, ids]) => [distance, intersect(ids.block(block), set.block(block))] as const,
      )
      return [block, new Map(found)] as const
    })
    return new RankedIds(new Map(blocks))
  }
}

const isBefore = (distance: number, other: number, order: 'asc' | 'desc'): boolean =>
  order === 'asc' ? distance < other : distance > other
