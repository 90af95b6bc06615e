/** Encodes the parts of a position in a list as a cursor, which is opaque to clients. */
export const encodeCursor = (parts: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')

/** Returns the parts of a cursor, of any types; undefined unless there are `length`. */
export function decodeCursor(text: string, length: number): readonly unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) && parts.length === length ? parts : undefined
  } catch {
    return undefined
  }
}
