import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { zh } from './words/zh.ts'
import type { Words } from './words.ts'

/** The languages of the pages, by their tags (RFC 5646). */
const languages = { en, zh, es, fr, de } as const

/** A language, and what is said in it. */
export interface Spoken {
  readonly tag: string
  readonly words: Words
}

/**
 * The language that a page is written in: the first of `ui_locales` (OpenID Connect Core 3.1.2.1)
 * that there is, else what Accept-Language prefers, else English.
 */
export function languageFor(uiLocales: string | undefined, acceptLanguage = ''): Spoken {
  const wished = [...(uiLocales ?? '').split(' '), ...byPreference(acceptLanguage)]
  for (const tag of wished) {
    const [primary = ''] = tag.toLowerCase().split('-')
    if (Object.hasOwn(languages, primary)) {
      return { tag: primary, words: languages[primary as keyof typeof languages] }
    }
  }
  return { tag: 'en', words: en }
}

function byPreference(header: string): readonly string[] {
  return header
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().split(/\s*;\s*/)
      const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1)
      return { tag, weight: Number.isNaN(weight) ? 0 : weight }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}
