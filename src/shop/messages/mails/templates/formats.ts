import { moneyFormat } from '#values/money.ts'
import type { MailStyle } from './content.ts'

type Place = Pick<MailStyle, 'language' | 'timeZone'>

/** How a language writes amounts in major units, dates in the time zone of the shop, and countries. */
export interface Formats {
  readonly amount: Intl.NumberFormat
  readonly date: Intl.DateTimeFormat
  readonly country: Intl.DisplayNames
}

// Their memory is not part of the heap, so that one of each for every mail made a busy server 50 MB larger.
const known = new Map<string, Formats>()

/** The formats of a mail about amounts in a currency, which are made once. */
export function formatsOf({ language, timeZone }: Place, currency: string): Formats {
  const key = `${language} ${timeZone} ${currency}`
  const formats = known.get(key) ?? {
    amount: moneyFormat(language, currency),
    date: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }),
    country: new Intl.DisplayNames(language, { type: 'region' }),
  }
  known.set(key, formats)
  return formats
}

const knownTimes = new Map<string, Intl.DateTimeFormat>()

/** The format of a date with its time and time zone, which is made once. */
export function timeFormatOf({ language, timeZone }: Place): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`
  const options = { dateStyle: 'long', timeStyle: 'long', timeZone } as const
  const format = knownTimes.get(key) ?? new Intl.DateTimeFormat(language, options)
  knownTimes.set(key, format)
  return format
}
