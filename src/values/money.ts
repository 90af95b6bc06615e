import { digitsByCurrency } from './currencies.ts'

/** An amount of money as an integer count of the currency's minor unit (cents for USD). */
export type Minor = number

/** The largest amount, in major units: with three decimals it has 15 digits, which a JSON number holds exactly. */
export const maximumAmount = 10 ** 12

/** The largest amount, in minor units. */
export const maximumMinor = (digits: number): Minor => maximumAmount * 10 ** digits

// No order may cost as much, so that what exceeds it need not be exact.
const maximumSum: Minor = Number.MAX_SAFE_INTEGER

/** The price of so many pieces: exact, or `Number.MAX_SAFE_INTEGER` where that is less. */
export const timesQuantity = (price: Minor, quantity: number): Minor =>
  Math.min(price * quantity, maximumSum)

/** The sum of amounts: exact, or `Number.MAX_SAFE_INTEGER` where that is less. */
export const sumAmounts = (amounts: readonly Minor[]): Minor =>
  amounts.reduce((sum, amount) => Math.min(sum + amount, maximumSum), 0)

/** The number of decimals of a currency (ISO 4217); throws a RangeError for an unknown code. */
export function currencyDigits(currency: string): number {
  const digits = digitsByCurrency.get(currency)
  if (digits === undefined) throw new RangeError(`Unknown currency ${currency}`)
  return digits
}

/**
 * The format of amounts in major units for people who read this language. The decimals are those of ISO 4217:
 * the runtime would choose its own, which change with its version.
 */
export function moneyFormat(language: string, currency: string): Intl.NumberFormat {
  const digits = currencyDigits(currency)
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** The amount in major units, as the nearest JSON number (1999 with 2 digits is 19.99). */
export const toMajor = (amount: Minor, digits: number): number => amount / 10 ** digits

/** The amount in major units as exact decimal text (1990 with 2 digits is "19.90"). */
export function toDecimalText(amount: Minor, digits: number): string {
  if (digits === 0) return String(amount)
  const text = String(amount).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Parses exact decimal text; undefined if it is malformed or has more than `digits` decimals. */
export function fromDecimalText(text: string, digits: number): Minor | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text) ?? []
  if (whole === '' || fraction.length > digits) return undefined
  const minor = Number(whole + fraction.padEnd(digits, '0'))
  return Number.isSafeInteger(minor) ? minor : undefined
}

// Clients compute with binary fractions: 35 × 0.01 is 0.35000000000000003.
const maxRelativeError = 4 * Number.EPSILON

/**
 * Converts an amount in major units; undefined if it has more than `digits` decimals, apart from the
 * rounding errors of a few operations on binary fractions.
 */
export function fromMajor(amount: number, digits: number): Minor | undefined {
  const minor = Math.round(amount * 10 ** digits)
  const error = Math.abs(minor / 10 ** digits - amount)
  // A quarter of a minor unit is no rounding error, however large the amount is.
  const maxError = Math.min(maxRelativeError * amount, 10 ** -digits / 4)
  return error <= maxError && Number.isSafeInteger(minor) ? minor : undefined
}
