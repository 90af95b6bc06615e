import type {
  CallbackRequest,
  PaymentProvider,
  StoredPayment,
} from '../../../src/shop/providers/provider.ts'
import type { Instant } from '../../../src/values/instant.ts'

/** A call of the provider interface whose answer can be lost. */
export type LosableCall = 'start' | 'confirm' | 'find' | 'cancel' | 'refund'

/** Two tokens for payments that are decided later: one approved, one declined. */
interface LaterTokens {
  readonly approved: string
  readonly declined: string
}

/** What the provider has done for a payment by its own books; amounts are in minor units. */
export interface ProviderBooks {
  readonly charged: readonly number[]
  readonly refunded: readonly number[]
}

/**
 * A payment provider to be checked, and what stands for its buyers, its bank and its network. Members
 * that are left out skip the checks that need them.
 */
export interface CheckSubject {
  readonly provider: PaymentProvider
  readonly tokens: {
    /** Succeeds at once, or, where the buyer always acts on a page, once `decide` approves. */
    readonly succeeds: string
    /** Is declined at once, or once `decide` declines. */
    readonly declined: string
    /** Nothing that the provider knows; left out where the buyer gives the card on a page. */
    readonly unknown?: string
    /** Pending until the bank decides. */
    readonly later?: LaterTokens
    /** The buyer has to act. */
    readonly action?: LaterTokens
  }
  /** What the provider is asked to charge; each amount is at least 100 and divisible by 100. */
  readonly amounts: readonly { readonly currency: string; readonly amountMinor: number }[]
  /** An amount that the provider does not take. */
  readonly rejectedAmount?: { readonly currency: string; readonly amountMinor: number }
  readonly readBooks: (payment: StoredPayment) => Promise<ProviderBooks>
  /** Loses the answer of the next such call: `before` it has an effect, or `after`. */
  readonly loseAnswer: (call: LosableCall, when: 'before' | 'after') => void
  /** Has the bank or the buyer decide a payment of `later` or `action`, if it is still open. */
  readonly decide?: (payment: StoredPayment, decision: 'approve' | 'refuse') => Promise<void>
  /** Refunds by other means, such as the provider's dashboard. */
  readonly refundElsewhere?: (payment: StoredPayment, amountMinor: number) => Promise<void>
  /** Has the provider forget what it keeps for a day only, such as idempotency keys. */
  readonly forgetKeys?: () => void
  /** Returns a callback about a payment, signed at `now` by the provider or by somebody else. */
  readonly makeCallback: (
    payment: StoredPayment,
    now: Instant,
    signer?: 'provider' | 'stranger',
  ) => CallbackRequest
  /** Returns a signed callback about nothing of ours. */
  readonly makeForeignCallback: (now: Instant) => CallbackRequest
  /** Returns a provider whose server cannot be reached, does not answer, or answers nonsense. */
  readonly reach: (server: 'nowhere' | 'silent' | 'garbage') => PaymentProvider
  readonly close: () => Promise<void>
}

/** Opens a subject with empty books; every check has its own. A module to be checked exports it. */
export type OpenSubject = () => Promise<CheckSubject>
