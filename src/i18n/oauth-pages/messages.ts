import type { en } from './en.ts'

/** Names one sentence of the pages. */
export type PageMessageKey = keyof typeof en

/** What the pages say, in one language. */
export type PageMessages = Readonly<Record<PageMessageKey, string>>
