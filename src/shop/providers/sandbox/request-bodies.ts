/** The parameters of a charge; `amountMinor` is in minor units. */
export interface ChargeRequest {
  readonly token: string
  readonly amountMinor: number
  readonly currency: string
  readonly callbackUrl: string
  /** Where the buyer's browser goes after a challenge. */
  readonly returnUrl?: string
}

/** Parses the body of a charge request; returns an error code when it is invalid. */
export function parseChargeRequest(body: string): ChargeRequest | string {
  const fields = parseObject(body)
  if (typeof fields === 'string') return fields
  const { token, amount_minor, currency, callback_url, return_url } = fields
  if (typeof token !== 'string' || token === '') return 'bad_token'
  if (!isAmount(amount_minor)) return 'bad_amount_minor'
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return 'bad_currency'
  if (!isHttpUrl(callback_url)) return 'bad_callback_url'
  if (return_url !== undefined && !isHttpUrl(return_url)) return 'bad_return_url'
  return {
    token,
    amountMinor: amount_minor,
    currency,
    callbackUrl: callback_url,
    ...(return_url !== undefined && { returnUrl: return_url }),
  }
}

/** Parses the body of a refund request to its amount; returns an error code when it is invalid. */
export function parseRefundAmount(body: string): number | string {
  const fields = parseObject(body)
  if (typeof fields === 'string') return fields
  const { amount_minor } = fields
  return isAmount(amount_minor) && amount_minor > 0 ? amount_minor : 'bad_amount_minor'
}

/** What the buyer decides at a challenge. */
export type Decision = 'approve' | 'refuse'

/** Parses the body of a decision; undefined when it is invalid. */
export function parseDecision(body: string): Decision | undefined {
  const fields = parseObject(body)
  const decision = typeof fields === 'string' ? undefined : fields['decision']
  return decision === 'approve' || decision === 'refuse' ? decision : undefined
}

/** Parses a JSON object; returns an error code when it is none. */
function parseObject(body: string): Partial<Record<string, unknown>> | string {
  try {
    const fields: unknown = JSON.parse(body)
    return typeof fields === 'object' && fields !== null ? { ...fields } : 'not_an_object'
  } catch {
    return 'not_json'
  }
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const isHttpUrl = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
