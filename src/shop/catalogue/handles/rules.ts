import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { withoutAccents } from '#values/plain-letters.ts'
import { foldCase, visibleText } from '#values/text-key.ts'

/** The maximum number of characters of a handle. */
const maxHandleLength = 100

/** The schema of a handle. */
export const Handle = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: maxHandleLength,
    pattern: '^[a-z0-9-]+$',
    description,
    examples: [example],
  })

/** How many products of one name get a number before they get letters. */
const maxNumber = 20
const lettersBytes = 4
/** What a number or letters may add. */
const maxSuffixLength = 2 * lettersBytes + 1

/** Returns the handle that texts make: the first of which any letter or digit is left. */
export const makeHandle = (...texts: readonly (string | null)[]): string =>
  firstHandle(texts) ?? 'product'

/** Returns the handle that the name of a category makes. */
export const makeCategoryHandle = (name: string): string => firstHandle([name]) ?? 'category'

const firstHandle = (texts: readonly (string | null)[]): string | undefined =>
  texts.map((text) => wordsOf(text ?? '')).find((words) => words !== '')

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

/**
 * Returns for each base, where there is one, a handle that neither `given` nor another of them is, nor one that
 * `findTaken` finds.
 */
export async function unusedHandles(
  bases: readonly (string | null)[],
  given: readonly string[],
  findTaken: (handles: readonly string[]) => Promise<readonly string[]>,
): Promise<readonly (string | null)[]> {
  const wanted = bases.filter((base) => base !== null)
  const used = new Set([...given, ...(await findTaken([...new Set(wanted)]))])
  const repeated = wanted.filter((base, at) => used.has(base) || wanted.indexOf(base) < at)
  const numbered = [...new Set(repeated)].flatMap(numberedHandles)
  for (const handle of await findTaken(numbered)) used.add(handle)
  return bases.map((base) => {
    if (base === null) return null
    const candidates = [base, ...numberedHandles(base)]
    const handle = candidates.find((each) => !used.has(each)) ?? unusedHandle(base)
    used.add(handle)
    return handle
  })
}
