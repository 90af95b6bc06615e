import { hash } from 'node:crypto'
import type { Terms } from '#src/payments/sandbox/terms.ts'
import { planOf, scriptOf } from '#src/payments/sandbox/tokens.ts'
import type { Charge, Entry, Ledger } from './ledger.ts'

/** Charges a key that has no entry yet, by the script of its token; answers undefined where the script records nothing. */
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

/** Says whether a charge was made for these terms; a voided key fits any. */
export function isMadeFor({ charge, plan }: Entry, terms: Terms): boolean {
  if (charge.status === 'voided') return true
  return (
    plan.mark === planOf(charge.key, terms.token).mark &&
    charge.amount_minor === terms.amountMinor &&
    charge.currency === terms.currency
  )
}

/** Closes a key that is pending or was never seen, so that it cannot be charged any more; a settled charge stays as it is. */
export function voidCharge(ledger: Ledger, key: string): Charge {
  const entry = ledger.find(key)
  if (entry === undefined) {
    const charge = { key, reference: referenceOf(key), amount_minor: 0, currency: 'XXX' }
    return save(ledger, { charge: { ...charge, status: 'voided', sequence: 1 }, ...NO_CALLBACK })
  }
  if (entry.charge.status !== 'pending') return entry.charge
  return save(ledger, { ...entry, charge: moved(entry.charge, 'voided'), callbackDue: false })
}

/** Refunds a succeeded charge; any other stays as it is, and a key never seen answers undefined. */
export function refundCharge(ledger: Ledger, key: string): Charge | undefined {
  const entry = ledger.find(key)
  if (entry?.charge.status !== 'succeeded') return entry?.charge
  return save(ledger, { ...entry, charge: moved(entry.charge, 'refunded') })
}

/** Turns a pending charge into what its plan says; any other stays as it is. */
export function settleCharge(ledger: Ledger, key: string): void {
  const entry = ledger.find(key)
  if (entry?.charge.status !== 'pending') return
  const { becomes = 'succeeded', reason } = entry.plan
  const charge = moved(entry.charge, becomes)
  save(ledger, { ...entry, charge: reason === undefined ? charge : { ...charge, reason } })
}

/** Lists what is told about a charge, in the order it is sent. */
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
