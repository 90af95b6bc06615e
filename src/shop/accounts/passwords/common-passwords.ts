import { readFile } from 'node:fs/promises'

const file = new URL('./common-passwords.txt', import.meta.url)

/**
 * Creates a check against a list of common passwords. The first check reads the file; every check
 * searches it as one text, which needs a tenth of the memory of a Set.
 */
export function createCommonPasswordCheck() {
  let list: Promise<string> | undefined
  const read = (): Promise<string> => {
    list ??= readFile(file, 'utf8').catch((error: unknown) => {
      list = undefined
      throw error
    })
    return list
  }
  /** True for a listed password in any case, also with digits or symbols appended. */
  return async (password: string): Promise<boolean> => {
    const text = await read()
    const lowerCase = password.toLowerCase()
    return [lowerCase, withoutSuffix(lowerCase)].some((each) => text.includes(`\n${each}\n`))
  }
}

/** The text without trailing characters other than letters. */
const withoutSuffix = (text: string): string => text.replace(/[^\p{L}]+$/u, '')
