const softwareName = 'cartwright'

/**
 * True if a password is one of these names or the name of this software, or a word of one, such as the
 * local part of an e-mail address. Case, punctuation, and leading and trailing digits are ignored.
 */
export function isSimilarToName(password: string, names: readonly (string | null)[]): boolean {
  const passwordForms = comparableForms(password)
  const words = [softwareName, ...names].flatMap((name) =>
    name === null ? [] : [name, ...name.split(/[\s@]+/)],
  )
  return words.some((word) => comparableForms(word).some((form) => passwordForms.includes(form)))
}

/** The lower-cased letters and digits of a text, with and without leading and trailing digits. */
function comparableForms(text: string): readonly string[] {
  const alphanumeric = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
  const trimmed = alphanumeric.replace(/^\p{N}+|\p{N}+$/gu, '')
  return [alphanumeric, trimmed].filter((form) => form !== '')
}
