/** A positive integer assigned by the database; opaque to clients. */
export type Identifier = number

/** Parses an identifier in a path or query; undefined for any other text. */
export function toIdentifier(text: string): Identifier | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined
  const identifier = Number(text)
  return Number.isSafeInteger(identifier) ? identifier : undefined
}
