/** The parameters of a charge; `amountMinor` is in minor units. */
export interface Terms {
  readonly token: string
  readonly amountMinor: number
  readonly currency: string
  readonly callbackUrl: string
}

/** Parses the body of a charge request; returns an error code when it is invalid. */
export function readTerms(body: string): Terms | string {
  let fields: unknown
  try {
    fields = JSON.parse(body)
  } catch {
    return 'not_json'
  }
  if (typeof fields !== 'object' || fields === null) return 'not_an_object'
  const { token, amount_minor, currency, callback_url } = fields as Record<string, unknown>
  if (typeof token !== 'string' || token === '') return 'bad_token'
  if (typeof amount_minor !== 'number' || !Number.isSafeInteger(amount_minor) || amount_minor < 0) {
    return 'bad_amount_minor'
  }
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return 'bad_currency'
  if (typeof callback_url !== 'string' || !isHttpUrl(callback_url)) return 'bad_callback_url'
  return { token, amountMinor: amount_minor, currency, callbackUrl: callback_url }
}

function isHttpUrl(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value)
}
