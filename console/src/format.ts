import { language } from './words/words.ts'

let currency = 'USD'

/** Sets the currency of amounts that come without one. */
export function setCurrency(code: string): void {
  currency = code
}

/** An amount of money in major units. */
export const formatMoney = (amount: number, code = currency): string =>
  new Intl.NumberFormat(language(), {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  }).format(amount)

/** A number with the separators of the language. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(language()).format(value)

/** A share in percent, such as 19.5%. */
export const formatPercent = (percent: number): string =>
  new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 4 }).format(
    percent / 100,
  )

/** A time, short; the year is left out in the current one. */
export function formatTime(text: string): string {
  const time = new Date(text)
  const isThisYear = time.getFullYear() === new Date().getFullYear()
  return new Intl.DateTimeFormat(language(), {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(time)
}

/** A day, such as 23 Nov. */
export const formatDay = (time: Date): string =>
  new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'short' }).format(time)
