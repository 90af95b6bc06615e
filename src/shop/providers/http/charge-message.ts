import type { BuyerAction, ProviderPayment, ProviderRefund } from '#shop/providers/provider.ts'
import { isStorableText } from '#values/text.ts'

/** Maximum size of a message of the provider, in bytes. */
export const maxMessageBytes = 65_536

const statuses: ReadonlyMap<unknown, ProviderPayment['status']> = new Map([
  ['pending', 'pending'],
  ['action_required', 'action_required'],
  ['succeeded', 'succeeded'],
  ['declined', 'declined'],
  ['voided', 'cancelled'],
  ['refunded', 'refunded'],
])

type Fields = Partial<Record<string, unknown>>

/**
 * Parses the JSON of a charge; undefined unless all fields are present and valid. Unknown fields
 * are ignored.
 */
export function parseCharge(text: string): ProviderPayment | undefined {
  const fields = parseObject(text)
  const { key, reference, amount_minor: amountMinor, currency, reason } = fields
  const status = statuses.get(fields['status'])
  if (!isText(key) || status === undefined || !isText(reference)) return undefined
  if (!isAmount(amountMinor) || !isCurrency(currency) || !isOptionalText(reason)) return undefined
  const refunds = parseRefunds(fields['refunds'])
  const action = parseAction(fields['action'])
  if (refunds === undefined || (status === 'action_required') !== (action !== undefined)) {
    return undefined
  }
  return {
    key,
    status,
    reference,
    amountMinor,
    currency,
    refunds,
    // A provider without partial refunds lists none.
    refundedMinor: status === 'refunded' ? amountMinor : sumOfSucceeded(refunds),
    ...(action && { action }),
    ...(isText(reason) && { reason }),
  }
}

/** Returns the `error` of a JSON body; undefined where there is none. */
export function parseError(text: string): string | undefined {
  const { error } = parseObject(text)
  return isText(error) ? error : undefined
}

/** Returns the key that a callback is about; undefined where there is none. */
export function parseKey(text: string): string | undefined {
  const { key } = parseObject(text)
  return isText(key) ? key : undefined
}

function parseRefunds(value: unknown): readonly ProviderRefund[] | undefined {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return undefined
  const refunds = value.map(parseRefund).filter((refund) => refund !== undefined)
  return refunds.length === value.length ? refunds : undefined
}

function parseRefund(value: unknown): ProviderRefund | undefined {
  const { key, reference, status, amount_minor: amountMinor, reason } = toFields(value)
  if (!isText(reference) || !isAmount(amountMinor) || !isOptionalText(reason)) return undefined
  if (status !== 'pending' && status !== 'succeeded' && status !== 'failed') return undefined
  const name = isText(key) ? key : null
  return { key: name, reference, status, amountMinor, ...(isText(reason) && { reason }) }
}

function parseAction(value: unknown): BuyerAction | undefined {
  const { type, url } = toFields(value)
  return type === 'redirect' && isText(url, 2_000) && /^https?:\/\//.test(url)
    ? { type, url }
    : undefined
}

/** The sum of the refunds that succeeded, in minor units. */
const sumOfSucceeded = (refunds: readonly ProviderRefund[]): number =>
  refunds.reduce(
    (sum, { status, amountMinor }) => (status === 'succeeded' ? sum + amountMinor : sum),
    0,
  )

function parseObject(text: string): Fields {
  try {
    return toFields(JSON.parse(text))
  } catch {
    return {}
  }
}

const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const isText = (value: unknown, maxLength = 255): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= maxLength &&
  isStorableText(value)

const isOptionalText = (value: unknown): boolean =>
  value === undefined || value === null || isText(value)

const isAmount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

const isCurrency = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z]{3}$/.test(value)
