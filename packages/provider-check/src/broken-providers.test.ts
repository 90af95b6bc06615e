import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { PaymentProvider } from '../../../src/shop/providers/provider.ts'
import { openSubject as openSandbox } from '../../../test/support/payments/subjects/sandbox.ts'
import { openSubject as openStripe } from '../../../test/support/payments/subjects/stripe.ts'
import { allChecks, checkProvider } from './run.ts'
import type { CheckSubject, OpenSubject } from './subject.ts'

/** A mistake that a provider may contain, and the rules that it breaks. */
interface Mistake {
  readonly name: string
  readonly open: OpenSubject
  readonly breaks: (provider: PaymentProvider) => Partial<PaymentProvider>
  /** What the names of the checks that must fail begin with. */
  readonly fails: readonly string[]
}

const unknownToNothing = async <O extends { readonly kind: string }>(call: Promise<O>) => {
  const outcome = await call
  return outcome.kind === 'unknown' ? ({ kind: 'absent' } as const) : outcome
}

const mistakes: readonly Mistake[] = [
  {
    name: 'a new key for every start',
    open: openSandbox,
    breaks: ({ start }) => ({
      start: (request) => start({ ...request, key: `${request.key}-${randomUUID()}` }),
    }),
    fails: ['a good card is charged once'],
  },
  {
    name: 'a charge in the first of two steps',
    open: openStripe,
    breaks: ({ start, confirm }) => ({
      start: async (request) => {
        const started = await start(request)
        if (started.kind === 'unconfirmed') await confirm({ ...request, ...started }, request)
        return started
      },
    }),
    fails: [
      'a started payment takes no money before it is confirmed',
      'what is cancelled before the provider knows it takes no money later',
    ],
  },
  {
    name: 'a cancellation that is only claimed',
    open: openStripe,
    breaks: () => ({
      cancel: async ({ key, reference, amountMinor, currency }) => ({
        kind: 'payment',
        payment: {
          ...{ key, reference, amountMinor, currency, status: 'cancelled' },
          ...{ refunds: [], refundedMinor: 0 },
        },
      }),
    }),
    fails: [
      'a started payment that is cancelled takes no money when',
      'a payment that has succeeded is not cancelled',
      'a payment that the buyer has to act for takes no money after a cancel',
    ],
  },
  {
    name: 'a lost answer taken for a decline',
    open: openStripe,
    breaks: ({ confirm }) => ({
      confirm: async (payment, means) => {
        const outcome = await confirm(payment, means)
        if (outcome.kind !== 'unknown') return outcome
        const { key, reference, amountMinor, currency } = payment
        const state = { key, reference, amountMinor, currency, reason: 'no answer' }
        return {
          kind: 'payment',
          payment: { ...state, status: 'declined', refunds: [], refundedMinor: 0 },
        }
      },
    }),
    fails: ['a confirm whose answer is lost before', 'a confirm whose answer is lost after'],
  },
  {
    name: 'a lost answer taken for absence',
    open: openSandbox,
    breaks: ({ find }) => ({ find: (payment) => unknownToNothing(find(payment)) }),
    fails: ['a find whose answer is lost'],
  },
  {
    name: 'a refund under a new key every time',
    open: openSandbox,
    breaks: ({ refund }) => ({
      refund: (payment, request) => refund(payment, { ...request, key: randomUUID() }),
    }),
    fails: [
      'a part is refunded, and find lists it under its key',
      'refunding twice under one key',
      'refunding ten times at once under one key',
      'a refund whose answer is lost after',
    ],
  },
  {
    name: 'a refund that is cut down to what is left',
    open: openSandbox,
    breaks: ({ refund, find }) => ({
      refund: async (payment, request) => {
        const found = await find(payment)
        const refunded = found.kind === 'payment' ? found.payment.refundedMinor : 0
        const amountMinor = Math.min(request.amountMinor, payment.amountMinor - refunded)
        return refund(payment, { ...request, amountMinor })
      },
    }),
    fails: ['more than is left fails and refunds nothing'],
  },
  {
    name: 'a refund of everything, whatever is asked for',
    open: openSandbox,
    breaks: ({ refund }) => ({
      refund: (payment, { key }) => refund(payment, { key, amountMinor: payment.amountMinor }),
    }),
    fails: ['a part is refunded', 'two keys refund twice'],
  },
  {
    name: 'refunds that are not listed',
    open: openStripe,
    breaks: ({ find }) => ({
      find: async (payment) => {
        const found = await find(payment)
        if (found.kind !== 'payment') return found
        return { kind: 'payment', payment: { ...found.payment, refunds: [], refundedMinor: 0 } }
      },
    }),
    fails: ['a part is refunded', 'a refund made by other means', 'the refunds of a payment never'],
  },
  {
    name: 'an amount that is not compared',
    open: openSandbox,
    breaks: ({ find }) => ({
      find: (payment) => find({ ...payment, amountMinor: 1900, currency: 'USD' }),
    }),
    fails: ['the state of another amount or currency is garbage'],
  },
  {
    name: 'hundredths of every currency',
    open: openStripe,
    breaks: ({ start }) => ({
      start: (request) =>
        start({
          ...request,
          amountMinor: request.amountMinor * (request.currency === 'JPY' ? 100 : 1),
        }),
    }),
    fails: ['every currency is charged exactly'],
  },
  {
    name: 'an amount that is never rejected',
    open: openStripe,
    breaks: ({ start }) => ({
      start: async (request) => {
        const started = await start(request)
        return started.kind === 'rejected' ? { kind: 'unknown', because: 'garbage' } : started
      },
    }),
    fails: ['an amount that the provider does not take'],
  },
  {
    name: 'a token in the reason',
    open: openSandbox,
    breaks: ({ start }) => ({
      start: async (request) => {
        const started = await start(request)
        if (started.kind !== 'payment') return started
        return { kind: 'payment', payment: { ...started.payment, reason: request.token } }
      },
    }),
    fails: ['no outcome repeats the token'],
  },
  {
    name: 'signatures that are not verified',
    open: openStripe,
    breaks: () => ({
      verifyCallback: async ({ body }) => {
        const key = /"cartwright_payment":"([^"]+)/.exec(body.toString())?.[1] ?? ''
        return { kind: 'payment', key }
      },
    }),
    fails: [
      'a callback signed by a stranger',
      'a callback without a signature',
      'a callback with a changed body',
      'a callback with an old signature',
      'a signed callback about nothing of ours',
    ],
  },
  {
    name: 'signatures of any age',
    open: openStripe,
    breaks: ({ verifyCallback }) => ({
      verifyCallback: (request) => verifyCallback(request, Date.now()),
    }),
    fails: ['a callback with an old signature'],
  },
  {
    name: 'a method that throws',
    open: openSandbox,
    breaks: ({ find }) => ({
      find: async (payment) => {
        const found = await find(payment)
        if (found.kind === 'unknown' || found.kind === 'absent') throw new Error(found.kind)
        return found
      },
    }),
    fails: ['a payment that the provider does not know is absent', 'a find whose answer is lost'],
  },
  {
    name: 'an action after the end',
    open: openSandbox,
    breaks: ({ find }) => ({
      find: async (payment) => {
        const found = await find(payment)
        if (found.kind !== 'payment') return found
        const action = { type: 'redirect', url: 'https://pay.example.com' } as const
        return { kind: 'payment', payment: { ...found.payment, action } }
      },
    }),
    fails: ['find returns the same', 'a payment that the buyer has to act for takes money once'],
  },
]

/** Opens a subject whose provider contains a mistake. */
const openBroken =
  ({ open, breaks }: Mistake): OpenSubject =>
  async () => {
    const subject: CheckSubject = await open()
    return { ...subject, provider: { ...subject.provider, ...breaks(subject.provider) } }
  }

describe('a provider with a mistake fails the check of the rule that it breaks', () => {
  for (const mistake of mistakes) {
    test(mistake.name, async () => {
      const rules = mistake.fails.map((beginning) => {
        const found = allChecks.filter(({ name }) => name.startsWith(beginning))
        assert.ok(found.length > 0, `no rule begins with ${beginning}`)
        return found
      })
      for await (const { name, result } of checkProvider(openBroken(mistake), rules.flat())) {
        assert.equal(result, 'failed', name)
      }
    })
  }
})
