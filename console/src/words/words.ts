import { en } from './en.ts'
import type { WordKey, Words } from './texts.ts'

/** The languages of the console, by their names in themselves. */
export const languages = {
  en: 'English',
  zh: '中文',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
} as const
/** A language of the console. */
export type Language = keyof typeof languages

const storageKey = 'cartwright.console.language'
let current: Language = 'en'
let texts: Words = en

const loaders: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => en,
  zh: async () => (await import('./zh.ts')).zh,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  de: async () => (await import('./de.ts')).de,
}

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text)

/** The language that was chosen, or the first one of the browser that the console has. */
export function preferredLanguage(): Language {
  const stored = localStorage.getItem(storageKey)
  const wanted = [stored ?? '', ...navigator.languages].map((tag) => tag.split('-')[0] ?? '')
  return wanted.find(isLanguage) ?? 'en'
}

/** Loads the texts of a language and remembers it if the user has chosen it. */
export async function loadLanguage(chosen: Language, isChoice = false): Promise<void> {
  texts = await loaders[chosen]()
  current = chosen
  document.documentElement.lang = chosen
  if (isChoice) localStorage.setItem(storageKey, chosen)
}

/** The current language. */
export const language = (): Language => current

/** The text of this name, with values in place of `{name}`. */
export function word(key: WordKey, values: Readonly<Record<string, string | number>> = {}): string {
  return texts.words[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** The words for a name of the API; undefined for one that nobody has translated. */
export const knownName = (name: string): string | undefined => texts.names[name] ?? en.names[name]

/** A name of the API in words: `shipping_cost` is "Shipping cost". */
export function nameInWords(name: string): string {
  const known = knownName(name)
  if (known !== undefined) return known
  const text = name.replace(/[_.-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
