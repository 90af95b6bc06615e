import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import Stripe from 'stripe'
import type { CallbackRequest, PaymentProvider, StoredPayment } from '#shop/providers/provider.ts'
import { outcomeName, storedPayment } from '#test/support/payments/stored-payment.ts'
import { type StripeDouble, startStripeDouble } from '#test/support/payments/stripe/double.ts'
import { stripeProvider } from './stripe-provider.ts'

const callbackUrl = 'https://shop.example.com/payment-notifications/stripe'
const confirmPath = /\/confirm$/

interface Opened {
  readonly double: StripeDouble
  readonly provider: PaymentProvider
  /** Creates an intent and returns the payment as the shop has stored it. */
  readonly create: (changes?: Partial<StoredPayment>) => Promise<StoredPayment>
  /** Creates an intent and confirms it. */
  readonly pay: (token: string, returnUrl?: string) => Promise<Paid>
}

interface Paid {
  readonly payment: StoredPayment
  readonly outcome: Awaited<ReturnType<PaymentProvider['confirm']>>
}

async function open(context: TestContext, timeoutMs = 2_000): Promise<Opened> {
  const double = await startStripeDouble()
  const { url: apiBase, secretKey, webhookSecret } = double
  const provider = stripeProvider({ apiBase, secretKey, webhookSecret, timeoutMs })
  context.after(async () => {
    await provider.close()
    await double.close()
  })
  let count = 0
  const create: Opened['create'] = async (changes = {}) => {
    count += 1
    const payment = storedPayment({ key: `order-1-${count}`, ...changes })
    const started = await provider.start({ ...payment, token: 'pm_card_visa', callbackUrl })
    assert.equal(started.kind, 'unconfirmed', JSON.stringify(started))
    return started.kind === 'unconfirmed' ? { ...payment, reference: started.reference } : payment
  }
  const pay: Opened['pay'] = async (token, returnUrl) => {
    const payment = await create()
    const means = { token, ...(returnUrl !== undefined && { returnUrl }) }
    return { payment, outcome: await provider.confirm(payment, means) }
  }
  return { double, provider, create, pay }
}

test('a payment is created without a card, and takes money once it is confirmed', async (t) => {
  const { double, provider, create } = await open(t)
  const payment = await create({ orderId: 9, paymentId: 7 })
  const [intent] = double.intents.all()
  assert.deepEqual(
    [intent?.amount, intent?.currency, intent?.status, intent?.description],
    [1999, 'usd', 'requires_payment_method', 'Order 9'],
  )
  assert.equal(intent?.statement_descriptor_suffix, 'ORDER 9')
  const metadata = { cartwright_payment: payment.key, order_id: '9', payment_id: '7' }
  assert.deepEqual(intent?.metadata, metadata)
  assert.equal(double.intents.charges().length, 0)
  assert.equal(outcomeName(await provider.find(payment)), 'unconfirmed')
  const confirmed = await provider.confirm(payment, { token: 'pm_card_visa' })
  assert.deepEqual(confirmed, await provider.find(payment))
  assert.equal(outcomeName(confirmed), 'succeeded')
  assert.equal(double.intents.charges().length, 1)
  const [created, , confirm] = double.requests
  assert.equal(created?.idempotencyKey, payment.key)
  assert.equal(confirm?.idempotencyKey, `${payment.key}-confirm`)
  for (const { version } of double.requests) assert.equal(version, '2026-10-28.endive')
})

test('a confirmation token pays as well', async (t) => {
  const { double, pay } = await open(t)
  assert.equal(outcomeName((await pay('ctoken_visa')).outcome), 'succeeded')
  const { parameters } = double.requests[1] ?? assert.fail()
  assert.deepEqual(parameters, { confirmation_token: 'ctoken_visa', use_stripe_sdk: 'true' })
})

