import { nameKey } from '#shop/catalogue/products/named-values.ts'
import { textKey } from '#values/text-key.ts'
import { namedAs, type Options } from './options.ts'

/** The maximum number of values of an option that a parent shows, and the maximum of their characters. */
const maxListedValues = 100
const maxListedCharacters = 10_000

/** An option of a parent. */
export interface ListedOption {
  readonly name: string
  /** Its values in their order, in the spelling of one of the variants. */
  readonly values: readonly string[]
  /** The keys of the values that no variant has yet, and that are kept nevertheless. */
  readonly kept?: readonly string[] | undefined
}

/** Parses the stored options of a parent; none for any other product. */
export const parseOptionList = (stored: string | null): readonly ListedOption[] =>
  stored === null ? [] : (JSON.parse(stored) as readonly ListedOption[])

/** The values that variants have of an option, in their first spelling, by their keys. */
export function valuesOf(variants: readonly Options[], name: string): ReadonlyMap<string, string> {
  const nameOf = nameKey(name)
  const values = new Map<string, string>()
  for (const options of variants) {
    for (const [own, value] of Object.entries(options)) {
      const key = textKey(value)
      if (nameKey(own) === nameOf && !values.has(key)) values.set(key, value)
    }
  }
  return values
}

/**
 * Returns the options of a parent as its variants have them, in the order of its options before; what is new comes last.
 * A list is cut at 100 values of an option and 10,000 characters of all.
 */
export function listOptions(
  before: readonly ListedOption[],
  variants: readonly Options[],
): readonly ListedOption[] {
  const [first = {}] = variants
  const named =
    namedAs(
      first,
      before.map(({ name }) => name),
    ) ?? first
  let left = maxListedCharacters
  return Object.keys(named).map((name) => {
    const known = before.find((option) => nameKey(option.name) === nameKey(name))
    const used = valuesOf(variants, name)
    const ordered = orderValues(known, used)
    const values: string[] = []
    for (const value of ordered.values()) {
      left -= value.length
      if (left < 0 || values.length === maxListedValues) break
      values.push(value)
    }
    const kept = known?.kept?.filter((key) => !used.has(key)) ?? []
    return { name, values, ...(kept.length > 0 ? { kept } : {}) }
  })
}

/** The values of an option that variants have or that are kept, in the order before. */
function orderValues(
  known: ListedOption | undefined,
  used: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const ordered = new Map<string, string>()
  for (const value of known?.values ?? []) {
    const key = textKey(value)
    const shown = used.get(key) ?? (known?.kept?.includes(key) ? value : undefined)
    if (shown !== undefined) ordered.set(key, shown)
  }
  for (const [key, value] of used) ordered.set(key, value)
  return ordered
}
