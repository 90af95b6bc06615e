import { createMessage } from '#i18n/message.ts'
import type { OrderStatus } from '#resources/orders/schema.ts'
import type { Charge } from '#src/payments/provider.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { fieldProblem, type Problem, problem, unavailable } from '#values/problem.ts'

/** How long a payment is left to the request that makes it before the settlement job asks. */
export const settlementDelayMs = 15 * secondMs
/** How long the job waits before it asks again about a charge that is still undecided. */
const settlementPauseMs = 30 * secondMs
/** How long a provider that answers later may take before the charge is called off. */
export const decisionWindowMs = 20 * minuteMs

interface Payable {
  readonly status: OrderStatus
  readonly expires_at: Instant | null
  readonly total_minor: Minor
  readonly payment_pending: boolean
}

/** Refuses with 404 for an order that is not there, and with 410 for one that has been removed. */
export function requirePresent<Order extends { readonly deleted_at: Instant | null }>(
  order: Order | undefined,
): Order {
  if (!order) throw problem('4041', 'detail.no_resource', { name: 'order' })
  if (order.deleted_at !== null) throw problem('4101', 'detail.gone', { name: 'order' })
  return order
}

/** Refuses what cannot be paid: 409 by its state, 422 where the amount is not what is due. */
export function requirePayable(order: Payable, amount: Minor | undefined, now: Instant): void {
  const { status, expires_at, total_minor, payment_pending } = order
  if (status === 'cancelled' || status === 'refunded') {
    throw problem('4091', 'payment.not_payable', { status })
  }
  if (status !== 'pending') throw problem('4091', 'payment.paid')
  if (payment_pending) throw problem('4091', 'payment.under_way')
  if (expires_at !== null && expires_at <= now) {
    throw problem('4091', 'payment.not_payable', { status: 'cancelled' })
  }
  if (amount !== undefined && amount !== total_minor) {
    throw fieldProblem([{ field: 'amount', message: createMessage('payment.amount_due') }])
  }
}

/** A payment as far as its life is concerned. */
export interface PaymentState {
  readonly status: 'succeeded' | 'pending' | 'failed' | 'refunded'
  readonly amount_minor: Minor
  readonly currency: string
  readonly provider_reference: string | null
  readonly failure: string | null
  readonly sequence: number
  readonly refund_requested_at: Instant | null
  readonly settle_after: Instant | null
}

/** True for a payment that ended without money moved or anybody's refusal, so another may be made. */
export const isCalledOff = ({
  status,
  failure,
  refund_requested_at,
}: Pick<PaymentState, 'status' | 'failure' | 'refund_requested_at'>): boolean =>
  status === 'failed' && failure === 'voided' && refund_requested_at === null

/** What a charge makes of a payment, and of its order. */
export interface Settlement {
  readonly payment: Partial<PaymentState>
  /** The order comes to be paid, or its money has been given back. */
  readonly order?: 'paid' | 'returned'
}

/**
 * What follows from the provider's word on a charge; undefined where nothing does: it is older
 * than what is known, or not about this payment. Money for an order that can no longer be paid,
 * or for a payment given up, is asked back.
 */
export function settle(
  payment: PaymentState,
  charge: Charge,
  orderStatus: OrderStatus,
  now: Instant,
): Settlement | undefined {
  if (charge.sequence < payment.sequence) return undefined
  const seen = { sequence: charge.sequence, provider_reference: charge.reference }
  switch (charge.status) {
    case 'pending':
      return payment.status === 'pending'
        ? { payment: { ...seen, settle_after: now + settlementPauseMs } }
        : undefined
    case 'succeeded':
      return settleSuccess(payment, charge, orderStatus, now)
    case 'declined':
    case 'voided':
      if (payment.status === 'pending') return settleFailure(charge)
      // Asked back, and the provider has closed the charge without ever having the money.
      return payment.refund_requested_at === null ? undefined : settleReturn(payment, charge)
    case 'refunded':
      return settleReturn(payment, charge)
    default:
      return charge.status satisfies never
  }
}

const settleFailure = ({ sequence, reference, reason, status }: Charge): Settlement => ({
  payment: {
    sequence,
    provider_reference: reference,
    status: 'failed',
    failure: reason ?? status,
    settle_after: null,
  },
})

function settleReturn({ status }: PaymentState, { sequence, reference }: Charge): Settlement {
  const over = {
    sequence,
    provider_reference: reference,
    refund_requested_at: null,
    settle_after: null,
  }
  if (status === 'failed' || status === 'refunded') return { payment: over }
  return { payment: { ...over, status: 'refunded' }, order: 'returned' }
}

function settleSuccess(
  payment: PaymentState,
  charge: Charge,
  orderStatus: OrderStatus,
  now: Instant,
): Settlement | undefined {
  if (charge.amountMinor !== payment.amount_minor || charge.currency !== payment.currency) {
    return undefined
  }
  const seen = { sequence: charge.sequence, provider_reference: charge.reference }
  const askedBack = { refund_requested_at: now, settle_after: now }
  switch (payment.status) {
    case 'pending':
      return orderStatus === 'pending'
        ? { payment: { ...seen, status: 'succeeded', settle_after: null }, order: 'paid' }
        : { payment: { ...seen, status: 'succeeded', ...askedBack } }
    case 'failed':
      return payment.refund_requested_at === null
        ? { payment: { ...seen, ...askedBack } }
        : undefined
    case 'succeeded':
    case 'refunded':
      return undefined
    default:
      return payment.status satisfies never
  }
}

/** Makes the refusal that tells why nothing is known of a charge: 502, 503 or 504. */
export function unknownOutcome(because: 'garbage' | 'unreachable' | 'timeout'): Problem {
  switch (because) {
    case 'garbage':
      return problem('5021', 'payment.garbage')
    case 'unreachable':
      return unavailable('payment.unreachable')
    case 'timeout':
      return problem('5041', 'payment.timeout')
    default:
      return because satisfies never
  }
}

/** A payment as it is told. */
export const presentPayment = <P extends { readonly amount_minor: Minor }>(payment: P) => ({
  ...payment,
  amount: payment.amount_minor,
})
