import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { providerOver } from '#shop/providers/http/http-provider.ts'
import { outcomeName, storedPayment } from '#test/support/payments/stored-payment.ts'
import { createSandboxClient } from './sandbox-client.ts'
import { openSandbox } from './server.ts'

const secret = 'a test secret'

function open(context: TestContext, timeoutMs = 10_000) {
  const sandbox = openSandbox({ secret, settleMs: 1 })
  const provider = providerOver(createSandboxClient(sandbox, timeoutMs), {
    secret,
    name: 'sandbox',
  })
  context.after(async () => {
    await provider.close()
    await sandbox.close()
  })
  const pay = async (token: string, key = token) => {
    const callbackUrl = 'http://127.0.0.1:1/'
    return outcomeName(await provider.start({ ...storedPayment({ key }), token, callbackUrl }))
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
  assert.equal(outcomeName(await provider.find(storedPayment({ key: 'never charged' }))), 'absent')
  const payment = storedPayment({ key: 'a/key with %, of one' })
  const refund = await provider.refund(payment, { key: 'of/one', amountMinor: 1999 })
  assert.equal(outcomeName(refund), 'succeeded')
  assert.equal(outcomeName(await provider.find(payment)), 'refunded')
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
