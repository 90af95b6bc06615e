import assert from 'node:assert/strict'
import type { CallbackRequest } from '../../../../src/shop/providers/provider.ts'
import type { Check } from '../check.ts'
import { newPayment, outcomeName, pay } from '../shop.ts'
import type { CheckSubject } from '../subject.ts'

const dayMs = 24 * 60 * 60_000

/** A callback about a payment that has succeeded. */
async function makeCallback(subject: CheckSubject) {
  const { payment } = await pay(subject, subject.tokens.succeeds)
  const now = Date.now()
  return { payment, now, callback: subject.makeCallback(payment, now) }
}

/** Asserts that a callback is rejected. */
async function assertInvalid(
  { provider }: CheckSubject,
  callback: CallbackRequest,
  now: number,
): Promise<void> {
  assert.deepEqual(await provider.verifyCallback(callback, now), { kind: 'invalid' })
}

const changed = (body: Buffer): Buffer => {
  const text = body.toString('utf8')
  return Buffer.from(text.replace(/[a-z](?=[^a-z]*$)/, (letter) => (letter === 'x' ? 'y' : 'x')))
}

const unreachable = [
  ['nowhere', 'unreachable'],
  ['silent', 'timeout'],
  ['garbage', 'garbage'],
] as const

/** The rules of callbacks, and of servers that do not answer. */
export const callbackChecks: readonly Check[] = [
  {
    name: 'a signed callback names its payment, every time it comes',
    run: async (subject) => {
      const { payment, callback, now } = await makeCallback(subject)
      for (const at of [now, now, now + 60_000]) {
        const outcome = await subject.provider.verifyCallback(callback, at)
        assert.deepEqual(outcome, { kind: 'payment', key: payment.key })
      }
    },
  },
  {
    name: 'a callback signed by a stranger is invalid',
    run: async (subject) => {
      const { payment, now } = await makeCallback(subject)
      await assertInvalid(subject, subject.makeCallback(payment, now, 'stranger'), now)
    },
  },
  {
    name: 'a callback without a signature is invalid',
    run: async (subject) => {
      const { callback, now } = await makeCallback(subject)
      await assertInvalid(subject, { ...callback, header: () => undefined }, now)
      await assertInvalid(subject, { ...callback, header: () => '' }, now)
    },
  },
  {
    name: 'a callback with a changed body is invalid',
    run: async (subject) => {
      const { callback, now } = await makeCallback(subject)
      await assertInvalid(subject, { ...callback, body: changed(callback.body) }, now)
      await assertInvalid(subject, { ...callback, body: Buffer.alloc(0) }, now)
    },
  },
  {
    name: 'a callback with an old signature is invalid',
    run: async (subject) => {
      const { callback, now } = await makeCallback(subject)
      await assertInvalid(subject, callback, now + dayMs)
    },
  },
  {
    name: 'a signed callback about nothing of ours is ignored',
    run: async (subject) => {
      const now = Date.now()
      const outcome = await subject.provider.verifyCallback(subject.makeForeignCallback(now), now)
      assert.deepEqual(outcome, { kind: 'ignored' })
    },
  },
  ...unreachable.map(
    ([server, word]): Check => ({
      name: `a server that is ${server} is reported as ${word} by every method, and nothing throws`,
      run: async (subject) => {
        const provider = subject.reach(server)
        const payment = newPayment(subject, { reference: 'pi_0042' })
        const { succeeds: token } = subject.tokens
        try {
          const outcomes = [
            await provider.start({ ...payment, token, callbackUrl: 'https://shop.example.com' }),
            await provider.confirm(payment, { token }),
            await provider.find(payment),
            await provider.cancel(payment),
            await provider.refund(payment, { key: 'r1', amountMinor: payment.amountMinor }),
          ]
          for (const outcome of outcomes) assert.equal(outcomeName(outcome), word)
        } finally {
          await provider.close()
        }
      },
    }),
  ),
  {
    name: 'closing ends a call in flight',
    run: async (subject) => {
      const provider = subject.reach('silent')
      const call = provider.find(newPayment(subject, { reference: 'pi_0042' }))
      await new Promise((resolve) => setImmediate(resolve))
      await provider.close()
      assert.equal(outcomeName(await call), 'unreachable')
    },
  },
]
