import type { Context } from '#http/declare/context.ts'
import { type PaymentParts, toStoredPayment } from '#shop/orders/payments/parts.ts'
import { unknownOutcomeProblem } from '#shop/orders/payments/rules.ts'
import { findByKey } from '#shop/orders/payments/store.ts'
import type { CallbackRequest } from '#shop/providers/provider.ts'
import { problem } from '#values/problem.ts'
import { recordOutcome } from './record.ts'

/**
 * Records the present state of the payment that a callback of the provider is about, so that neither
 * the order nor the number of callbacks matters. Ignores other signed callbacks. Throws 400 for a bad
 * signature, and 5021, 5031 or 5041 when the provider cannot be asked, so that it calls again.
 */
export async function receiveCallback(
  parts: PaymentParts,
  { db, now }: Pick<Context, 'db' | 'now'>,
  request: CallbackRequest,
): Promise<void> {
  const { provider } = parts
  const callback = await provider.verifyCallback(request, now)
  if (callback.kind === 'invalid') throw problem('4001', 'payment.bad_signature')
  if (callback.kind === 'unknown') throw unknownOutcomeProblem(callback.because)
  const payment = callback.kind === 'payment' ? await findByKey(db, callback.key) : undefined
  if (payment?.provider !== provider.name) return
  const found = await provider.find(toStoredPayment(payment))
  if (found.kind === 'unknown') throw unknownOutcomeProblem(found.because)
  await recordOutcome(parts, payment, found)
}