test('a decline is final: the intent takes no other card', async (t) => {
  const { double, provider, pay } = await open(t)
  for (const [token, reason] of [
    ['pm_card_chargeDeclined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    // A thief must not learn that the card was reported.
    ['pm_card_chargeDeclinedStolenCard', 'card_declined'],
  ] as const) {
    const { payment, outcome } = await pay(token)
    assert.equal(outcome.kind === 'payment' && outcome.payment.status, 'declined')
    assert.equal(outcome.kind === 'payment' && outcome.payment.reason, reason)
    assert.ok(!JSON.stringify(outcome).includes('0002'), 'the digits of the card are repeated')
    assert.deepEqual(await provider.find(payment), outcome)
    assert.equal(double.intents.retrieve(payment.reference ?? '').status, 'canceled')
  }
  assert.equal(double.intents.charges().length, 0)
})

test('a token that Stripe does not know is rejected, and the intent is cancelled', async (t) => {
  const { double, provider, pay, create } = await open(t)
  const { payment, outcome } = await pay('pm_nobody')
  assert.deepEqual(outcome, { kind: 'rejected', field: 'token', reason: 'resource_missing' })
  assert.equal(double.intents.retrieve(payment.reference ?? '').status, 'canceled')
  for (const token of ['tok_visa', '4242424242424242', 'pm_', 'pm_a b', 'src_1']) {
    const request = { ...storedPayment({ key: token }), token, callbackUrl }
    const started = await provider.start(request)
    assert.equal(started.kind === 'rejected' && started.field, 'token')
    const stored = await create()
    assert.equal(outcomeName(await provider.confirm(stored, { token })), 'garbage')
  }
})

test('3-D Secure leads to a page, or to the script of Stripe without a page to return to', async (t) => {
  const { double, provider, pay } = await open(t)
  const returnUrl = 'https://shop.example.com/thanks?payment_id=1'
  const { payment, outcome } = await pay('pm_card_authenticationRequired', returnUrl)
  assert.equal(outcomeName(outcome), 'action_required')
  const action = outcome.kind === 'payment' ? outcome.payment.action : undefined
  assert.equal(action?.type === 'redirect' && URL.canParse(action.url), true)
  double.intents.decide(payment.reference ?? '', 'succeed')
  assert.equal(outcomeName(await provider.find(payment)), 'succeeded')

  const second = await pay('pm_card_authenticationRequired')
  const { client_secret } = double.intents.retrieve(second.payment.reference ?? '')
  assert.deepEqual(second.outcome.kind === 'payment' && second.outcome.payment.action, {
    type: 'provider',
    clientSecret: client_secret,
  })
  double.intents.decide(second.payment.reference ?? '', 'fail')
  const failed = await provider.find(second.payment)
  assert.equal(outcomeName(failed), 'declined')
  assert.equal(double.intents.retrieve(second.payment.reference ?? '').status, 'canceled')
})

test('a payment that is processed is pending and cannot be cancelled', async (t) => {
  const { double, provider, pay } = await open(t)
  const { payment, outcome } = await pay('pm_card_processing')
  assert.equal(outcomeName(outcome), 'pending')
  assert.equal(outcomeName(await provider.cancel(payment)), 'pending')
  double.intents.decide(payment.reference ?? '', 'succeed')
  assert.equal(outcomeName(await provider.cancel(payment)), 'succeeded')
})

test('a lost answer to the confirmation is found out by the stored ID', async (t) => {
  const { double, provider, create } = await open(t, 1_000)
  for (const [fault, word, found] of [
    ['silence-before', 'timeout', 'unconfirmed'],
    ['silence-after', 'timeout', 'succeeded'],
    ['error-before', 'garbage', 'unconfirmed'],
    ['error-after', 'garbage', 'succeeded'],
    ['rate-limit', 'unreachable', 'unconfirmed'],
    ['locked', 'unreachable', 'unconfirmed'],
  ] as const) {
    const payment = await create()
    double.fail('POST', confirmPath, fault)
    const means = { token: 'pm_card_visa' }
    assert.equal(outcomeName(await provider.confirm(payment, means)), word, fault)
    assert.equal(outcomeName(await provider.find(payment)), found, fault)
    const decided = found === 'unconfirmed' ? 'cancelled' : found
    assert.equal(outcomeName(await provider.cancel(payment)), decided, fault)
    const charges = double.intents.charges().filter((each) => each.intentId === payment.reference)
    assert.equal(charges.length, decided === 'succeeded' ? 1 : 0, fault)
  }
})

test('a connection that breaks once is repeated under the same key', async (t) => {
  const { double, provider, create } = await open(t)
  for (const fault of ['close-before', 'close-after'] as const) {
    const payment = await create()
    double.fail('POST', confirmPath, fault)
    const confirmed = await provider.confirm(payment, { token: 'pm_card_visa' })
    assert.equal(outcomeName(confirmed), 'succeeded', fault)
    assert.equal(
      double.intents.charges().filter((each) => each.intentId === payment.reference).length,
      1,
    )
  }
  const payment = await create()
  double.fail('POST', confirmPath, 'close-after', 2)
  const lost = await provider.confirm(payment, { token: 'pm_card_visa' })
  assert.equal(outcomeName(lost), 'unreachable')
  assert.equal(outcomeName(await provider.find(payment)), 'succeeded')
})

test('a repeated confirmation reads the present state instead of the stored answer', async (t) => {
  const { double, provider, pay } = await open(t)
  const { payment } = await pay('pm_card_authenticationRequired')
  double.intents.decide(payment.reference ?? '', 'succeed')
  const again = await provider.confirm(payment, { token: 'pm_card_authenticationRequired' })
  assert.equal(outcomeName(again), 'succeeded')
  double.pruneKeys()
  const later = await provider.confirm(payment, { token: 'pm_card_authenticationRequired' })
  assert.equal(outcomeName(later), 'succeeded')
  assert.equal(double.intents.charges().length, 1)
})

test('what was never stored is absent, and cancelled without Stripe', async (t) => {
  const { double, provider } = await open(t)
  const payment = storedPayment()
  assert.equal(outcomeName(await provider.find(payment)), 'absent')
  const cancelled = await provider.cancel(payment)
  assert.equal(cancelled.kind === 'payment' && cancelled.payment.reference, null)
  assert.equal(outcomeName(cancelled), 'cancelled')
  const refunded = await provider.refund(payment, { key: 'r', amountMinor: 1 })
  assert.equal(outcomeName(refunded), 'absent')
  assert.equal(double.requests.length, 0)
})

test('an intent of another payment, amount or currency is garbage', async (t) => {
  const { provider, create } = await open(t)
  const payment = await create()
  for (const change of [{ key: 'order-2-x' }, { amountMinor: 1998 }, { currency: 'EUR' }]) {
    assert.equal(outcomeName(await provider.find({ ...payment, ...change })), 'garbage')
  }
  assert.equal(outcomeName(await provider.find({ ...payment, reference: 'pi_unknown' })), 'garbage')
  assert.equal(
    outcomeName(await provider.cancel({ ...payment, reference: 'pi_unknown' })),
    'garbage',
  )
})

test('amounts that Stripe does not take are rejected before any money moves', async (t) => {
  const { double, provider } = await open(t)
  for (const [currency, amountMinor] of [
    ['USD', 49],
    ['USD', 100_000_000],
    ['JPY', 49],
    ['KWD', 5125],
    ['SYP', 5000],
  ] as const) {
    const payment = storedPayment({ key: `${currency}-${amountMinor}`, currency, amountMinor })
    const started = await provider.start({ ...payment, token: 'pm_card_visa', callbackUrl })
    assert.equal(
      started.kind === 'rejected' && started.field,
      'amount',
      `${amountMinor} ${currency}`,
    )
  }
  assert.deepEqual(double.intents.all(), [])
})

for (const [currency, amountMinor, sent] of [
  ['JPY', 500, 500],
  ['ISK', 500, 50_000],
  ['UGX', 500, 50_000],
  ['HUF', 50_000, 50_000],
  ['KWD', 5120, 5120],
] as const) {
  test(`${amountMinor} minor units of ${currency} are paid and refunded as ${sent}`, async (t) => {
    const { double, provider, create } = await open(t)
    const payment = await create({ currency, amountMinor })
    const confirmed = await provider.confirm(payment, { token: 'pm_card_visa' })
    assert.equal(confirmed.kind === 'payment' && confirmed.payment.amountMinor, amountMinor)
    assert.deepEqual(
      double.intents.charges().map(({ amount }) => amount),
      [sent],
    )
    const part = { key: 'part', amountMinor: amountMinor / 2 }
    assert.equal(outcomeName(await provider.refund(payment, part)), 'succeeded')
    const found = await provider.find(payment)
    assert.equal(found.kind === 'payment' && found.payment.refundedMinor, amountMinor / 2)
  })
}

test('a refund between the steps of Stripe fails, and says what the steps are', async (t) => {
  const { double, provider, create } = await open(t)
  const payment = await create({ currency: 'KWD', amountMinor: 5120 })
  await provider.confirm(payment, { token: 'pm_card_visa' })
  const made = await provider.refund(payment, { key: 'refund-1', amountMinor: 5 })
  assert.equal(
    made.kind === 'refund' && made.refund.reason,
    'Stripe takes amounts in KWD in steps of 10 minor units',
  )
  assert.deepEqual(double.refunds.all(), [])
})

test('a refund is made once per key, and never more than is left', async (t) => {
  const { double, provider, pay } = await open(t)
  const { payment } = await pay('pm_card_visa')
  const part = { key: 'refund-1', amountMinor: 500 }
  const together = await Promise.all([1, 2, 3].map(() => provider.refund(payment, part)))
  assert.ok(together.every((each) => ['succeeded', 'unreachable'].includes(outcomeName(each))))
  double.pruneKeys()
  assert.equal(outcomeName(await provider.refund(payment, part)), 'succeeded')
  assert.equal(double.refunds.all().length, 1)
  assert.equal(
    outcomeName(await provider.refund(payment, { ...part, amountMinor: 501 })),
    'garbage',
  )
  const tooMuch = await provider.refund(payment, { key: 'refund-2', amountMinor: 1500 })
  assert.deepEqual(tooMuch, {
    kind: 'refund',
    refund: {
      ...{ key: 'refund-2', reference: null, status: 'failed', amountMinor: 1500 },
      reason: 'amount_too_large',
    },
  })
  const rest = { key: 'refund-3', amountMinor: 1499 }
  assert.equal(outcomeName(await provider.refund(payment, rest)), 'succeeded')
  assert.equal(outcomeName(await provider.find(payment)), 'refunded')
  assert.equal(outcomeName(await provider.refund(payment, { key: 'r4', amountMinor: 1 })), 'failed')
  assert.equal(outcomeName(await provider.refund(payment, rest)), 'succeeded')
})

test('a refund whose answer is lost or an error is made once', async (t) => {
  const { double, provider, pay } = await open(t, 1_000)
  const path = /^\/v1\/refunds$/
  for (const [fault, first, calls] of [
    ['silence-before', 'timeout', 2],
    ['silence-after', 'timeout', 2],
    ['error-before', 'garbage', 3],
    ['error-after', 'garbage', 2],
    ['rate-limit', 'unreachable', 2],
  ] as const) {
    const { payment } = await pay('pm_card_visa')
    const request = { key: `refund-${fault}`, amountMinor: 700 }
    double.fail('POST', path, fault)
    assert.equal(outcomeName(await provider.refund(payment, request)), first, fault)
    assert.equal(outcomeName(await provider.refund(payment, request)), 'succeeded', fault)
    double.pruneKeys()
    assert.equal(outcomeName(await provider.refund(payment, request)), 'succeeded', fault)
    const mine = double.refunds.all().filter((each) => each.payment_intent === payment.reference)
    assert.equal(mine.length, 1, fault)
    const posts = double.requests.filter(
      ({ method, parameters }) =>
        method === 'POST' && parameters['payment_intent'] === payment.reference,
    )
    // An answer that shows the refund in the list needs no second request.
    assert.ok(posts.length <= calls, `${fault}: ${posts.length} requests`)
  }
})

test('refunds of the dashboard and pending ones are listed with what they are', async (t) => {
  const { double, provider, pay } = await open(t)
  const { payment } = await pay('pm_card_visa')
  double.refundInDashboard(payment.reference ?? '', 300)
  double.refunds.nextStatus = 'pending'
  const pending = await provider.refund(payment, { key: 'refund-1', amountMinor: 200 })
  assert.equal(outcomeName(pending), 'pending')
  const found = await provider.find(payment)
  assert.equal(found.kind === 'payment' && found.payment.refundedMinor, 300)
  const refunds = found.kind === 'payment' ? found.payment.refunds : []
  assert.deepEqual(
    refunds.map(({ key, status, amountMinor }) => [key, status, amountMinor]),
    [
      ['refund-1', 'pending', 200],
      [null, 'succeeded', 300],
    ],
  )
  double.refunds.decide(refunds[0]?.reference ?? '', 'failed')
  const failed = await provider.refund(payment, { key: 'refund-1', amountMinor: 200 })
  assert.equal(failed.kind === 'refund' && failed.refund.reason, 'expired_or_canceled_card')
})

test('more than a hundred refunds are all listed', async (t) => {
  const { double, provider, pay } = await open(t)
  const { payment } = await pay('pm_card_visa')
  for (let turn = 0; turn < 150; turn += 1) double.refundInDashboard(payment.reference ?? '', 1)
  const found = await provider.find(payment)
  assert.equal(found.kind === 'payment' && found.payment.refunds.length, 150)
})

test('only an authentic and recent event is accepted', async (t) => {
  const { double, provider, pay } = await open(t)
  const { payment } = await pay('pm_card_visa')
  const now = Date.now()
  const event = double.events.all().at(-1) ?? assert.fail()
  const payload = JSON.stringify(event)
  const request = (body: string, signature: string | undefined): CallbackRequest => ({
    body: Buffer.from(body),
    header: (name) => (name === 'stripe-signature' ? signature : undefined),
  })
  const good = double.events.sign(payload, undefined, now)
  const verify = (body: string, signature: string | undefined, at = now) =>
    provider.verifyCallback(request(body, signature), at)
  const ours = { kind: 'payment', key: payment.key }
  assert.deepEqual(await verify(payload, good), ours)
  assert.deepEqual(await verify(payload, good, now + 299_000), ours)
  const rotating = `${good},v1=${'0'.repeat(64)}`
  assert.deepEqual(await verify(payload, rotating), ours)
  for (const [body, signature, at] of [
    [payload, undefined, now],
    [payload, '', now],
    [payload, 'nonsense', now],
    [payload, good.replace('v1=', 'v0='), now],
    [payload, double.events.sign(payload, 'whsec_of_another', now), now],
    [payload.replace('succeeded', 'canceled '), good, now],
    [payload, good, now + 302_000],
    ['', good, now],
  ] as const) {
    assert.deepEqual(await verify(body, signature, at), { kind: 'invalid' }, `${signature} ${at}`)
  }
})

test('signed events of other systems and of other objects are ignored', async (t) => {
  const { double, provider, pay } = await open(t)
  const { payment } = await pay('pm_card_visa')
  const foreign = new Stripe(double.secretKey, {
    ...{ host: '127.0.0.1', port: new URL(double.url).port, protocol: 'http' },
  })
  const other = await foreign.paymentIntents.create({ amount: 500, currency: 'eur' })
  const intent = (id: string) => ({ id, object: 'payment_intent', metadata: {} })
  const charge = (payment_intent: unknown) => ({ object: 'charge', payment_intent, metadata: {} })
  const reference = payment.reference ?? ''
  const objects: [object: unknown, expected: string][] = [
    [intent(other.id), 'ignored'],
    [charge(other.id), 'ignored'],
    [charge('pi_of_another_account'), 'ignored'],
    [charge(null), 'ignored'],
    [{ object: 'payout' }, 'ignored'],
    [{}, 'ignored'],
    [null, 'ignored'],
    [charge(reference), 'payment'],
    [charge({ id: reference }), 'payment'],
    [{ object: 'refund', payment_intent: reference }, 'payment'],
  ]
  const bodies: [body: string, expected: string][] = [
    ...objects.map(([object, expected]): [string, string] => [
      JSON.stringify({ object: 'event', type: 'some.thing', data: { object } }),
      expected,
    ]),
    [JSON.stringify({ object: 'v2.core.event', type: 'v1.thin' }), 'ignored'],
    ['{}', 'ignored'],
    ['not JSON', 'ignored'],
  ]
  for (const [body, expected] of bodies) {
    const signature = double.events.sign(body)
    const request = { body: Buffer.from(body), header: () => signature }
    assert.equal((await provider.verifyCallback(request, Date.now())).kind, expected, body)
  }
  double.fail('GET', /payment_intents/, 'rate-limit')
  const body = JSON.stringify({
    object: 'event',
    type: 'charge.refunded',
    data: { object: charge(reference) },
  })
  const request = { body: Buffer.from(body), header: () => double.events.sign(body) }
  const unknown = await provider.verifyCallback(request, Date.now())
  assert.deepEqual(unknown, { kind: 'unknown', because: 'unreachable' })
})

test('a wrong key, no answer and nonsense have different outcomes, and nothing throws', async (t) => {
  const double = await startStripeDouble()
  t.after(double.close)
  const bodies = ['', 'null', '[]', '{}', '{"object":"list"}', '<html>', '{"error":"x"}']
  let body = ''
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const nonsense = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reach = (apiBase: string, secretKey = 'sk_test_x') =>
    stripeProvider({ apiBase, secretKey, webhookSecret: 'whsec_x', timeoutMs: 2_000 })
  const words = async (provider: PaymentProvider) => {
    const payment = storedPayment({ reference: 'pi_1' })
    const outcomes = [
      await provider.start({ ...payment, token: 'pm_card_visa', callbackUrl }),
      await provider.confirm(payment, { token: 'pm_card_visa' }),
      await provider.find(payment),
      await provider.cancel(payment),
      await provider.refund(payment, { key: 'r', amountMinor: 5 }),
    ]
    await provider.close()
    return outcomes.map((each) => (each.kind === 'unknown' ? each.because : each.kind))
  }
  const all = (word: string) => Array.from({ length: 5 }, () => word)
  assert.deepEqual(await words(reach(double.url)), all('garbage'))
  assert.deepEqual(await words(reach('http://127.0.0.1:1')), all('unreachable'))
  for (body of bodies) assert.deepEqual(await words(reach(nonsense)), all('garbage'), body)
})

test('closing ends a call in flight as unreachable', async (t) => {
  const { double, provider, create } = await open(t, 10_000)
  const payment = await create()
  double.fail('GET', /./, 'silence-before')
  const call = provider.find(payment)
  await new Promise((resolve) => setTimeout(resolve, 50))
  await provider.close()
  assert.equal(outcomeName(await call), 'unreachable')
})
