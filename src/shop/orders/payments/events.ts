import { entityEvents } from '#shop/events/entity-events.ts'
import type { DomainEvent } from '#shop/events/outbox-store.ts'
import type { Instant } from '#values/instant.ts'
import type { Minor } from '#values/money.ts'
import { presentPayment } from './rules.ts'
import { Payment } from './schema.ts'
import type { OwnedPayment } from './store.ts'

/** Returns the subject of the events of a payment. */
export const paymentSubject = ({ id }: { readonly id: number }): string => `/payments/${id}`

const paymentEvent = entityEvents<
  OwnedPayment,
  'payment.succeeded' | 'payment.failed' | 'payment.action_required' | 'payment.refunded'
>({
  schema: Payment,
  // Without what the buyer has to do, which is a secret.
  present: (payment) => presentPayment(payment),
  subject: paymentSubject,
  userId: ({ user_id }) => user_id,
})

/** Returns the event of a payment of which a refund of `minor` has succeeded. */
export const refundEvent = (payment: OwnedPayment, minor: Minor, now: Instant): DomainEvent => ({
  ...paymentEvent('payment.refunded', payment, now),
  amount: { currency: payment.currency, minor },
})

/** Returns the event of a payment whose status has changed; none otherwise. */
export function statusEvents(
  before: OwnedPayment,
  after: OwnedPayment,
  now: Instant,
): readonly DomainEvent[] {
  const { status } = after
  if (status === before.status || status === 'pending') return []
  const { currency, amount: minor } = after
  const event = paymentEvent(`payment.${status}`, after, now)
  return [status === 'succeeded' ? { ...event, amount: { currency, minor } } : event]
}
