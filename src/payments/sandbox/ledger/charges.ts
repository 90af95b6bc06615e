import { hash } from 'node:crypto'
import type { Terms } from '#src/payments/sandbox/terms.ts'
import { planOf, scriptOf } from '#src/payments/sandbox/tokens.ts'
import type { Charge, Entry, Ledger } from './ledger.ts'

/** Charges a new key by the script of its token; undefined when the script records nothing. */
export function makeCharge(ledger: Ledger, key: string, terms: Terms): Charge | undefined {
  const { status, reason, becomes } = scriptOf(terms.token)
  if (status === 'none') return undefined
  const { token, amountMinor, currency, callbackUrl } = terms
  const charge = {
    key,
    status,
    reference: referenceOf(key),
    amount_minor: amountMinor,
    currency,
    sequence: 1,
    ...(reason !== undefined && becomes === undefined && { reason }),
  }
  const plan = planOf(key, token)
  ledger.save({ charge, plan, callbackUrl, callbackDue: status === 'pending' })
  return charge
}

/** True when a charge was made with these terms; a voided key matches any. */
export function isMadeFor({ charge, plan }: Entry, terms: Terms): boolean {
  if (charge.status === 'voided') return true
  return (
    plan.mark === planOf(charge.key, terms.token).mark &&
    charge.amount_minor === terms.amountMinor &&
    charge.currency === terms.currency
  )
}

/**
 * Voids a pending or unknown key, so that it cannot be charged; a settled charge stays unchanged.
 */
export function voidCharge(ledger: Ledger, key: string): Charge {
  const entry = ledger.find(key)
  if (entry === undefined) {
    const charge = { key, reference: referenceOf(key), amount_minor: 0, currency: 'XXX' }
    return save(ledger, { charge: { ...charge, status: 'voided', sequence: 1 }, ...NO_CALLBACK })
  }
  if (entry.charge.status !== 'pending') return entry.charge
  return save(ledger, { ...entry, charge: moved(entry.charge, 'voided'), callbackDue: false })
}

/** Refunds a succeeded charge; others stay unchanged. Undefined for an unknown key. */
export function refundCharge(ledger: Ledger, key: string): Charge | undefined {
  const entry = ledger.find(key)
  if (entry?.charge.status !== 'succeeded') return entry?.charge
  return save(ledger, { ...entry, charge: moved(entry.charge, 'refunded') })
}

/** Settles a pending charge by its plan; others stay unchanged. */
export function settleCharge(ledger: Ledger, key: string): void {
  const entry = ledger.find(key)
  if (entry?.charge.status !== 'pending') return
  const { becomes = 'succeeded', reason } = entry.plan
  const charge = moved(entry.charge, becomes)
  save(ledger, { ...entry, charge: reason === undefined ? charge : { ...charge, reason } })
}

/** Returns the callbacks of a charge, in order of sending. */
export function eventsOf({ charge, plan }: Entry): Charge[] {
  const first: Charge = { ...charge, status: 'pending', sequence: 1 }
  return plan.unruly ? [charge, charge, first] : [charge]
}

const NO_CALLBACK = { plan: { mark: '' }, callbackUrl: '', callbackDue: false }

function moved(charge: Charge, status: Charge['status']): Charge {
  return { ...charge, status, sequence: charge.sequence + 1 }
}

function save(ledger: Ledger, entry: Entry): Charge {
  ledger.save(entry)
  return entry.charge
}

function referenceOf(key: string): string {
  return `ch_${hash('sha256', key, 'hex').slice(0, 24)}`
}
