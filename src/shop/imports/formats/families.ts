import { textKey } from '#values/text-key.ts'
import { type Fields, maxNoted } from './format.ts'

/** A product whose variants have records of their own. */
export interface Parent {
  readonly sku: string
  /** What its variants have of it. */
  readonly fields: Fields
}

/** What the records of a file say of products and their variants, whichever comes first. */
export class Families {
  readonly #parents = new Map<string, Parent>()
  readonly #prices = new Map<string, number>()
  readonly #options = new Map<string, Set<string>>()

  /** Notes a product by each text by which its variants name it. */
  addParent(names: readonly string[], parent: Parent): void {
    for (const name of names) addBounded(this.#parents, textKey(name), parent)
  }

  /** Notes the price of a variant of the product with this name. */
  addPrice(name: string, price: unknown): void {
    if (typeof price !== 'number') return
    const key = textKey(name)
    addBounded(this.#prices, key, Math.min(price, this.#prices.get(key) ?? price))
  }

  /** Notes the names of the options of a variant of the product with this name. */
  addOptions(name: string, options: readonly string[]): void {
    const key = textKey(name)
    const known = this.#options.get(key) ?? new Set()
    for (const each of options) known.add(each)
    addBounded(this.#options, key, known)
  }

  /** Returns the names of the options of the variants that name a product so. */
  optionsOf = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => [...(this.#options.get(textKey(name)) ?? [])])

  /** Returns the product that variants name so; undefined if the file has none. */
  parentOf = (name: string): Parent | undefined => this.#parents.get(textKey(name))

  /** Returns the lowest price of the variants that name a product so; null without any. */
  lowestPrice(names: readonly string[]): number | null {
    const prices = names.flatMap((name) => this.#prices.get(textKey(name)) ?? [])
    return prices.length === 0 ? null : Math.min(...prices)
  }
}

/** Sets an entry of a map unless it has too many. */
export function addBounded<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size < maxNoted || map.has(key)) map.set(key, value)
}
