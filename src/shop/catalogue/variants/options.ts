import { textKey } from '#values/text-key.ts'

/** The options of a variant by name. */
export type Options = Readonly<Record<string, string>>

/** Parses stored options; null for a product that is no variant. */
export const parseOptions = (stored: string | null): Options | null =>
  stored === null ? null : (JSON.parse(stored) as Options)

/** Parses the stored option names of a parent; none for any other product. */
export const parseOptionNames = (stored: string | null): readonly string[] =>
  stored === null ? [] : (JSON.parse(stored) as readonly string[])

const sortedEntries = (options: Options): readonly (readonly [string, string])[] =>
  Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1))

/** The form of stored options that is unique among the variants of a parent. */
export function optionsKeyOf(stored: string | null): string | null {
  const options = parseOptions(stored)
  if (options === null) return null
  return JSON.stringify(sortedEntries(options).map(([name, value]) => [name, textKey(value)]))
}

/** The entry of the search index for the products with an option; the value in any case. */
export const optionEntry = (name: string, value: string): string =>
  `@${name}=${encodeURIComponent(textKey(value.toWellFormed()))};`
