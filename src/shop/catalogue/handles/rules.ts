import { randomBytes } from 'node:crypto'
import { withoutAccents } from '#values/plain-letters.ts'
import { foldCase, visibleText } from '#values/text-key.ts'

/** The maximum number of characters of a handle. */
export const maxHandleLength = 100

/** How many products of one name get a number before they get letters. */
const maxNumber = 20
const lettersBytes = 4
/** What a number or letters may add. */
const maxSuffixLength = 2 * lettersBytes + 1

/** Returns the handle that texts make: the first of which any letter or digit is left. */
export function makeHandle(...texts: readonly (string | null)[]): string {
  const made = texts.map((text) => wordsOf(text ?? '')).find((words) => words !== '')
  return made ?? 'product'
}

const wordsOf = (text: string): string =>
  withoutAccents(foldCase(visibleText(text)))
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, maxHandleLength)
    .replace(/-$/, '')

/** Returns the handles that stand for one that is taken: with a number. */
export const numberedHandles = (handle: string): readonly string[] =>
  Array.from({ length: maxNumber - 1 }, (_, at) => withSuffix(handle, String(at + 2)))

/** Returns a handle that nothing else has. */
export const unusedHandle = (handle: string): string =>
  withSuffix(handle, randomBytes(lettersBytes).toString('hex'))

const withSuffix = (handle: string, suffix: string): string =>
  `${handle.slice(0, maxHandleLength - maxSuffixLength).replace(/-$/, '')}-${suffix}`
