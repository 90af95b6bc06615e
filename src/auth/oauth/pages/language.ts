import { languageOf } from '#http/pipeline/guards/language.ts'
import type { Language } from '#i18n/languages.ts'
import { de } from '#i18n/oauth-pages/de.ts'
import { en } from '#i18n/oauth-pages/en.ts'
import { es } from '#i18n/oauth-pages/es.ts'
import { fr } from '#i18n/oauth-pages/fr.ts'
import type { PageMessages } from '#i18n/oauth-pages/messages.ts'
import { zh } from '#i18n/oauth-pages/zh.ts'

/** The languages of the pages: those that the API speaks. */
const messages: Readonly<Record<Language, PageMessages>> = { en, zh, es, fr, de }

/** A language, and what is said in it. */
export interface LocalizedMessages {
  readonly tag: Language
  readonly messages: PageMessages
}

/**
 * The language that a page is written in: the first of `ui_locales` (OpenID Connect Core 3.1.2.1)
 * that there is, else what Accept-Language prefers, else English.
 */
export function languageFor(uiLocales = '', acceptLanguage?: string): LocalizedMessages {
  const wished = uiLocales.toLowerCase().split(' ')
  const named = wished.map((tag) => tag.split('-', 1)[0] ?? '').find(isLocalized)
  const tag = named ?? languageOf(acceptLanguage)
  return { tag, messages: messages[tag] }
}

const isLocalized = (tag: string): tag is Language => Object.hasOwn(messages, tag)
