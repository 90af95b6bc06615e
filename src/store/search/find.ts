import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { textIn } from '#store/query/dialect.ts'
import type { Tables } from '#store/tables.ts'
import { type Bits, decodeBits, emptyBits, intersect, isEmpty, subtract, unite } from './id-set.ts'
import type { QueryWords, Span } from './query-words.ts'
import { RankedIds } from './ranked-ids.ts'
import { blockOfIds, isOfShownTexts, rankedEntry, wholeWords } from './word-index.ts'
import { rankCount } from './words.ts'

/** What products are searched for: words, one entry of each list, and not the excluded one. */
export interface EntrySearch {
  readonly words: QueryWords
  readonly entries: readonly (readonly string[])[]
  readonly excluded?: string | undefined
  /** True to find hidden products, too. */
  readonly withHidden: boolean
}

/** Only so many words decide about the order; bounds the work for a long search. */
const maxRankedPlaces = 4
/** More than the largest distance without a correction. */
const penaltyUnit = 1000

/** The blocks that are searched, a few milliseconds, before other requests are served. */
const blocksPerTurn = 32

const ranks = Array.from({ length: rankCount }, (_, rank) => rank)

/** The entries of a word by their distance: as a whole before its beginning, each by rank. */
const entriesByDistance = (word: string): readonly (readonly string[])[] =>
  ranks.flatMap((rank) => [
    wholeWords(word).map((key) => rankedEntry(key, rank)),
    [rankedEntry(word, rank)],
  ])

const everything = (): Bits => emptyBits().fill(0xffffffff)

/** The products of a block at a place of the search, by their distance so far. */
type Found = Map<number, Bits>

const addTo = (found: Found, distance: number, bits: Bits): void => {
  if (isEmpty(bits)) return
  const known = found.get(distance)
  found.set(distance, known ? unite(known, bits) : bits)
}

/** Adds the products that are in both, at the sum of their distances. */
function addAll(target: Found = new Map(), found: Found, others: Found): void {
  for (const [distance, bits] of found) {
    for (const [more, of] of others) addTo(target, distance + more, intersect(bits, of))
  }
}

/** The same with each product at its smallest distance only, ascending. */
function nearest(found: Found): Found {
  if (found.size < 2) return found
  const distances = [...found.keys()].sort((one, other) => one - other)
  const result: Found = new Map()
  let seen = emptyBits()
  for (const distance of distances) {
    const bits = found.get(distance) ?? emptyBits()
    addTo(result, distance, subtract(bits, seen))
    seen = unite(seen, bits)
  }
  return result
}

/** A search in one block of ids. */
class BlockSearch {
  readonly #ids: ReadonlyMap<string, string>

  constructor(ids: ReadonlyMap<string, string>) {
    this.#ids = ids
  }

  #any(entries: readonly string[]): Bits | undefined {
    const found = entries.flatMap((entry) => this.#ids.get(entry) ?? [])
    return found.length === 0 ? undefined : found.map((ids) => decodeBits(ids)).reduce(unite)
  }

  /** The products with an entry of each list and without the excluded one. */
  #start({ entries, excluded = '' }: EntrySearch): Bits {
    const start = entries
      .map((list) => this.#any(list) ?? emptyBits())
      .reduce(intersect, everything())
    const minus = this.#any([excluded])
    return minus ? subtract(start, minus) : start
  }

  /** The products that have the words of a span, by distance. */
  #wordsOf({ from, words, penalty }: Span): Found {
    const byWord = words.map((word) =>
      entriesByDistance(word).flatMap((entries, distance) => {
        const bits = this.#any(entries)
        return bits ? [[distance, bits] as const] : []
      }),
    )
    const [only] = byWord
    if (only && byWord.length === 1 && from < maxRankedPlaces) {
      return new Map(only.map(([distance, bits]) => [penalty * penaltyUnit + distance, bits]))
    }
    const all = byWord.map((found) => found.map(([, bits]) => bits).reduce(unite, emptyBits()))
    return new Map([[penalty * penaltyUnit, all.reduce(intersect)]])
  }

  /** The products that the search finds in this block, by distance. */
  find(search: EntrySearch): Found {
    const { typed, spans, optional } = search.words
    const places: Found[] = Array.from({ length: typed.length + 1 }, () => new Map())
    const start = this.#start(search)
    places[0]?.set(0, start)
    for (const [at, reached] of places.entries()) {
      const found = nearest(reached)
      places[at] = found
      if (at === typed.length) break
      if (found.size === 0) continue
      if (optional.has(at)) addAll(places[at + 1], found, new Map([[1, everything()]]))
      for (const span of spans) {
        if (span.from !== at) continue
        addAll(places[span.to], found, this.#wordsOf(span))
      }
    }
    return places.at(-1) ?? new Map()
  }
}

/** Only the products with the least penalty. */
function likeliest(blocks: ReadonlyMap<number, Found>): ReadonlyMap<number, Found> {
  const penaltyOf = (distance: number): number => Math.floor(distance / penaltyUnit)
  const least = Math.min(
    ...[...blocks.values()].flatMap((found) => [...found.keys()].map(penaltyOf)),
  )
  return new Map(
    Array.from(blocks, ([block, found]) => {
      const kept = [...found].filter(([distance]) => penaltyOf(distance) === least)
      return [block, new Map(kept)] as const
    }),
  )
}

/** Returns the products that a search finds, by their distance from it, with one query. */
export async function findByEntries(db: Kysely<Tables>, search: EntrySearch): Promise<RankedIds> {
  const { words, entries, excluded, withHidden } = search
  const ofWords = words.spans.flatMap((span) => span.words.flatMap(entriesByDistance)).flat()
  const sought = [...ofWords, ...entries.flat(), ...(excluded === undefined ? [] : [excluded])]
  const rows = await db
    .selectFrom('product_words')
    .where(textIn(db, 'product_words.word', [...new Set(sought)]))
    .$if(!withHidden, (shown) => shown.where(isOfShownTexts))
    .select(['product_words.word', 'product_words.block', 'product_words.ids'])
    .execute()
  const blocks = new Map<number, Found>()
  for (const [block, found] of Map.groupBy(rows, (row) => row.block)) {
    if (blocks.size > 0 && blocks.size % blocksPerTurn === 0) await nextTurn()
    const ids = new Map(found.map((row) => [row.word, row.ids]))
    const places = blocks.get(blockOfIds(block)) ?? new Map()
    for (const [distance, bits] of new BlockSearch(ids).find(search)) addTo(places, distance, bits)
    blocks.set(blockOfIds(block), places)
  }
  return new RankedIds(likeliest(blocks))
}
