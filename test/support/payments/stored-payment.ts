import type {
  ConfirmOutcome,
  FindOutcome,
  RefundOutcome,
  StartOutcome,
  StoredPayment,
} from '#shop/providers/provider.ts'

/** A payment of 19.99 USD as the server stores it, not yet known to a provider. */
export const storedPayment = (changes: Partial<StoredPayment> = {}): StoredPayment => ({
  key: 'order-1-a',
  reference: null,
  amountMinor: 1999,
  currency: 'USD',
  orderId: 1,
  paymentId: 1,
  createdAt: Date.now(),
  ...changes,
})

/** What a provider said, in a word: a status, the reason of a missing answer, or the kind. */
export function outcomeName(
  outcome: StartOutcome | ConfirmOutcome | FindOutcome | RefundOutcome,
): string {
  if (outcome.kind === 'payment') return outcome.payment.status
  if (outcome.kind === 'refund') return outcome.refund.status
  return outcome.kind === 'unknown' ? outcome.because : outcome.kind
}
