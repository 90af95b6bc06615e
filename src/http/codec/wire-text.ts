import { type Shape, withoutNull } from '#schema/shape.ts'

/** Parses a decimal integer; undefined for other text and beyond 2^53 - 1. */
export function parseInteger(text: string): number | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

/**
 * Converts the text of a query parameter, or each of its texts, to the JSON type of its schema. A
 * text that is not of that type stays a text, which the codec rejects.
 */
export function coerceText(text: string | readonly string[], shape: Shape): unknown {
  if (typeof text !== 'string') {
    return text.map((each) => coerceText(each, shape.kind === 'list' ? shape.items : shape))
  }
  const { kind } = withoutNull(shape)
  if (kind === 'integer' || kind === 'identifier') return parseInteger(text) ?? text
  if (kind === 'number' || kind === 'money') return parseDecimal(text) ?? text
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** Parses a decimal number; undefined for other text. */
export const parseDecimal = (text: string): number | undefined =>
  /^-?\d{1,16}(\.\d{1,20})?$/.test(text) ? Number(text) : undefined
