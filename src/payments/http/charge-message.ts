import type { Charge } from '#src/payments/provider.ts'

/** Maximum size of a message of the provider, in bytes. */
export const MESSAGE_LIMIT_BYTES = 16_384

const STATUSES: ReadonlySet<unknown> = new Set<Charge['status']>([
  'succeeded',
  'pending',
  'declined',
  'voided',
  'refunded',
])

/**
 * Parses the JSON of a charge; undefined unless all fields are present and valid. Unknown fields
 * are ignored.
 */
export function parseCharge(text: string): Charge | undefined {
  const { key, status, reference, amount_minor, currency, sequence, reason } = parseObject(text)
  if (!isText(key) || !isStatus(status) || !isText(reference)) return undefined
  if (!isCount(amount_minor) || !isCurrency(currency)) return undefined
  if (!isCount(sequence) || sequence === 0) return undefined
  const charge = { key, status, reference, amountMinor: amount_minor, currency, sequence }
  if (reason === undefined || reason === null) return charge
  return isText(reason) ? { ...charge, reason } : undefined
}

/** True when the body of a 404 denies the charge, unlike the 404 of a proxy or a wrong URL. */
export function isAbsence(text: string): boolean {
  return parseObject(text)['error'] === 'no_such_charge'
}

function parseObject(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 255
}

function isStatus(value: unknown): value is Charge['status'] {
  return STATUSES.has(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value)
}
