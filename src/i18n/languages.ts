import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import type { MessageTexts } from './message.ts'
import { chinese } from './zh.ts'

/** The messages by language tag (RFC 5646). */
export const languages = {
  en: english,
  zh: chinese,
  es: spanish,
  fr: french,
  de: german,
} as const satisfies Readonly<Record<string, MessageTexts>>

/** The tag of a supported language. */
export type Language = keyof typeof languages

/** The language of a request that names no supported one. */
export const defaultLanguage: Language = 'en'
