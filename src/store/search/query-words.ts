import { foldings } from './fold.ts'
import {
  isSmall,
  joinParts,
  maxJoinedParts,
  type Part,
  pairsOf,
  partsOf,
  symbolsOf,
  truncate,
} from './parts.ts'

const maxPlaces = 32

/** Words that a product may have for the words of a search from one place to another. */
export interface Span {
  readonly from: number
  readonly to: number
  /** A product must have all of them; more than one only in a correction. */
  readonly words: readonly string[]
  /** How unlikely it is that they are meant; 0 for what was typed. */
  readonly penalty: number
}

/** A search: a product must have the words of spans that lead from the first place to the last. */
export interface QueryWords {
  /** What was typed, a word for each place. */
  readonly typed: readonly string[]
  readonly spans: readonly Span[]
  /** The places of small words, which may be left out. */
  readonly optional: ReadonlySet<number>
}

/** The parts of a query, with each pair of characters of a script without spaces as one. */
const placesOf = (folded: string): readonly Part[] =>
  partsOf(folded)
    .flatMap((part) =>
      part.isUnspaced ? pairsOf(part.text).map((text) => ({ ...part, text })) : [part],
    )
    .slice(0, maxPlaces)

/** The spans of up to four neighbouring parts, whatever is between them. */
function spansOf(places: readonly Part[]): readonly Span[] {
  return places.flatMap((place, from) => {
    if (place.isUnspaced) return [{ from, to: from + 1, words: [place.text], penalty: 0 }]
    const following = places.slice(from, from + maxJoinedParts)
    const end = following.findIndex(({ isUnspaced }) => isUnspaced)
    const joined = end === -1 ? following : following.slice(0, end)
    return joined.map((_, at) => {
      const words = [joinParts(joined.slice(0, at + 1))]
      return { from, to: from + at + 1, words, penalty: 0 }
    })
  })
}

const ofSymbols = (symbols: readonly string[]): QueryWords => ({
  typed: symbols,
  spans: symbols.map((symbol, at) => ({ from: at, to: at + 1, words: [symbol], penalty: 0 })),
  optional: new Set(),
})

/** The first 32 words of a search; its symbols if it has no words. */
export function wordsOfQuery(query: string): QueryWords {
  const folded = foldings(query)
  const [places = [], ...others] = folded.map(placesOf)
  if (places.length === 0) return ofSymbols(symbolsOf(folded[0] ?? '').slice(0, maxPlaces))
  const small = places.map((_, at) =>
    [places, ...others].some((spelled) => {
      const place = spelled[at]
      return place !== undefined && isSmall(place)
    }),
  )
  const isSmallOnly = small.every(Boolean)
  const spans = new Map(
    [places, ...others]
      .flatMap(spansOf)
      .map((span) => [`${span.from} ${span.to} ${span.words}`, span]),
  )
  return {
    typed: places.map(({ text }) => truncate(text)),
    spans: [...spans.values()],
    optional: new Set(isSmallOnly ? [] : small.flatMap((isSmall, at) => (isSmall ? [at] : []))),
  }
}
