import type { Body } from './api/json.ts'
import { language, nameInWords } from './words/words.ts'
import { dayOf, setTimeZone, timeZone } from './zone.ts'

/** What the shop writes amounts and times by. */
export interface ShopFormats {
  readonly currency: string
  /** The decimals of the currency; those that the browser knows change with its version. */
  readonly currency_digits: number
  readonly time_zone: string
}

let shop: ShopFormats = { currency: 'USD', currency_digits: 2, time_zone: 'UTC' }

/** Sets how the shop writes amounts and times. */
export function setShopFormats(formats: ShopFormats): void {
  shop = formats
  setTimeZone(formats.time_zone)
}

/** The language of the page, with the region that the browser has for it. */
function locale(): string {
  const chosen = language()
  return navigator.languages.find((tag) => tag.split('-')[0] === chosen) ?? chosen
}

/** An amount of money in major units. */
export const formatMoney = (amount: number): string =>
  new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency: shop.currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: shop.currency_digits,
    maximumFractionDigits: shop.currency_digits,
  }).format(amount)

/** A number with the separators of the language. */
export const formatNumber = (value: number): string => new Intl.NumberFormat(locale()).format(value)

/** A country by its code (ISO 3166-1 alpha-2). */
export const formatCountry = (code: string): string =>
  new Intl.DisplayNames(locale(), { type: 'region', fallback: 'code' }).of(code) ?? code

/** True if values of this name are codes of countries. */
export const isCountry = (name: string): boolean => name === 'country' || name === 'countries'

/** The values of an enumeration with their words; countries in the order of their names. */
export function choicesInWords(
  name: string,
  values: readonly string[],
): readonly (readonly [value: string, words: string])[] {
  if (!isCountry(name)) return values.map((value) => [value, nameInWords(value)])
  const { compare } = new Intl.Collator(locale())
  return values
    .map((value) => [value, formatCountry(value)] as const)
    .toSorted(([, one], [, other]) => compare(one, other))
}

/** A share in percent, such as 19.5%. */
export const formatPercent = (percent: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 4 }).format(
    percent / 100,
  )

const formatInstant = (time: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale(), { ...options, timeZone: timeZone() }).format(time)

/** A time, short; the year is left out in the current one. */
export function formatTime(text: string): string {
  const time = new Date(text)
  const isThisYear = dayOf(time).slice(0, 4) === dayOf(new Date()).slice(0, 4)
  return formatInstant(time, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
    hour: '2-digit',
    minute: '2-digit',
  })
}

/** A time of today as its hour, an earlier one as its day. */
export function formatBriefTime(text: string): string {
  const time = new Date(text)
  return dayOf(time) === dayOf(new Date())
    ? formatInstant(time, { hour: '2-digit', minute: '2-digit' })
    : formatDay(time)
}

/** A day with its weekday and year, in full. */
export const formatFullDate = (time: Date): string => formatInstant(time, { dateStyle: 'full' })

/** A day with its year, in full. */
export const formatDate = (time: Date): string => formatInstant(time, { dateStyle: 'long' })

/** A day, such as 23 Nov. */
export const formatDay = (time: Date): string =>
  formatInstant(time, { day: 'numeric', month: 'short' })

/** The options of the variant that an item is of, such as `M · blue`; empty for other products. */
export const describeOptions = ({ options }: Body): string =>
  Object.values((options ?? {}) as Readonly<Record<string, string>>).join(' · ')
