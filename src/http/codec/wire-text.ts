import type { TSchema } from 'typebox'

/** Parses a decimal integer; undefined for other text and beyond 2^53 - 1. */
export function parseInteger(text: string): number | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

interface Shape {
  readonly type?: string
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
}

/**
 * Converts the text of a query parameter, or each of its texts, to the JSON type of its schema. A
 * text that is not of that type stays a text, which the codec rejects.
 */
export function coerceText(text: string | readonly string[], schema: TSchema): unknown {
  const { type, anyOf, items = schema } = schema as Shape
  if (typeof text !== 'string') return text.map((each) => coerceText(each, items))
  const [variant] = anyOf ?? []
  if (variant) return coerceText(text, variant)
  if (type === 'integer') return parseInteger(text) ?? text
  if (type === 'number') return /^-?\d{1,16}(\.\d{1,20})?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
