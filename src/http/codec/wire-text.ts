import type { TSchema } from 'typebox'

/** Reads decimal digits as a whole number; undefined for anything else. */
export function toWholeNumber(text: string): number | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

/**
 * Gives a text that stands for a value (in a query, in XML) the JSON type its schema asks for;
 * a text that cannot be of that type stays a text, for the codec to refuse.
 */
export function typedFromText(text: string, schema: TSchema): unknown {
  const { type, anyOf } = schema as { type?: string; anyOf?: readonly TSchema[] }
  const [first] = anyOf ?? []
  if (first) return typedFromText(text, first)
  if (type === 'integer') return toWholeNumber(text) ?? text
  if (type === 'number') return /^-?\d{1,16}(\.\d{1,16})?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
