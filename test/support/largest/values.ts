import type { TSchema } from 'typebox'
import { type Shape, shapeOf } from '#schema/shape.ts'
import { countryCodes } from '#values/countries.ts'

/** What the largest value of a schema is made of. */
export interface ValueParts {
  /** The IDs that lists hold: by the name of the member of their objects, and `products` of others. */
  readonly ids: Readonly<Record<string, readonly number[]>>
  /** A valid value, whose parts of a fixed form, such as an address, are kept. */
  readonly example: unknown
}

/** A character of four bytes in UTF-8, which JSON may write as two escapes of six bytes each. */
const wideCharacter = '🫖'

/** Returns the largest value that a schema admits: texts, lists and maps at their declared maximum. */
export const largestValue = (schema: TSchema, parts: ValueParts): unknown =>
  largest(shapeOf(schema), parts)

const scalars: Readonly<Record<string, unknown>> = {
  ...{ integer: 1, number: 1, boolean: true, money: 1, identifier: 1, links: {}, any: {} },
  instant: '2036-01-31T12:00:00.000Z',
}

function largest(shape: Shape, parts: ValueParts): unknown {
  const { example } = parts
  switch (shape.kind) {
    case 'nullable':
      return largest(shape.of, { ...parts, example: example ?? undefined })
    case 'union':
      return example ?? largest(shape.variants[0] ?? shape, parts)
    case 'enum':
      return example ?? shape.values.at(-1)
    case 'text':
      return largestText(shape.schema, example)
    case 'list':
      return largestList(shape, parts)
    case 'object':
    case 'amount':
      return Object.fromEntries(largestMembers(shape, parts))
    case 'map': {
      const names = numbersTo(shape.schema.maxProperties ?? 0).map((at) => `m${at}`)
      const values = names.map((name) => [
        name,
        largest(shape.values, { ...parts, example: undefined }),
      ])
      return Object.fromEntries([...largestMembers(shape, parts), ...values])
    }
    default:
      return example ?? scalars[shape.kind]
  }
}

const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)

/** Returns the members that the example has; all without an example. */
function largestMembers(
  { members }: Extract<Shape, { members: unknown }>,
  { example, ids }: ValueParts,
): readonly (readonly [string, unknown])[] {
  const known = (example ?? {}) as Readonly<Record<string, unknown>>
  return members
    .filter(({ name }) => example === undefined || name in known)
    .map(({ name, shape }) => [name, largest(shape, { ids, example: known[name] })])
}

/** Returns the longest text; where not every text is valid, the example, with a longer query if it is a URL. */
function largestText(schema: Shape['schema'], example: unknown): unknown {
  const { maxLength = 0, format, pattern, documented, examples, writeOnly } = schema
  const wide = wideCharacter.repeat(maxLength)
  const isAny = format === undefined && !documented && !writeOnly
  if (isAny && (pattern === undefined || new RegExp(pattern, 'u').test(wide))) return wide
  const known = String(example ?? examples?.[0] ?? 'https://example.com/a')
  return format === 'uri' ? `${known}?`.padEnd(maxLength, 'x') : known
}

function largestList({ schema, items }: Extract<Shape, { kind: 'list' }>, parts: ValueParts) {
  const known = (parts.example ?? []) as readonly unknown[]
  const count = schema.maxItems ?? 0
  if (items.kind === 'enum') return items.values.slice(0, count)
  if (items.schema.format === 'country') return countryCodes.slice(0, count)
  return numbersTo(count).map((at) => {
    const entry = largest(items, { ...parts, example: known[at] ?? known[0] })
    return distinct(entry, at, parts)
  })
}

/** Makes an entry of a list differ from the others: by its end, its ID, or that of a member. */
function distinct(value: unknown, at: number, { ids }: ValueParts): unknown {
  if (typeof value === 'number') return ids['products']?.[at] ?? value
  if (typeof value === 'string') {
    return [...value].slice(0, -4).join('') + String(at).padStart(4, '0')
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, ids[name]?.[at] ?? inner])
  return Object.fromEntries(entries)
}
