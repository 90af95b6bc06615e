import { nameKey } from '#shop/catalogue/products/named-values.ts'
import { textKey } from '#values/text-key.ts'

/** The options of a variant by name. */
export type Options = Readonly<Record<string, string>>

/** Parses stored options; null for a product that is no variant. */
export const parseOptions = (stored: string | null): Options | null =>
  stored === null ? null : (JSON.parse(stored) as Options)

const byText = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : 1

/** The form of stored options that is unique among the variants of a parent. */
export function optionsKeyOf(stored: string | null): string | null {
  const options = parseOptions(stored)
  if (options === null) return null
  const pairs = Object.entries(options).map(
    ([name, value]) => [nameKey(name), textKey(value)] as const,
  )
  return JSON.stringify(pairs.sort(byText))
}

/** The entry of the search index for the products with an option; name and value in any spelling. */
export const optionEntry = (name: string, value: string): string =>
  valueEntry(encodeURIComponent(nameKey(name)), value)

/** The same for a value of a kind of values, of which the name has only ASCII characters and no blanks. */
export const valueEntry = (kind: string, value: string): string =>
  `@${kind}=${encodeURIComponent(textKey(value.toWellFormed()))};`

/**
 * Options with the names of others in their spelling and order. Returns undefined unless they have the same names.
 */
export function namedAs(options: Options, names: readonly string[]): Options | undefined {
  const values = new Map(Object.entries(options).map(([name, value]) => [nameKey(name), value]))
  const entries = names.map((name) => [name, values.get(nameKey(name))] as const)
  const isSame = values.size === names.length && entries.every(([, value]) => value !== undefined)
  return isSame ? (Object.fromEntries(entries) as Options) : undefined
}
