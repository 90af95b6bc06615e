import { createMessage } from '#i18n/message.ts'
import type { OrderSource, OrderStatus } from '#shop/orders/orders/schema.ts'
import { type Dispatch, requireShippableOrder } from '#shop/orders/shipping/rules.ts'
import type { BuyerAction, ProviderPayment, UnknownOutcome } from '#shop/providers/provider.ts'
import { type Instant, minuteMs, secondMs } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { fieldProblem, type Problem, problem, unavailableProblem } from '#values/problem.ts'
import type { PaymentStatus } from './schema.ts'

/** How long the settlement job leaves a payment to its request, in milliseconds. */
export const settlementDelayMs = 15 * secondMs
/** How long the job waits before it asks again about an open payment, in milliseconds. */
const recheckDelayMs = 30 * secondMs
/** How long a payment may be pending before it is cancelled, in milliseconds. */
export const decisionWindowMs = 20 * minuteMs

interface Payable extends Dispatch {
  readonly status: OrderStatus
  readonly expires_at: Instant | null
  readonly total: Minor
  readonly open_payment: 'pending' | 'action_required' | null
  readonly source?: OrderSource
}

/**
 * Throws 409 when the state of the order does not allow payment or its destination is incomplete, 422
 * when the amount differs from the total.
 */
export function requirePayableOrder(order: Payable, amount: Minor | undefined, now: Instant): void {
  const { status, expires_at, total, open_payment, source } = order
  if (source === 'import') throw problem('4091', 'payment.imported')
  if (status === 'cancelled' || status === 'refunded') {
    throw problem('4091', 'payment.not_payable', { status })
  }
  if (status !== 'pending') throw problem('4091', 'payment.paid')
  if (open_payment !== null) throw problem('4091', 'payment.under_way')
  if (expires_at !== null && expires_at <= now) {
    throw problem('4091', 'payment.not_payable', { status: 'cancelled' })
  }
  requireShippableOrder(order)
  if (amount !== undefined && amount !== total) {
    throw fieldProblem([{ field: 'amount', message: createMessage('payment.amount_due') }])
  }
}

/**
 * Returns the URL to which the buyer's browser returns, with `payment_id` added to its query, in place
 * of another one. Throws 422 unless its origin is one of `origins`, and for white space, which `URL`
 * would drop or encode.
 */
export function requireReturnUrl(
  text: string,
  origins: ReadonlySet<string>,
  paymentId: number,
): string {
  const url = /\s/.test(text) ? null : URL.parse(text)
  if (!url || !origins.has(url.origin) || url.username !== '' || url.password !== '') {
    throw fieldProblem([{ field: 'return_url', message: createMessage('payment.return_url') }])
  }
  // Not `searchParams`, which would encode the whole query anew.
  const fields = url.search.slice(1).split('&')
  const kept = fields.filter((field) => field && !new URLSearchParams(field).has('payment_id'))
  url.search = [...kept, `payment_id=${paymentId}`].join('&')
  return url.href
}

/** The fields of a payment that settlement reads and changes. */
export interface PaymentState {
  readonly status: PaymentStatus
  readonly amount: Minor
  readonly currency: string
  readonly provider_reference: string | null
  readonly failure: string | null
  /** The encrypted `BuyerAction`. */
  readonly next_action: string | null
  /** The sums of the refunds that succeeded, and of those that are pending. */
  readonly refunded: Minor
  readonly refunding: Minor
  readonly cancel_requested_at: Instant | null
  readonly due_at: Instant | null
}

/** True while a payment is neither paid nor failed. */
export const isOpen = ({ status }: Pick<PaymentState, 'status'>): boolean =>
  status === 'pending' || status === 'action_required'

/** True for a cancelled payment: no money moved and nobody declined, so it may be tried again. */
export const isCancelled = ({
  status,
  failure,
}: Pick<PaymentState, 'status' | 'failure'>): boolean =>
  status === 'failed' && failure === 'cancelled'

/** When the job asks about an open payment again: soon, and once its order has expired. */
export const recheckAt = (expiresAt: Instant | null, now: Instant): Instant =>
  expiresAt !== null && expiresAt > now
    ? Math.min(expiresAt, now + recheckDelayMs)
    : now + recheckDelayMs

/** True when the job must cancel an open payment instead of waiting for the provider or the buyer. */
export function isOverdue(
  payment: Pick<PaymentState, 'status' | 'cancel_requested_at'> & {
    readonly created_at: Instant
    readonly expires_at: Instant | null
  },
  now: Instant,
): boolean {
  const { status, cancel_requested_at, created_at, expires_at } = payment
  if (cancel_requested_at !== null) return true
  return status === 'action_required'
    ? expires_at === null || expires_at <= now
    : now - created_at > decisionWindowMs
}

