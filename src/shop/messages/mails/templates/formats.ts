import { moneyFormat } from '#values/money.ts'

/** How a language writes amounts in major units, dates and countries. */
export interface Formats {
  readonly amount: Intl.NumberFormat
  readonly date: Intl.DateTimeFormat
  readonly country: Intl.DisplayNames
}

// Their memory is not part of the heap, so that one of each for every mail made a busy server 50 MB larger.
const known = new Map<string, Formats>()

/** The formats of a language and a currency, which are made once. */
export function formatsOf(language: string, currency: string): Formats {
  const key = `${language} ${currency}`
  const formats = known.get(key) ?? {
    amount: moneyFormat(language, currency),
    date: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
    country: new Intl.DisplayNames(language, { type: 'region' }),
  }
  known.set(key, formats)
  return formats
}

const knownTimes = new Map<string, Intl.DateTimeFormat>()

/** The format of a date with its time in a language, which is made once. */
export function timeFormatOf(language: string): Intl.DateTimeFormat {
  const options = { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' } as const
  const format = knownTimes.get(language) ?? new Intl.DateTimeFormat(language, options)
  knownTimes.set(language, format)
  return format
}
