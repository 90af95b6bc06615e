import { randomUUID } from 'node:crypto'
import type { ProviderPayment, ProviderRefund } from '#shop/providers/provider.ts'
import { hourMs, type Instant, secondMs } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import type { NewRefund, RefundChange } from './store.ts'
import type { StoredRefund } from './table.ts'

/** Shortest and longest time after which the job asks about a pending refund again. */
const minRecheckMs = 30 * secondMs
const maxRecheckMs = hourMs

/** When the job asks about a pending refund again: the older it is, the later. */
export const recheckRefundAt = (
  { created_at }: Pick<StoredRefund, 'created_at'>,
  now: Instant,
): Instant => now + Math.min(Math.max(now - created_at, minRecheckMs), maxRecheckMs)

/** Returns a new key of a refund. It shares nothing with the key of the payment but the order. */
export const createRefundKey = (orderId: number): string => `refund-${orderId}-${randomUUID()}`

/** The key by which the provider knows a refund: a new one after each rejection. */
export const providerKeyOf = ({
  refund_key,
  retries,
}: Pick<StoredRefund, 'refund_key' | 'retries'>): string | null =>
  refund_key === null || retries === 0 ? refund_key : `${refund_key}-${retries}`

/**
 * Returns the change of a pending refund that follows from what the provider says about it; undefined
 * for a refund that is decided. The return of a payment that came too late is tried again when it is
 * rejected, because nobody else would ask for it.
 */
export function changeOfRefund(
  refund: StoredRefund,
  { status, reference, reason = 'rejected' }: ProviderRefund,
  now: Instant,
): Partial<RefundChange> | undefined {
  if (refund.status !== 'pending') return undefined
  const later = { due_at: recheckRefundAt(refund, now) }
  switch (status) {
    case 'pending':
      return { provider_reference: reference, ...later }
    case 'succeeded':
      return { status, provider_reference: reference, failure: null, due_at: null }
    case 'failed':
      return refund.origin === 'late_payment'
        ? { retries: refund.retries + 1, failure: reason, ...later }
        : { status, provider_reference: reference, failure: reason, due_at: null }
    default:
      return status satisfies never
  }
}

/** A refund and its change. */
export interface ChangedRefund {
  readonly refund: StoredRefund
  readonly change: Partial<RefundChange>
}

/** The refunds of a payment to store: changes of known ones, and new ones. */
export interface RefundChanges {
  readonly changed: readonly ChangedRefund[]
  readonly added: readonly NewRefund[]
}

/** The fields of a payment that decide what was refunded of it. */
interface RefundedPayment {
  readonly id: number
  readonly order_id: number
  readonly amount: Minor
  readonly refunded: Minor
  readonly refunding: Minor
}

/** True when the provider may know more about the refunds of a payment than we do. */
export const hasNewRefundState = (
  { refunded, refunding }: RefundedPayment,
  { refundedMinor, refunds }: ProviderPayment,
): boolean =>
  refundedMinor !== refunded || refunding > 0 || refunds.some(({ status }) => status === 'pending')

/**
 * Compares the refunds of a payment with those at the provider. Refunds that were made there by other
 * means are added, without a reason, unless they would return more than was paid. With `returnKey`,
 * the money came too late, and what is left is to be returned under this key.
 */
export function compareRefunds(
  payment: RefundedPayment,
  refunds: readonly StoredRefund[],
  state: ProviderPayment,
  { returnKey, now }: { readonly returnKey: string | undefined; readonly now: Instant },
): RefundChanges {
  const changed = refunds.flatMap((refund) => changeFromList(refund, state, now))
  const decided = new Set(changed.map(({ refund }) => refund))
  const isWaiting = refunds.some((each) => each.status === 'pending' && !decided.has(each))
  const external = state.refunds.filter(
    (listed) =>
      listed.reference !== null &&
      listed.status !== 'failed' &&
      !refunds.some((refund) => isSame(refund, listed)),
  )
  const knownMinor = payment.refunded + sumOfChanged(changed)
  const listedMinor = knownMinor + sumOfSucceeded(external)
  const unlistedMinor = isWaiting ? 0 : state.refundedMinor - listedMinor
  const made = [
    ...external,
    ...(unlistedMinor > 0 ? [{ ...unlisted, amountMinor: unlistedMinor }] : []),
  ]
  const added = withinAmount(payment.amount, knownMinor, made).map((each) =>
    toExternalRefund(payment, each, now),
  )
  const leftMinor = payment.amount - Math.max(listedMinor, state.refundedMinor)
  if (returnKey === undefined || leftMinor <= 0) return { changed, added }
  return { changed, added: [...added, toReturn(payment, leftMinor, returnKey, now)] }
}

/** What a provider without a list of refunds has returned. */
const unlisted = { key: null, reference: null, status: 'succeeded' } as const

const isSame = (refund: StoredRefund, { key, reference }: ProviderRefund): boolean =>
  (key !== null && key === providerKeyOf(refund)) ||
  (reference !== null && reference === refund.provider_reference)

function changeFromList(
  refund: StoredRefund,
  { refunds }: ProviderPayment,
  now: Instant,
): readonly ChangedRefund[] {
  const listed = refunds.find((each) => isSame(refund, each))
  if (!listed || listed.status === 'pending') return []
  const change = changeOfRefund(refund, listed, now)
  return change ? [{ refund, change }] : []
}

const sumOfSucceeded = (refunds: readonly ProviderRefund[]): Minor =>
  refunds.reduce((sum, each) => sum + (each.status === 'succeeded' ? each.amountMinor : 0), 0)

const sumOfChanged = (changed: readonly ChangedRefund[]): Minor =>
  changed.reduce(
    (sum, { refund, change }) => sum + (change.status === 'succeeded' ? refund.amount : 0),
    0,
  )

/** Leaves out what would exceed the payment: such an answer makes no sense. */
function withinAmount(
  paidMinor: Minor,
  knownMinor: Minor,
  made: readonly ProviderRefund[],
): readonly ProviderRefund[] {
  let sum = knownMinor
  return made.filter(({ amountMinor }) => {
    if (amountMinor <= 0 || sum + amountMinor > paidMinor) return false
    sum += amountMinor
    return true
  })
}

const ofPayment = (payment: RefundedPayment) => ({
  order_id: payment.order_id,
  payment_id: payment.id,
  return_id: null,
  items: [],
  shipping: false,
  restock: false,
  reason: null,
})

const toExternalRefund = (
  payment: RefundedPayment,
  { reference, amountMinor, status }: ProviderRefund,
  now: Instant,
): NewRefund => ({
  ...ofPayment(payment),
  refund_key: null,
  provider_reference: reference,
  origin: 'provider',
  amount: amountMinor,
  status,
  due_at: status === 'pending' ? now + minRecheckMs : null,
})

const toReturn = (
  payment: RefundedPayment,
  amountMinor: Minor,
  key: string,
  now: Instant,
): NewRefund => ({
  ...ofPayment(payment),
  refund_key: key,
  provider_reference: null,
  origin: 'late_payment',
  amount: amountMinor,
  status: 'pending',
  due_at: now,
})
