import { badParameter } from './errors.ts'

// Written from https://docs.stripe.com/currencies, apart from the code under test.
const whole = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ')
const hundredths =
  'usd eur gbp chf cad aud sek nok dkk pln czk huf ron twd mxn brl inr isk ugx cop idr'.split(' ')
const thousandths = ['bhd', 'jod', 'kwd', 'omr', 'tnd']
const supported = new Set([...whole, ...hundredths, ...thousandths])
const minima: Readonly<Record<string, number>> = {
  ...{ usd: 50, eur: 50, chf: 50, cad: 50, aud: 50, gbp: 30, jpy: 50, huf: 17_500 },
  ...{ sek: 300, nok: 300, dkk: 250, pln: 200, czk: 1500, ron: 200, mxn: 1000, brl: 50, inr: 50 },
}

/** Throws 400 for an amount or a currency that Stripe does not take. */
export function checkAmount(amount: number, currency: string): void {
  if (!supported.has(currency)) {
    throw badParameter('currency', 'parameter_invalid', `Invalid currency: ${currency}.`)
  }
  if (amount < (minima[currency] ?? 1)) {
    const minimum = `Amount must be at least ${minima[currency] ?? 1} ${currency}`
    throw badParameter('amount', 'amount_too_small', minimum)
  }
  if (amount > 99_999_999) {
    throw badParameter('amount', 'amount_too_large', 'Amount must be no more than 99999999')
  }
  checkStep(amount, currency)
}

/** Throws 400 for an amount between the steps of a currency. */
export function checkStep(amount: number, currency: string): void {
  const step =
    currency === 'isk' || currency === 'ugx' ? 100 : thousandths.includes(currency) ? 10 : 1
  if (amount % step === 0) return
  const code = 'invalid_charge_amount_no_decimal_compatible'
  throw badParameter('amount', code, `Invalid amount: ${currency} is charged in steps of ${step}.`)
}
