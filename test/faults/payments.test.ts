import { describe, test } from 'node:test'
import { skipReason } from '#test/support/services/databases.ts'
import { runPaymentFaults } from './scenarios/payment-faults.ts'

// Once at every moment of a payment.
const runs = 8

describe('payments by Stripe while calls fail and the server is killed', () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    const name = `on ${kind} charge each order at most once, and money and orders agree`
    test(name, { skip: skipReason(kind) }, (t) =>
      runPaymentFaults(kind, runs, (line) => t.diagnostic(line)),
    )
  }
})
