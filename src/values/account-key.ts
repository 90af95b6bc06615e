// Longer than any accepted name, in UTF-16 code units. Normalization takes quadratic time on a run of
// combining marks.
const maxNameLength = 2000

/** The unique form of a username or e-mail address: in NFC and lower case. */
export const accountKey = (text: string): string =>
  text.length > maxNameLength ? text : text.normalize('NFC').toLowerCase()
