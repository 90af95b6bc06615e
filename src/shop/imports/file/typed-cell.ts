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
