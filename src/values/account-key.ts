// More code units than any name has. The time that normalizing takes grows with the square of a run
// of combining marks.
const maxNameLength = 2000

/** The form in which usernames and e-mail addresses are compared: two that differ in case are one. */
export const accountKey = (text: string): string =>
  text.length > maxNameLength ? text : text.normalize('NFC').toLowerCase()
