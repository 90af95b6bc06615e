/** What a key of the server is worth at least; 16 random bytes in hexadecimal are worth about 110. */
export const minKeyBits = 60

/** Words of examples, and rows of a keyboard: whoever guesses tries them first. */
const knownWords =
  /(?:change|secret|passwor[dt]|passphrase|please|super|this|your|key|test|example|default|production|development|cartwright|placeholder|insecure|replace|private|letmein|qwertyuiop|asdfghjkl|zxcvbnm)[-_. ]?/gi
/** A part this long, in characters, that stands earlier in the text too is no news. */
const minRepeated = 3

/**
 * Estimates how many bits it takes to guess a text: the Shannon entropy of what is left of it once
 * known words, repeated parts, and runs such as `aaaa`, `abcd` and `4321` count as one character
 * each. It finds what is no key at all; it proves of no text that it was made at random.
 */
export function estimateBits(text: string): number {
  const rest = withoutRuns(withoutRepeats(text.replace(knownWords, '.')))
  const counts = Map.groupBy(rest, (character) => character).values()
  return counts.reduce((bits, { length }) => bits + length * Math.log2(rest.length / length), 0)
}

function withoutRepeats(text: string): string {
  let kept = ''
  for (let at = 0; at < text.length; ) {
    const length = repeatedAt(text, at)
    kept += text[at]
    at += length < minRepeated ? 1 : length
  }
  return kept
}

/** How many characters from `at` on stand earlier in the text too. */
function repeatedAt(text: string, at: number): number {
  let length = 0
  while (at + length < text.length && text.indexOf(text.slice(at, at + length + 1)) < at)
    length += 1
  return length
}

function withoutRuns(text: string): readonly string[] {
  const stepTo = (at: number): number => text.charCodeAt(at) - text.charCodeAt(at - 1)
  return Array.from({ length: text.length }, (_, at) => text.charAt(at)).filter(
    (_, at) => at < 2 || Math.abs(stepTo(at)) > 1 || stepTo(at) !== stepTo(at - 1),
  )
}
