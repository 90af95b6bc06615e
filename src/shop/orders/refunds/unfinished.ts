import type { PaymentParts } from '#shop/orders/payments/parts.ts'
import { findPayment } from '#shop/orders/payments/store.ts'
import type { Db } from '#store/database.ts'
import { postpone } from '#store/due.ts'
import { settleRefund } from './actions.ts'
import { recheckRefundAt } from './settlement.ts'
import { findUnsettledRefunds } from './store.ts'
import { refunds } from './table.ts'

/**
 * Settles refunds whose requests ended without an outcome, and those that wait for the provider.
 * Returns how many were asked about. Processes may run this concurrently, because each refund is
 * claimed first.
 */
export async function settleUnfinishedRefunds(parts: PaymentParts, db: Db): Promise<number> {
  const { provider, clock } = parts
  const now = clock()
  let settled = 0
  for (const refund of await findUnsettledRefunds(db, provider.name, now)) {
    if (!(await postpone(db, refunds, refund, recheckRefundAt(refund, now)))) continue
    const payment = await findPayment(db, refund.payment_id)
    if (!payment) continue
    await settleRefund(parts, { refund, payment })
    settled++
  }
  return settled
}
