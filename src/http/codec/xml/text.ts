// What XML 1.0 cannot represent (section 2.2): most controls, U+FFFE, U+FFFF, lone surrogates.
const unwritable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
// Excludes every surrogate, also of a pair: a simple range is faster.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const plain = /^[^<>&\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const plainAttribute = /^[^<>&"\\\0-\x1f\ud800-\udfff\ufffe\uffff]*$/

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  // A parser reads a literal one as a line feed (XML 1.0 section 2.11).
  '\r': '&#13;',
}
const toEntity = (character: string): string => entities[character] ?? character

/** True for a text that is valid element content without escaping. */
export const isPlain = (text: string): boolean => plain.test(text)

/** True for a text that XML 1.0 cannot represent; see `escapeUnwritable`. */
export const isUnwritable = (text: string): boolean => unwritable.test(text)

/** Escapes a text for element content. */
export const escapeText = (text: string): string => text.replace(/[<>&\r]/g, toEntity)

/** Escapes a text for an attribute value, also what XML 1.0 cannot represent. */
export const escapeAttribute = (text: string): string =>
  plainAttribute.test(text) ? text : escapeUnwritable(text).replace(/[<>&"\t\n\r]/g, toEntity)

/**
 * Escapes each UTF-16 code unit that XML 1.0 cannot represent as `\uXXXX`, and a backslash as two.
 * This convention of this API is marked by the attribute `escaped`.
 */
export const escapeUnwritable = (text: string): string =>
  text.replace(new RegExp(`\\\\|${unwritable.source}`, 'g'), (unit) =>
    unit === '\\' ? '\\\\' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Reverses `escapeUnwritable`; a backslash that escapes nothing stays. */
export const unescapeUnwritable = (text: string): string =>
  text.includes('\\')
    ? text
        .split('\\\\')
        .map((part) => (part.includes('\\') ? unescapeCodeUnits(part) : part))
        .join('\\')
    : text

const unescapeCodeUnits = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, unit: string) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  )
