import type { Instant } from '#values/instant.ts'

/**
 * How far a payment has come. `declined` and `cancelled` are final: no request in flight and nothing
 * that the buyer does can take money for it any more. `refunded` means all of it was returned.
 */
export type ProviderStatus =
  | 'pending'
  | 'action_required'
  | 'succeeded'
  | 'declined'
  | 'cancelled'
  | 'refunded'

/**
 * What the buyer does to go on: open a page of the provider, or run the provider's script with a
 * secret. Both are secrets of the buyer.
 */
export type BuyerAction =
  | { readonly type: 'redirect'; readonly url: string }
  | { readonly type: 'provider'; readonly clientSecret: string }

/** A refund at the provider; `amountMinor` is in minor units. */
export interface ProviderRefund {
  /** The key that we gave it; null for a refund made by other means, such as a dashboard. */
  readonly key: string | null
  /** The provider's ID; null for a refund that the provider did not accept. */
  readonly reference: string | null
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly amountMinor: number
  readonly reason?: string
}

/** A payment as the provider knows it; amounts are in minor units. */
export interface ProviderPayment {
  readonly key: string
  /** The provider's ID; null only for a payment cancelled before the provider knew it. */
  readonly reference: string | null
  readonly status: ProviderStatus
  readonly amountMinor: number
  readonly currency: string
  /** The sum of the refunds that succeeded. */
  readonly refundedMinor: number
  readonly refunds: readonly ProviderRefund[]
  /** With `action_required` only. */
  readonly action?: BuyerAction
  /** Why it was declined or cancelled. */
  readonly reason?: string
}

/**
 * No answer, or one that makes no sense: money may or may not have moved. `timeout` is no answer in
 * time, `unreachable` no connection or no capacity, `garbage` anything else.
 */
export interface UnknownOutcome {
  readonly kind: 'unknown'
  readonly because: 'timeout' | 'unreachable' | 'garbage'
}

/** The state of a payment, or no answer. */
export type PaymentOutcome =
  | { readonly kind: 'payment'; readonly payment: ProviderPayment }
  | UnknownOutcome

/** The provider knows the payment, but takes no money for it before `confirm`. */
export interface Unconfirmed {
  readonly kind: 'unconfirmed'
  readonly reference: string
}

/** The provider does not accept the amount or the token. No money moved, and none can. */
export interface Rejected {
  readonly kind: 'rejected'
  readonly field: 'amount' | 'token'
  readonly reason: string
}

/** The result of `start`. */
export type StartOutcome = PaymentOutcome | Unconfirmed | Rejected

/** The result of `confirm`. */
export type ConfirmOutcome = PaymentOutcome | Rejected

/**
 * The result of `find`. `absent`: the provider does not know the payment, but a request in flight
 * may still reach it, so that only `cancel` rules a charge out.
 */
export type FindOutcome = PaymentOutcome | Unconfirmed | { readonly kind: 'absent' }

/** The result of `refund`. `absent`: the provider does not know the payment. */
export type RefundOutcome =
  | { readonly kind: 'refund'; readonly refund: ProviderRefund }
  | { readonly kind: 'absent' }
  | UnknownOutcome

/** A payment as we have stored it. */
export interface StoredPayment {
  /** Our name of the attempt to pay, unique for ever. */
  readonly key: string
  /** The provider's ID; null until it is stored. */
  readonly reference: string | null
  readonly amountMinor: number
  /** ISO 4217, in upper case. */
  readonly currency: string
  readonly orderId: number
  readonly paymentId: number
  readonly createdAt: Instant
}

/** What the buyer pays with. */
export interface PaymentInput {
  /** Names the card at the provider; card data never reach us. */
  readonly token: string
  /** Where the provider sends the buyer's browser after an action. */
  readonly returnUrl?: string
}

/** The parameters of a payment that starts; `callbackUrl` receives the provider's callbacks. */
export interface StartRequest extends StoredPayment, PaymentInput {
  readonly callbackUrl: string
}

/** The parameters of a refund: `key` is our name of it, `amountMinor` is in minor units. */
export interface RefundRequest {
  readonly key: string
  readonly amountMinor: number
}

/** A callback as it came: the signature covers `body`. */
export interface CallbackRequest {
  readonly body: Buffer
  /** Returns a header field by lower-case name; undefined if it is absent or repeated. */
  readonly header: (name: string) => string | undefined
}

/**
 * What a callback is about. `invalid`: not signed by the provider. `ignored`: signed, but not about
 * a payment of ours. `payment`: look the payment of this key up with `find`; what the callback said
 * about it may be outdated.
 */
export type CallbackOutcome =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'payment'; readonly key: string }
  | UnknownOutcome

/**
 * A payment provider. No method throws; every one may be repeated, at any time and concurrently,
 * and still takes money once per payment and returns it once per refund key.
 * `npm run provider-check` tests all of this.
 */
export interface PaymentProvider {
  /** Stored with every payment. */
  readonly name: string
  /** The path of this server that receives the callbacks. */
  readonly callbackPath: string
  /**
   * Starts a payment under its key. A provider that charges at once returns what became of it. One
   * that charges in two steps returns `unconfirmed`; its reference is then stored durably, and only
   * after that `confirm` is called.
   */
  start(request: StartRequest): Promise<StartOutcome>
  /** Takes the money of a payment whose reference is stored. */
  confirm(payment: StoredPayment, means: PaymentInput): Promise<ConfirmOutcome>
  /** Returns the current state of a payment. */
  find(payment: StoredPayment): Promise<FindOutcome>
  /**
   * Cancels a payment unless it is decided, and returns what has become of it: once `cancelled` is
   * returned, not even a request in flight can take money. Also cancels what the provider does not
   * know yet.
   */
  cancel(payment: StoredPayment): Promise<PaymentOutcome>
  /** Returns a part or all of the money of a payment, once per key; more than is left fails. */
  refund(payment: StoredPayment, request: RefundRequest): Promise<RefundOutcome>
  /** Returns what a callback is about; `now` bounds the age of its signature. */
  verifyCallback(request: CallbackRequest, now: Instant): Promise<CallbackOutcome>
  /** Closes all connections; calls in flight end as `unreachable`. */
  close(): Promise<void>
}
