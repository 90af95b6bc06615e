import type { CheckSubject, LosableCall } from '#provider-check/subject.ts'
import type { ProviderClient } from '#shop/providers/http/provider-client.ts'
import type { CallbackRequest, PaymentProvider, StoredPayment } from '#shop/providers/provider.ts'
import { sign } from '#shop/providers/sandbox/delivery.ts'
import { createFaultyClient } from '#test/support/payments/faulty-client.ts'

/** Creates a provider over a client. */
export type OpenProvider = (client: ProviderClient) => PaymentProvider

interface ChargesSubject {
  /** Reaches the sandbox. */
  readonly client: ProviderClient
  readonly secret: string
  readonly open: OpenProvider
  readonly reach: CheckSubject['reach']
  readonly close: () => Promise<void>
}

/** A charge as the sandbox answers with it. */
interface Charge {
  readonly status: string
  readonly amount_minor: number
  readonly action?: { readonly url: string }
  readonly refunds?: readonly { readonly amount_minor: number; readonly status: string }[]
}

const chargePath = /^\/charges\/[^/]+$/
const requests: Readonly<Record<LosableCall, readonly [method: string, path: RegExp] | undefined>> =
  {
    start: ['PUT', chargePath],
    // The sandbox charges in one step.
    confirm: undefined,
    find: ['GET', chargePath],
    cancel: ['DELETE', chargePath],
    refund: ['PUT', /\/refunds\//],
  }

/** Returns the subject of a provider that speaks the protocol of the sandbox. */
export function chargesSubject({
  client,
  secret,
  open,
  reach,
  close,
}: ChargesSubject): CheckSubject {
  const faulty = createFaultyClient(client)
  const provider = open(faulty)
  const read = async ({ key }: StoredPayment): Promise<Charge | undefined> => {
    const reply = await client.send('GET', `/charges/${encodeURIComponent(key)}`)
    return reply.kind === 'reply' && reply.status === 200 ? JSON.parse(reply.text) : undefined
  }
  const makeCallback = (payload: object, now: number, by = secret): CallbackRequest => {
    const body = JSON.stringify(payload)
    const signature = sign(body, by, now)
    return {
      body: Buffer.from(body),
      header: (name) => (name === 'sandbox-signature' ? signature : undefined),
    }
  }
  return {
    provider,
    tokens: {
      ...{ succeeds: 'tok_visa', declined: 'tok_declined', unknown: 'tok_of_nobody' },
      later: { approved: 'tok_later', declined: 'tok_later_declined' },
      action: { approved: 'tok_3ds', declined: 'tok_3ds_fail' },
    },
    amounts: [
      { currency: 'USD', amountMinor: 1900 },
      { currency: 'JPY', amountMinor: 500 },
      { currency: 'KWD', amountMinor: 5100 },
    ],
    readBooks: async (payment) => {
      const charge = await read(payment)
      if (charge?.status !== 'succeeded' && charge?.status !== 'refunded') {
        return { charged: [], refunded: [] }
      }
      const refunded = (charge.refunds ?? []).filter(({ status }) => status === 'succeeded')
      return {
        charged: [charge.amount_minor],
        refunded: refunded.map(({ amount_minor }) => amount_minor),
      }
    },
    loseAnswer: (call, when) => {
      const request = requests[call]
      if (request) faulty.lose(...request, when)
    },
    decide: async (payment, decision) => {
      const [secretOfPage] = /[\w-]+$/.exec((await read(payment))?.action?.url ?? '') ?? []
      if (secretOfPage === undefined) return
      await client.send('PUT', `/challenges/${secretOfPage}`, JSON.stringify({ decision }))
    },
    makeCallback: ({ key }, now, signer = 'provider') =>
      makeCallback({ key, status: 'succeeded' }, now, signer === 'stranger' ? 'x' : secret),
    makeForeignCallback: (now) => makeCallback({ type: 'payout' }, now),
    reach,
    close: async () => {
      await provider.close()
      await close()
    },
  }
}
