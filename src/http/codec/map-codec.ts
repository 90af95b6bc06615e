import { createMessage } from '#i18n/message.ts'
import type { Keywords } from '#schema/keywords.ts'
import { type FieldIssue, maxIssues } from '#values/problem.ts'
import { tooFewMessage, validateText } from './text.ts'
import type { Codec } from './value-codec.ts'

/** Validates the name of a member. One with nothing to read is wrong; it is not a member that is missing. */
function validateName(
  constraints: Keywords,
  name: string,
  field: string,
  issues: FieldIssue[],
): void {
  const found: FieldIssue[] = []
  validateText(constraints, name, field, found)
  issues.push(...found.map(({ message }) => ({ field, message })))
}

/**
 * Creates the codec of an object with any member names of a pattern, from that of its values; `known`
 * are the codecs of members of other types.
 */
export function mapCodec(
  { propertyNames = {}, minProperties = 0, maxProperties = 100 }: Keywords,
  values: Codec,
  known: ReadonlyMap<string, Codec>,
): Codec {
  const convert = (value: object, each: (inner: unknown, key: string) => unknown) =>
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, each(inner, key)]))
  const decode = (input: unknown, field: string, issues: FieldIssue[]): unknown => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      issues.push({ field, message: createMessage('field.object') })
      return {}
    }
    const names = Object.keys(input)
    if (names.length < minProperties) {
      issues.push({ field, message: tooFewMessage('field.min_items', minProperties) })
    }
    if (names.length > maxProperties) {
      issues.push({ field, message: createMessage('field.max_items', { limit: maxProperties }) })
      return {}
    }
    return convert(input, (inner, key) => {
      if (issues.length >= maxIssues) return undefined
      const codec = known.get(key)
      if (!codec) validateName(propertyNames, key, `${field}.${key}`, issues)
      return (codec ?? values).decode(inner, `${field}.${key}`, issues)
    })
  }
  const encode = (value: unknown) =>
    convert(value as object, (inner, key) => (known.get(key) ?? values).encode(inner))
  return { encode, decode }
}
