import { hash } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import type { ValueOf } from '#schema/words.ts'
import { valueEntry } from '#shop/catalogue/variants/options.ts'
import { textKey } from '#values/text-key.ts'
import { nameKey, valuesByName } from './named-values.ts'

/** The largest number of attributes of a product. */
export const maxAttributes = 100

/** The value of an attribute. */
export const attributeValue = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: 1000, examples: ['enamelled steel'] }),
    Type.Number({ examples: [2.5] }),
    Type.Boolean(),
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 20 }),
  ],
  { component: 'AttributeValue' },
)
type AttributeValue = ValueOf<typeof attributeValue>

/** The attributes of a product, or a change of them. */
export const attributesOf = <S extends TSchema>(values: S, component?: string) =>
  valuesByName(
    values,
    maxAttributes,
    'Further properties by names of 1 to 50 characters; a value is a text, a number, a boolean or a list of texts.',
    'Material',
    component,
  )

/** The attributes of a product by name. */
export type Attributes = Readonly<Record<string, AttributeValue>>

/** Parses stored attributes. */
export const parseAttributes = (stored: string | null): Attributes =>
  stored === null ? {} : (JSON.parse(stored) as Attributes)

/** A longer value has no facet, and is found by a digest: an index holds only short keys. */
const maxKeyLength = 100

/** What is stored of a value for facets. */
export interface StoredAttribute {
  readonly name_key: string
  readonly value_key: string
  readonly value: string
}

/** The texts of the values of attributes, each once by its key. */
function storedValues(stored: string | null): readonly StoredAttribute[] {
  const values = Object.entries(parseAttributes(stored)).flatMap(([name, value]) => {
    const texts = Array.isArray(value) ? (value as readonly string[]) : [String(value)]
    const name_key = nameKey(name)
    return texts.map((text) => ({ name_key, value_key: textKey(text), value: text }))
  })
  return [
    ...new Map(
      values.map((each) => [JSON.stringify([each.name_key, each.value_key]), each]),
    ).values(),
  ]
}

/** The values of attributes that facets have. */
export const facetValuesOf = (stored: string | null): readonly StoredAttribute[] =>
  storedValues(stored).filter(({ value_key }) => value_key.length <= maxKeyLength)

/** The entry of the search index for the products with a value of an attribute; name and value by their keys. */
function entryOf(name: string, key: string): string {
  const value = key.length <= maxKeyLength ? key : hash('sha256', key)
  return valueEntry(`:attribute.${encodeURIComponent(name)}`, value)
}

/** The entries of the search index for a product with attributes. */
export const attributeEntries = (stored: string | null): readonly string[] =>
  storedValues(stored).map(({ name_key, value_key }) => entryOf(name_key, value_key))

/** The entries that a filter by an attribute looks for: a number is found in every spelling. */
export function filterEntries(name: string, values: readonly string[]): readonly string[] {
  const spelled = values.flatMap((value) => [value, String(Number(value))])
  const keys = spelled.filter((value, at) => at % 2 === 0 || value !== 'NaN')
  return keys.map((value) => entryOf(nameKey(name), textKey(value.toWellFormed())))
}
