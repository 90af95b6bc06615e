import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import type { MessageTexts } from './message.ts'
import { chinese } from './zh.ts'

/** Every language that people are spoken to in, by its tag (RFC 5646): all sentences in it. */
export const languages = {
  en: english,
  zh: chinese,
  es: spanish,
  fr: french,
  de: german,
} as const satisfies Readonly<Record<string, MessageTexts>>

/** The tag of one of them. */
export type Language = keyof typeof languages

/** What is spoken where no other language is asked for. */
export const defaultLanguage: Language = 'en'
