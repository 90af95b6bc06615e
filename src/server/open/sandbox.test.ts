import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { providerOver } from '#src/payments/http/provider.ts'
import { openSandbox } from '#src/payments/sandbox/server.ts'
import { createSandboxExchange } from './sandbox.ts'

const secret = 'a test secret'

function open(context: TestContext, timeoutMs = 10_000) {
  const sandbox = openSandbox({ secret, settleMs: 1 })
  const provider = providerOver(createSandboxExchange(sandbox, timeoutMs), {
    secret,
    name: 'sandbox',
  })
  context.after(async () => {
    await provider.close()
    await sandbox.close()
  })
  const pay = async (token: string, key = token) => {
    const callbackUrl = 'http://127.0.0.1:1/'
    const terms = { key, token, amountMinor: 1999, currency: 'USD', callbackUrl }
    const outcome = await provider.charge(terms)
    return outcome.kind === 'answered' ? outcome.charge.status : outcome.because
  }
  return { provider, pay }
}

test('a sandbox in this process behaves as over HTTP', async (context) => {
  const { pay, provider } = open(context)
  assert.equal(await pay('tok_visa'), 'succeeded')
  assert.equal(await pay('tok_declined'), 'declined')
  assert.equal(await pay('tok_later'), 'pending')
  assert.equal(await pay('tok_garbage'), 'garbage')
  assert.equal(await pay('tok_down'), 'unreachable')
  assert.equal(await pay('tok_visa', 'a/key with %, of one'), 'succeeded')
  assert.deepEqual(await provider.find('never charged'), { kind: 'absent' })
  const refunded = await provider.refund('a/key with %, of one')
  assert.equal(refunded.kind === 'answered' && refunded.charge.status, 'refunded')
})

test('a silent sandbox times out, and closing ends the wait', async (context) => {
  const { pay } = open(context, 20)
  assert.equal(await pay('tok_timeout'), 'timeout')
  assert.equal(await pay('tok_visa'), 'succeeded')
  const slow = open(context)
  const waiting = slow.pay('tok_timeout')
  await slow.provider.close()
  assert.equal(await waiting, 'unreachable')
})
