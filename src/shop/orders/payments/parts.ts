import type { Cipher } from '#http/pipeline/idempotency/store.ts'
import type { Limits } from '#http/rate-limit/counters.ts'
import type { PaymentProvider, StoredPayment } from '#shop/providers/provider.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import type { OwnedPayment } from './store.ts'

/** What takes and returns money. */
export interface PaymentParts {
  readonly transaction: RunTransaction
  readonly provider: PaymentProvider
  /** Where the provider sends callbacks. */
  readonly callbackUrl: string
  /** The web origins to which the browser of a buyer may return. */
  readonly returnOrigins: ReadonlySet<string>
  /** Encrypts what the buyer has to do, which may hold a secret of the provider. */
  readonly cipher: Cipher
  readonly clock: () => Instant
  /** Where paid orders are given back; undefined where orders are not counted. */
  readonly limits?: Limits
}

/** A payment as the provider interface describes it. */
export const toStoredPayment = (payment: OwnedPayment): StoredPayment => ({
  key: payment.idempotency_key,
  reference: payment.provider_reference,
  amountMinor: payment.amount,
  currency: payment.currency,
  orderId: payment.order_id,
  paymentId: payment.id,
  createdAt: payment.created_at,
})