/** The state of an order that decides what becomes of its payment. */
interface SettledOrder {
  readonly status: OrderStatus
  readonly expires_at: Instant | null
}

/** The changes of a payment and its order that follow from its state at the provider. */
export interface Settlement {
  readonly payment: Partial<PaymentState>
  /** What the buyer has to do, to be encrypted. */
  readonly action?: BuyerAction
  /** Set when the order is now paid. */
  readonly order?: 'paid'
  /** True when the money came too late for the order and must be returned. */
  readonly isTooLate?: true
}

/**
 * Returns the changes that follow from the state of a payment at the provider, apart from its refunds;
 * undefined when it is already applied or of another amount.
 */
export function settle(
  payment: PaymentState,
  state: ProviderPayment,
  order: SettledOrder,
  now: Instant,
): Settlement | undefined {
  switch (state.status) {
    case 'pending':
    case 'action_required':
      return isOpen(payment) ? settleOpen(payment, state, order, now) : undefined
    case 'succeeded':
    case 'refunded':
      return settleSuccess(payment, state, order)
    case 'declined':
    case 'cancelled':
      return settleEnd(payment, state)
    default:
      return state.status satisfies never
  }
}

/** What is over once a payment is decided. */
const decided = { next_action: null, cancel_requested_at: null, due_at: null } as const

function settleOpen(
  payment: PaymentState,
  { status, reference, action }: ProviderPayment,
  { expires_at }: SettledOrder,
  now: Instant,
): Settlement | undefined {
  const isWaiting = status === 'action_required' && action !== undefined
  const next = isWaiting ? 'action_required' : 'pending'
  if (payment.status === next && payment.provider_reference === reference) return undefined
  const due_at = recheckAt(expires_at, now)
  const known = { status: next, provider_reference: reference, due_at } as const
  return isWaiting ? { payment: known, action } : { payment: { ...known, next_action: null } }
}

function settleEnd(payment: PaymentState, state: ProviderPayment): Settlement | undefined {
  const { reference, reason, status } = state
  if (!isOpen(payment)) return undefined
  // Asked before the provider knew the payment, which it does by now.
  if (reference === null && payment.provider_reference !== null) return undefined
  const failure = status === 'cancelled' ? status : (reason ?? status)
  return { payment: { ...decided, status: 'failed', provider_reference: reference, failure } }
}

/** True when the provider has taken the money of this payment, even if it has returned it since. */
export const isCharged = (
  { amount, currency }: Pick<PaymentState, 'amount' | 'currency'>,
  state: ProviderPayment,
): boolean =>
  (state.status === 'succeeded' || state.status === 'refunded') &&
  state.amountMinor === amount &&
  state.currency === currency

/** The failure of a payment whose money arrived after it had failed here. */
const paidTooLate = 'paid too late'

function settleSuccess(
  payment: PaymentState,
  state: ProviderPayment,
  order: SettledOrder,
): Settlement | undefined {
  if (!isCharged(payment, state)) return undefined
  const { status, reference } = state
  switch (payment.status) {
    case 'pending':
    case 'action_required': {
      const succeeded = { ...decided, status: 'succeeded', provider_reference: reference } as const
      return order.status === 'pending' && status === 'succeeded'
        ? { payment: succeeded, order: 'paid' }
        : { payment: succeeded, isTooLate: true }
    }
    case 'failed':
      return payment.failure === paidTooLate
        ? undefined
        : {
            payment: { ...decided, provider_reference: reference, failure: paidTooLate },
            isTooLate: true,
          }
    case 'succeeded':
    case 'refunded':
      return undefined
    default:
      return payment.status satisfies never
  }
}

/** Returns the problem for a payment of unknown outcome: 502, 503 or 504. */
export function unknownOutcomeProblem(because: UnknownOutcome['because']): Problem {
  switch (because) {
    case 'garbage':
      return problem('5021', 'payment.garbage')
    case 'unreachable':
      return unavailableProblem('payment.unreachable')
    case 'timeout':
      return problem('5041', 'payment.timeout')
    default:
      return because satisfies never
  }
}

/** Adds the refunded amount and the next action of the representation to a payment. */
export const presentPayment = <P extends { readonly refunded: Minor }>(
  payment: P,
  action: BuyerAction | null = null,
) => ({
  ...payment,
  refunded_total: payment.refunded,
  next_action: action && presentAction(action),
})

const presentAction = (action: BuyerAction) =>
  action.type === 'redirect' ? action : { type: action.type, client_secret: action.clientSecret }
