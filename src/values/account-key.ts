import { visibleText } from './text-key.ts'

// Longer than any accepted name, in UTF-16 code units. Normalization takes quadratic time on a run of
// combining marks.
const maxNameLength = 2000

/**
 * The unique form of a username or e-mail address: in NFKC and lower case, without format characters and outer
 * blanks. Other letters are not folded: `ß` and `ss` are different domains.
 */
export const accountKey = (text: string): string =>
  text.length > maxNameLength ? text : visibleText(text).toLowerCase().normalize('NFKC').trim()
