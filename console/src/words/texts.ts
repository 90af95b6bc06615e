import type { en } from './en.ts'

/** The name of a text of the console. */
export type WordKey = keyof typeof en.words

/** The texts of a language; `names` are those of fields, values and links of the API. */
export interface Words {
  readonly words: Readonly<Record<WordKey, string>>
  readonly names: Readonly<Record<string, string>>
}
