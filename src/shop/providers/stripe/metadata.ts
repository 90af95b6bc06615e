import type Stripe from 'stripe'
import type { StoredPayment } from '#shop/providers/provider.ts'
import { isStorableText } from '#values/text.ts'

// Shown in Stripe's dashboard. Other systems of the shop may use the same account.
const paymentField = 'cartwright_payment'
const refundField = 'cartwright_refund'

/** The metadata by which a payment intent is recognised as a payment of ours. */
export const paymentMetadata = ({ key, orderId, paymentId }: StoredPayment) => ({
  [paymentField]: key,
  order_id: String(orderId),
  payment_id: String(paymentId),
})

/** The metadata by which a refund is recognised as one of ours. */
export const refundMetadata = (payment: StoredPayment, refundKey: string) => ({
  ...paymentMetadata(payment),
  [refundField]: refundKey,
})

type Labelled = { readonly metadata?: Stripe.Metadata | null }

/** Returns the key of the payment that an object of Stripe belongs to; undefined if it is not ours. */
export function paymentKeyOf({ metadata }: Labelled): string | undefined {
  const key = metadata?.[paymentField]
  return typeof key === 'string' && isStorableText(key) ? key : undefined
}

/** Returns our key of a refund; undefined for one made in Stripe's dashboard. */
export const refundKeyOf = ({ metadata }: Labelled): string | undefined => metadata?.[refundField]
