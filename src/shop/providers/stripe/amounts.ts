import { currencyDigits } from '#values/money.ts'

// https://docs.stripe.com/currencies. ISK and UGX have no decimals, but Stripe counts them in hundredths.
const zeroDecimal = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)
const threeDecimal = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

const stripeDigits = (currency: string): number =>
  zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2

/**
 * Converts minor units to what Stripe counts in. Undefined for an amount that Stripe cannot take: of
 * three decimals the last must be 0.
 */
export function toStripeAmount(amountMinor: number, currency: string): number | undefined {
  const amount = amountMinor * 10 ** (stripeDigits(currency) - currencyDigits(currency))
  const step = threeDecimal.has(currency) ? 10 : 1
  // A negative power of ten is inexact.
  const rounded = Math.round(amount)
  return Math.abs(amount - rounded) < 1e-6 && rounded % step === 0 ? rounded : undefined
}

/** Why Stripe cannot take an amount. */
export const unsupportedAmountReason = (currency: string): string =>
  `Stripe takes amounts in ${currency} in steps of 10 minor units`

/** Converts what Stripe counts in to minor units; undefined for a fraction of one. */
export function fromStripeAmount(amount: number, currency: string): number | undefined {
  const minor = amount * 10 ** (currencyDigits(currency) - stripeDigits(currency))
  const rounded = Math.round(minor)
  return Math.abs(minor - rounded) < 1e-6 ? rounded : undefined
}
