import { readFile } from 'node:fs/promises'

const file = new URL('./common-passwords.txt', import.meta.url)

/**
 * Opens the list of widely used passwords. The file is read at the first question, not before, and
 * is searched as one text, which takes a tenth of the memory of a set.
 */
export function openCommonPasswords() {
  let list: Promise<string> | undefined
  const read = (): Promise<string> => {
    list ??= readFile(file, 'utf8').catch((error: unknown) => {
      list = undefined
      throw error
    })
    return list
  }
  /** True for a listed password in any case, also with digits or signs added at its end. */
  return async (password: string): Promise<boolean> => {
    const text = await read()
    const plain = password.toLowerCase()
    return [plain, withoutEnding(plain)].some((each) => text.includes(`\n${each}\n`))
  }
}

const withoutEnding = (text: string): string => text.replace(/[^\p{L}]+$/u, '')
