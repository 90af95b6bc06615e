import type { LosableCall, OpenSubject } from '#provider-check/subject.ts'
import type { CallbackRequest, StoredPayment } from '#shop/providers/provider.ts'
import { fromStripeAmount, toStripeAmount } from '#shop/providers/stripe/amounts.ts'
import { stripeProvider } from '#shop/providers/stripe/stripe-provider.ts'
import { startStripeDouble } from '#test/support/payments/stripe/double.ts'
import { startUnhelpfulServers } from './unhelpful-servers.ts'

// Long enough for a busy machine; only a silent server is waited for.
const [timeoutMs, silenceMs] = [10_000, 1_000]

const requests: Readonly<Record<LosableCall, readonly [method: string, path: RegExp]>> = {
  start: ['POST', /\/payment_intents$/],
  confirm: ['POST', /\/confirm$/],
  find: ['GET', /\/payment_intents\//],
  cancel: ['POST', /\/cancel$/],
  refund: ['POST', /\/refunds$/],
}

/** Stripe, as its double answers. */
export const openSubject: OpenSubject = async () => {
  const double = await startStripeDouble()
  const servers = await startUnhelpfulServers()
  const { url, secretKey, webhookSecret, intents, refunds, events } = double
  const openAt = (apiBase: string, timeout: number) =>
    stripeProvider({ apiBase, secretKey, webhookSecret, timeoutMs: timeout })
  const provider = openAt(url, timeoutMs)
  const intentOf = ({ reference }: StoredPayment) => intents.retrieve(reference ?? '')
  const makeCallback = (object: object, now: number, secret?: string): CallbackRequest => {
    const body = JSON.stringify({ object: 'event', type: 'some.thing', data: { object } })
    const signature = events.sign(body, secret, now)
    return {
      body: Buffer.from(body),
      header: (name) => (name === 'stripe-signature' ? signature : undefined),
    }
  }
  return {
    provider,
    tokens: {
      ...{ succeeds: 'pm_card_visa', declined: 'pm_card_chargeDeclined', unknown: 'pm_nobody' },
      later: { approved: 'pm_card_processing', declined: 'pm_card_processing' },
      action: {
        approved: 'pm_card_authenticationRequired',
        declined: 'pm_card_threeDSecure2Required',
      },
    },
    amounts: [
      { currency: 'USD', amountMinor: 1900 },
      { currency: 'JPY', amountMinor: 500 },
      { currency: 'ISK', amountMinor: 500 },
      { currency: 'UGX', amountMinor: 5000 },
      { currency: 'HUF', amountMinor: 50_000 },
      { currency: 'KWD', amountMinor: 5100 },
    ],
    rejectedAmount: { currency: 'USD', amountMinor: 49 },
    readBooks: async ({ key, currency }) => {
      const ids = intents
        .all()
        .filter(({ metadata }) => metadata['cartwright_payment'] === key)
        .map(({ id }) => id)
      const toMinor = ({ amount }: { readonly amount: number }) =>
        fromStripeAmount(amount, currency) ?? amount
      return {
        charged: intents
          .charges()
          .filter(({ intentId }) => ids.includes(intentId))
          .map(toMinor),
        refunded: refunds
          .all()
          .filter((refund) => ids.includes(refund.payment_intent) && refund.status !== 'failed')
          .map(toMinor),
      }
    },
    // The package repeats what broke once.
    loseAnswer: (call, when) => double.fail(...requests[call], `close-${when}`, 2),
    decide: async (payment, decision) => {
      intents.decide(intentOf(payment).id, decision === 'approve' ? 'succeed' : 'fail')
    },
    refundElsewhere: async (payment, amountMinor) => {
      const amount = toStripeAmount(amountMinor, payment.currency) ?? 0
      double.refundInDashboard(intentOf(payment).id, amount)
    },
    forgetKeys: double.pruneKeys,
    makeCallback: (payment, now, signer = 'provider') =>
      makeCallback(intentOf(payment), now, signer === 'stranger' ? 'whsec_of_x' : undefined),
    makeForeignCallback: (now) => makeCallback({ object: 'payout', id: 'po_1' }, now),
    reach: (server) => openAt(servers.urlOf(server), silenceMs),
    close: async () => {
      await provider.close()
      await servers.close()
      await double.close()
    },
  }
}
