/** The minimum strength of a secret key, in bits; 16 random bytes in hexadecimal have about 110. */
export const minKeyBits = 60

/** Placeholder words and keyboard rows, which attackers try first. */
const knownWords =
  /(?:change|secret|passwor[dt]|passphrase|please|super|this|your|key|test|example|default|production|development|cartwright|placeholder|insecure|replace|private|letmein|qwertyuiop|asdfghjkl|zxcvbnm)[-_. ]?/gi
/** Minimum length, in characters, of a repeated part that is ignored. */
const minRepeated = 3

/**
 * Estimates the bits of entropy of a text: its Shannon entropy after each known word, repeated part
 * and run such as `aaaa`, `abcd` or `4321` is reduced to one character. The estimate rejects
 * guessable keys; it does not prove that a text is random.
 */
export function estimateBits(text: string): number {
  const rest = removeRuns(removeRepeats(text.replace(knownWords, '.')))
  const counts = Map.groupBy(rest, (character) => character).values()
  return counts.reduce((bits, { length }) => bits + length * Math.log2(rest.length / length), 0)
}

function removeRepeats(text: string): string {
  let unique = ''
  for (let at = 0; at < text.length; ) {
    const length = repeatLengthAt(text, at)
    unique += text[at]
    at += length < minRepeated ? 1 : length
  }
  return unique
}

/** Length of the longest part from `at` on that also occurs earlier in the text. */
function repeatLengthAt(text: string, at: number): number {
  let length = 0
  while (at + length < text.length && text.indexOf(text.slice(at, at + length + 1)) < at)
    length += 1
  return length
}

function removeRuns(text: string): readonly string[] {
  const stepTo = (at: number): number => text.charCodeAt(at) - text.charCodeAt(at - 1)
  return Array.from({ length: text.length }, (_, at) => text.charAt(at)).filter(
    (_, at) => at < 2 || Math.abs(stepTo(at)) > 1 || stepTo(at) !== stepTo(at - 1),
  )
}
