import { hash, randomBytes } from 'node:crypto'
import type { ChargeRequest, Decision } from '#shop/providers/sandbox/request-bodies.ts'
import { plannedOutcomeOf, scriptOf } from '#shop/providers/sandbox/tokens.ts'
import type { Charge, ChargeRecord, Ledger, Refund } from './ledger.ts'

/** Charges a new key by the script of its token; undefined when the script records nothing. */
export function makeCharge(
  ledger: Ledger,
  key: string,
  chargeRequest: ChargeRequest,
): ChargeRecord | undefined {
  const { status, reason, becomes } = scriptOf(chargeRequest.token)
  if (status === 'none') return undefined
  const { token, amountMinor, currency, callbackUrl, returnUrl } = chargeRequest
  const charge = {
    key,
    status,
    reference: referenceOf(key),
    amount_minor: amountMinor,
    currency,
    sequence: 1,
    ...(reason !== undefined && becomes === undefined && { reason }),
  }
  const plan = plannedOutcomeOf(key, token)
  const callbackDue = status === 'pending'
  if (status !== 'action_required') return save(ledger, { charge, plan, callbackUrl, callbackDue })
  const secret = randomBytes(32).toString('base64url')
  const challenge = returnUrl === undefined ? { secret } : { secret, returnUrl }
  return save(ledger, { charge, plan, callbackUrl, callbackDue, challenge })
}

/** True when a charge was made by this request; a voided key matches any. */
export function matchesRequest(
  { charge, plan }: ChargeRecord,
  chargeRequest: ChargeRequest,
): boolean {
  if (charge.status === 'voided') return true
  return (
    plan.mark === plannedOutcomeOf(charge.key, chargeRequest.token).mark &&
    charge.amount_minor === chargeRequest.amountMinor &&
    charge.currency === chargeRequest.currency
  )
}

/**
 * Voids an undecided or unknown key, so that it cannot be charged; a decided charge stays unchanged.
 */
export function voidCharge(ledger: Ledger, key: string): ChargeRecord {
  const entry = ledger.find(key)
  if (entry === undefined) {
    const charge = { key, reference: referenceOf(key), amount_minor: 0, currency: 'XXX' }
    return save(ledger, { charge: { ...charge, status: 'voided', sequence: 1 }, ...NO_CALLBACK })
  }
  return isUndecided(entry.charge) ? move(ledger, entry, { status: 'voided' }, false) : entry
}

/**
 * Refunds what is left of a succeeded charge, without a key, and makes its callback due; others stay
 * unchanged. Undefined for an unknown charge.
 */
export function refundCharge(ledger: Ledger, key: string): ChargeRecord | undefined {
  const entry = ledger.find(key)
  if (entry?.charge.status !== 'succeeded') return entry
  const { refunds, amountLeft } = refundsOf(entry.charge)
  const rest = createRefund(key, 'rest', amountLeft)
  return move(ledger, entry, { status: 'refunded', refunds: [...refunds, rest] }, true)
}

/**
 * Refunds an amount of a charge, once per refund key. Returns an error code when the amount is more
 * than is left or the key was used for another amount; undefined for an unknown charge.
 */
export function refundPart(
  ledger: Ledger,
  key: string,
  refundKey: string,
  amountMinor: number,
): ChargeRecord | string | undefined {
  const entry = ledger.find(key)
  if (entry === undefined) return undefined
  const { refunds, amountLeft } = refundsOf(entry.charge)
  const made = refunds.find((refund) => refund.key === refundKey)
  if (made) return made.amount_minor === amountMinor ? entry : 'key_used_for_another_refund'
  if (entry.charge.status !== 'succeeded' || amountMinor > amountLeft) return 'more_than_is_left'
  const refund = { ...createRefund(key, refundKey, amountMinor), key: refundKey }
  const status = amountMinor === amountLeft ? 'refunded' : 'succeeded'
  return move(ledger, entry, { status, refunds: [...refunds, refund] }, entry.callbackDue)
}

function refundsOf({ refunds = [], amount_minor }: Charge) {
  const refunded = refunds.reduce((sum, refund) => sum + refund.amount_minor, 0)
  return { refunds, amountLeft: amount_minor - refunded }
}

const createRefund = (key: string, name: string, amount_minor: number): Refund => ({
  reference: `re_${hash('sha256', `${key} ${name}`, 'hex').slice(0, 24)}`,
  status: 'succeeded',
  amount_minor,
})

/** Settles a pending charge by its plan; others stay unchanged. */
export function settleCharge(ledger: Ledger, key: string): void {
  const entry = ledger.find(key)
  if (entry?.charge.status === 'pending') move(ledger, entry, planned(entry), entry.callbackDue)
}

/** Decides a charge that waits for the buyer, and makes its callback due; others stay unchanged. */
export function decideCharge(
  ledger: Ledger,
  entry: ChargeRecord,
  decision: Decision,
): ChargeRecord {
  if (entry.charge.status !== 'action_required') return entry
  const declined = { status: 'declined', reason: 'rejected by the buyer' } as const
  return move(ledger, entry, decision === 'approve' ? planned(entry) : declined, true)
}

const planned = ({ plan: { becomes = 'succeeded', reason } }: ChargeRecord): Partial<Charge> =>
  reason === undefined ? { status: becomes } : { status: becomes, reason }

const isUndecided = ({ status }: Charge): boolean =>
  status === 'pending' || status === 'action_required'

/** Returns the callbacks of a charge, in order of sending. */
export function eventsOf({ charge, plan }: ChargeRecord): Charge[] {
  const first: Charge = { ...charge, status: 'pending', sequence: 1 }
  return plan.unruly ? [charge, charge, first] : [charge]
}

const NO_CALLBACK = { plan: { mark: '' }, callbackUrl: '', callbackDue: false }

function move(
  ledger: Ledger,
  entry: ChargeRecord,
  change: Partial<Charge>,
  callbackDue: boolean,
): ChargeRecord {
  const charge = { ...entry.charge, ...change, sequence: entry.charge.sequence + 1 }
  return save(ledger, { ...entry, charge, callbackDue })
}

function save(ledger: Ledger, entry: ChargeRecord): ChargeRecord {
  ledger.save(entry)
  return entry
}

function referenceOf(key: string): string {
  return `ch_${hash('sha256', key, 'hex').slice(0, 24)}`
}
