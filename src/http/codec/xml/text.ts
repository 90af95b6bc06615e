// What XML 1.0 has no way to write: most control characters, two code points, lone surrogates.
const unwritable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
// Surrogates are looked at more closely, in pairs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const plain = /^[^<>&\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const plainAttribute = /^[^<>&"\\\0-\x1f\ud800-\udfff\ufffe\uffff]*$/

const references: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  // A parser reads a bare one as a line feed.
  '\r': '&#13;',
}
const refer = (character: string): string => references[character] ?? character

/** True for a text that stands for itself between two tags. */
export const isPlain = (text: string): boolean => plain.test(text)

/** True for a text that no XML can hold, unless it is escaped with backslashes. */
export const isUnwritable = (text: string): boolean => unwritable.test(text)

/** Writes a text as the content of an element. */
export const escapeText = (text: string): string => text.replace(/[<>&\r]/g, refer)

/** Writes a text as the value of an attribute; backslashes escape what XML cannot hold. */
export const escapeAttribute = (text: string): string =>
  plainAttribute.test(text) ? text : escapeUnwritable(text).replace(/[<>&"\t\n\r]/g, refer)

/** Writes what XML cannot hold as `\uXXXX`, a UTF-16 code unit, and a backslash as two. */
export const escapeUnwritable = (text: string): string =>
  text.replace(new RegExp(`\\\\|${unwritable.source}`, 'g'), (unit) =>
    unit === '\\' ? '\\\\' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Reads what was written so; a backslash that escapes nothing stays. */
export const unescapeUnwritable = (text: string): string =>
  text.includes('\\')
    ? text
        .split('\\\\')
        .map((part) => (part.includes('\\') ? unescapeUnits(part) : part))
        .join('\\')
    : text

const unescapeUnits = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, unit: string) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  )
