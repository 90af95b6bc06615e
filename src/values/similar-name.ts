const shopName = 'cartwright'

/**
 * True where a password is the name of the shop or one of these names, or one word of it, such as
 * the part of an e-mail address before the `@`: in any case, without regard to what stands between letters and digits,
 * and with any digits or signs before or after it.
 */
export function isSimilarToName(password: string, names: readonly (string | null)[]): boolean {
  const sent = coresOf(password)
  const words = [shopName, ...names].flatMap((name) =>
    name === null ? [] : [name, ...name.split(/[\s@]+/)],
  )
  return words.some((word) => coresOf(word).some((core) => sent.includes(core)))
}

/** The letters and digits of a text, and the same from its first letter to its last; none is empty. */
function coresOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
  const inner = plain.replace(/^\p{N}+|\p{N}+$/gu, '')
  return [plain, inner].filter((core) => core !== '')
}
