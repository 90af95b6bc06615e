/** A positive integer assigned by the server; opaque to clients. */
export type Identifier = number

/** Reads an identifier from a path or query; undefined when the text can name no resource. */
export function toIdentifier(text: string): Identifier | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined
  const identifier = Number(text)
  return Number.isSafeInteger(identifier) ? identifier : undefined
}
