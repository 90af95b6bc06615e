import { createMessage } from '#i18n/message.ts'
import type { OrderStatus } from '#resources/orders/schema.ts'
import type { Charge } from '#src/payments/provider.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { fieldProblem, type Problem, problem, unavailable } from '#values/problem.ts'

/** How long the settlement job leaves a payment to its request, in milliseconds. */
export const settlementDelayMs = 15 * secondMs
/** How long the job waits before it queries a pending charge again, in milliseconds. */
const pendingDelayMs = 30 * secondMs
/** How long a charge may be pending before it is voided, in milliseconds. */
export const decisionWindowMs = 20 * minuteMs

interface Payable {
  readonly status: OrderStatus
  readonly expires_at: Instant | null
  readonly total_minor: Minor
  readonly payment_pending: boolean
}

/** Throws 404 when there is no order and 410 when it has been removed. */
export function requirePresent<Order extends { readonly deleted_at: Instant | null }>(
  order: Order | undefined,
): Order {
  if (!order) throw problem('4041', 'detail.no_resource', { name: 'order' })
  if (order.deleted_at !== null) throw problem('4101', 'detail.gone', { name: 'order' })
  return order
}

/**
 * Throws 409 when the state of the order does not allow payment, 422 when the amount differs from
 * the total.
 */
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

/** The fields of a payment that settlement reads and changes. */
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

/** True for a voided payment: no money moved and nobody declined, so it may be tried again. */
export const isVoided = ({
  status,
  failure,
  refund_requested_at,
}: Pick<PaymentState, 'status' | 'failure' | 'refund_requested_at'>): boolean =>
  status === 'failed' && failure === 'voided' && refund_requested_at === null

/** The changes of a payment and its order that follow from a charge. */
export interface Settlement {
  readonly payment: Partial<PaymentState>
  /** Set when the order is now paid or its payment refunded. */
  readonly order?: 'paid' | 'refunded'
}

/**
 * Returns the changes that follow from the state of a charge; undefined when it is outdated, already
 * applied or of another amount. Requests a refund when the order can no longer be paid or the payment
 * has failed.
 */
export function settle(
  payment: PaymentState,
  charge: Charge,
  orderStatus: OrderStatus,
  now: Instant,
): Settlement | undefined {
  if (charge.sequence < payment.sequence) return undefined
  const latest = { sequence: charge.sequence, provider_reference: charge.reference }
  switch (charge.status) {
    case 'pending':
      return payment.status === 'pending'
        ? { payment: { ...latest, settle_after: now + pendingDelayMs } }
        : undefined
    case 'succeeded':
      return settleSuccess(payment, charge, orderStatus, now)
    case 'declined':
    case 'voided':
      if (payment.status === 'pending') return settleFailure(charge)
      // A refund was requested, but the provider closed the charge without taking the money.
      return payment.refund_requested_at === null ? undefined : settleRefund(payment, charge)
    case 'refunded':
      return settleRefund(payment, charge)
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

function settleRefund({ status }: PaymentState, { sequence, reference }: Charge): Settlement {
  const closed = {
    sequence,
    provider_reference: reference,
    refund_requested_at: null,
    settle_after: null,
  }
  if (status === 'failed' || status === 'refunded') return { payment: closed }
  return { payment: { ...closed, status: 'refunded' }, order: 'refunded' }
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
  const latest = { sequence: charge.sequence, provider_reference: charge.reference }
  const refundRequested = { refund_requested_at: now, settle_after: now }
  switch (payment.status) {
    case 'pending':
      return orderStatus === 'pending'
        ? { payment: { ...latest, status: 'succeeded', settle_after: null }, order: 'paid' }
        : { payment: { ...latest, status: 'succeeded', ...refundRequested } }
    case 'failed':
      return payment.refund_requested_at === null
        ? { payment: { ...latest, ...refundRequested } }
        : undefined
    case 'succeeded':
    case 'refunded':
      return undefined
    default:
      return payment.status satisfies never
  }
}

/** Returns the problem for a charge of unknown outcome: 502, 503 or 504. */
export function unknownOutcomeProblem(because: 'garbage' | 'unreachable' | 'timeout'): Problem {
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

/** Adds the amount of the representation to a payment. */
export const presentPayment = <P extends { readonly amount_minor: Minor }>(payment: P) => ({
  ...payment,
  amount: payment.amount_minor,
})
