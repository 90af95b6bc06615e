import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startCallbacks } from './callbacks.ts'
import { sign } from './delivery.ts'
import { type ChargeRecord, openLedger } from './ledger/ledger.ts'
import { plannedOutcomeOf } from './tokens.ts'

/** Counts how often a callback is sent, to a receiver of one answer, until it is no longer due. */
async function countDeliveries(context: TestContext, status: number): Promise<number> {
  let received = 0
  const server = createServer((_request, response) => {
    received += 1
    response.writeHead(status).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const ledger = openLedger(undefined)
  const charge = { key: 'a', reference: 'ch_1', amount_minor: 1, currency: 'USD', sequence: 1 }
  ledger.save({
    charge: { ...charge, status: 'succeeded' },
    plan: plannedOutcomeOf('a', 'tok_later'),
    callbackUrl: `http://127.0.0.1:${port}/`,
    callbackDue: true,
  })
  const done = Promise.withResolvers<void>()
  const save = (entry: ChargeRecord) => {
    ledger.save(entry)
    if (!entry.callbackDue) done.resolve()
  }
  const options = { secret: 's', now: () => 0, settleMs: 1, retryMs: 1, attempts: 3 }
  const callbacks = startCallbacks({ ...ledger, save }, options)
  context.after(callbacks.close)
  callbacks.schedule('a')
  await done.promise
  return received
}

test('a callback that is accepted is sent once', async (context) => {
  assert.equal(await countDeliveries(context, 204), 1)
})

test('a callback that is never accepted is given up after the set number', async (context) => {
  assert.equal(await countDeliveries(context, 500), 3)
})

test('a signature is the HMAC of the second and the body', () => {
  assert.equal(
    sign('{"key":"a"}', 's', 1_700_000_000_999),
    't=1700000000,v1=4d81aa2a3f817f21cdd3d5266058338bcdc98a2a31fa326eba7c8e1a397e9d68',
  )
})
