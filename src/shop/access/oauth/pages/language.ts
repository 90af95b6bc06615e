import { languageOf } from '#http/message/language.ts'
import type { Language } from '#i18n/languages.ts'
import { formatText } from '#i18n/message.ts'
import { de } from '#i18n/oauth-pages/de.ts'
import { en, type PageMessageKey, type PageMessages } from '#i18n/oauth-pages/en.ts'
import { es } from '#i18n/oauth-pages/es.ts'
import { fr } from '#i18n/oauth-pages/fr.ts'
import { zh } from '#i18n/oauth-pages/zh.ts'

const messages: Readonly<Record<Language, PageMessages>> = { en, zh, es, fr, de }

/** The messages of a page, in one language, and the name of the shop. */
export interface LocalizedMessages {
  readonly tag: Language
  readonly messages: PageMessages
  readonly shopName: string
}

/**
 * Returns the messages of a page in the first supported language of `ui_locales` (OpenID Connect Core
 * 3.1.2.1), else in the preferred one of Accept-Language, else in English.
 */
export function localizedMessages(
  shopName: string,
  uiLocales = '',
  acceptLanguage?: string,
): LocalizedMessages {
  const primarySubtags = uiLocales
    .toLowerCase()
    .split(' ')
    .map((tag) => tag.split('-', 1)[0] ?? '')
  const tag = primarySubtags.find(isLocalized) ?? languageOf(acceptLanguage)
  return { tag, messages: messages[tag], shopName }
}

const isLocalized = (tag: string): tag is Language => Object.hasOwn(messages, tag)

/** Returns a function that formats a message in the language of a page. */
export const translator =
  ({ messages }: LocalizedMessages) =>
  (key: PageMessageKey, values: Readonly<Record<string, string | number>> = {}): string =>
    formatText(messages[key], values)
