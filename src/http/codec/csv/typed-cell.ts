import { isDeepStrictEqual } from 'node:util'

const decimal = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/

/**
 * Reads a cell of a value that may have several types: a number, `true`, `false`, or JSON of a list or of a text that
 * would be one of these; anything else is a text as it is.
 */
export function readTypedCell(text: string): unknown {
  if (decimal.test(text)) return Number(text)
  const word = text.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  if (!/^["[]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the cell of a value that may have several types; undefined for one that would be read as another one. */
export function typedCell(value: unknown): string | undefined {
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(value)
  const cell = isText && readTypedCell(text) !== text ? JSON.stringify(text) : text
  return isDeepStrictEqual(readTypedCell(cell), value) ? cell : undefined
}
