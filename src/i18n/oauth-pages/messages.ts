import type { en } from './en.ts'

/** Names one sentence of the pages. */
export type WordKey = keyof typeof en

/** What the pages say, in one language. */
export type Words = Readonly<Record<WordKey, string>>
