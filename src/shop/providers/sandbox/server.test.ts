import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { httpProvider } from '#shop/providers/http/http-provider.ts'
import type { PaymentProvider, StartOutcome } from '#shop/providers/provider.ts'
import { outcomeName, storedPayment } from '#test/support/payments/stored-payment.ts'
import { type SandboxOptions, startSandbox } from './server.ts'

const secret = 'what the sandbox of these tests signs with'
const NOWHERE = 'http://127.0.0.1:1/callbacks'
const NEVER_MS = 60_000
const whole = { key: 'refund-1', amountMinor: 1999 }

interface CallbackBody {
  readonly key: string
  readonly status: string
  readonly sequence: number
  readonly reason?: string
}

interface Started {
  readonly url: string
  readonly provider: PaymentProvider
  pay(token: string, key?: string, callbackUrl?: string): Promise<StartOutcome>
  list(prefix?: string): Promise<{ key: string; status: string }[]>
}

async function start(context: TestContext, options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({ port: 0, secret, settleMs: NEVER_MS, ...options })
  context.after(sandbox.close)
  return { ...sandbox, ...reach(context, sandbox.url) }
}

function reach(context: TestContext, url: string, timeoutMs = 10_000): Started {
  const provider = httpProvider({ baseUrl: url, secret, timeoutMs, name: 'sandbox' })
  context.after(provider.close)
  return {
    url,
    provider,
    pay: (token, key = 'order-1-a', callbackUrl = NOWHERE) =>
      provider.start({ ...storedPayment({ key }), token, callbackUrl }),
    async list(prefix = '') {
      const headers = { authorization: `Bearer ${secret}` }
      const answer = await fetch(`${url}/charges?prefix=${prefix}`, { headers })
      return ((await answer.json()) as { charges: { key: string; status: string }[] }).charges
    },
  }
}

/** A receiver of callbacks that answers them with the given statuses in turn, then with 204. */
async function receive(context: TestContext, count: number, statuses: number[] = []) {
  const bodies: [Buffer, string | undefined][] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const signature = request.headers['sandbox-signature']
    bodies.push([Buffer.concat(chunks), typeof signature === 'string' ? signature : undefined])
    response.writeHead(statuses.shift() ?? 204).end()
    if (bodies.length === count) resolve()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    count: () => bodies.length,
    /** The charges of the callbacks, which must all be authentic. */
    async charges(provider: PaymentProvider): Promise<CallbackBody[]> {
      await promise
      for (const [body, signature] of bodies) {
        const request = { body, header: () => signature }
        assert.equal((await provider.verifyCallback(request, Date.now())).kind, 'payment')
      }
      return bodies.map(([body]) => JSON.parse(body.toString()))
    },
  }
}

function temporaryFile(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'charges.jsonl')
}

test('each token has its documented outcome and charges only where documented', async (context) => {
  const { url } = await start(context)
  const { pay, provider } = reach(context, url, 200)
  const expected: [token: string, callbacks: string, found: string][] = [
    ['tok_visa', 'succeeded', 'succeeded'],
    ['tok_declined', 'declined', 'declined'],
    ['tok_unheard_of', 'declined', 'declined'],
    ['tok_later', 'pending', 'pending'],
    ['tok_later_declined', 'pending', 'pending'],
    ['tok_twice', 'pending', 'pending'],
    ['tok_garbage', 'garbage', 'absent'],
    ['tok_timeout', 'timeout', 'absent'],
    ['tok_down', 'unreachable', 'absent'],
    ['tok_charged_then_garbage', 'garbage', 'succeeded'],
    ['tok_charged_then_timeout', 'timeout', 'succeeded'],
    ['tok_charged_then_down', 'unreachable', 'succeeded'],
  ]
  for (const [token, callbacks, found] of expected) {
    assert.equal(outcomeName(await pay(token, token)), callbacks, token)
    assert.equal(outcomeName(await provider.find(storedPayment({ key: token }))), found, token)
  }
})

test('a key charges once, however often and concurrently it is sent', async (context) => {
  const { pay, list } = await start(context)
  const together = await Promise.all(Array.from({ length: 20 }, () => pay('tok_visa')))
  const again = await pay('tok_visa')
  for (const outcome of together) assert.deepEqual(outcome, again)
  assert.equal((await list('order-1-')).length, 1)
  assert.deepEqual(await list('order-2-'), [])
})

test('a key cannot be used for another amount, and does not reveal the first', async (context) => {
  const { pay, provider } = await start(context)
  await pay('tok_visa')
  const other = { ...storedPayment({ amountMinor: 1 }), token: 'tok_visa', callbackUrl: NOWHERE }
  const outcome = await provider.start(other)
  assert.deepEqual(outcome, { kind: 'unknown', because: 'garbage' })
})

test('a key voided before it is charged is never charged', async (context) => {
  const { pay, provider, list } = await start(context)
  assert.equal(outcomeName(await provider.cancel(storedPayment({ key: 'order-1-a' }))), 'cancelled')
  assert.equal(outcomeName(await pay('tok_visa')), 'cancelled')
  assert.equal(outcomeName(await provider.cancel(storedPayment({ key: 'order-1-a' }))), 'cancelled')
  assert.deepEqual(
    (await list()).map(({ status }) => status),
    ['voided'],
  )
})

test('a void takes precedence over a charge request in flight', async (context) => {
  const { pay, provider } = await start(context, { settleMs: 500 })
  const inFlight = pay('tok_slow')
  assert.equal(outcomeName(await provider.cancel(storedPayment({ key: 'order-1-a' }))), 'cancelled')
  assert.equal(outcomeName(await inFlight), 'cancelled')
})

test('a pending charge can be voided, a settled one is returned unchanged', async (context) => {
  const { pay, provider } = await start(context)
  await pay('tok_later', 'later')
  assert.equal(outcomeName(await provider.cancel(storedPayment({ key: 'later' }))), 'cancelled')
  assert.equal(outcomeName(await pay('tok_later', 'later')), 'cancelled')
  await pay('tok_visa', 'visa')
  assert.equal(outcomeName(await provider.cancel(storedPayment({ key: 'visa' }))), 'succeeded')
  await pay('tok_declined', 'declined')
  assert.equal(outcomeName(await provider.cancel(storedPayment({ key: 'declined' }))), 'declined')
})

test('a refund is made once and only of what succeeded', async (context) => {
  const { pay, provider } = await start(context)
  await pay('tok_visa')
  const first = await provider.refund(storedPayment({ key: 'order-1-a' }), whole)
  assert.equal(outcomeName(first), 'succeeded')
  assert.deepEqual(await provider.refund(storedPayment({ key: 'order-1-a' }), whole), first)
  assert.equal(outcomeName(await pay('tok_visa')), 'refunded')
  await pay('tok_declined', 'declined')
  assert.equal(
    outcomeName(await provider.refund(storedPayment({ key: 'declined' }), whole)),
    'failed',
  )
  assert.deepEqual(await provider.refund(storedPayment({ key: 'unseen' }), whole), {
    kind: 'absent',
  })
})

test('a charge that settles later sends one signed callback', async (context) => {
  const receiver = await receive(context, 2)
  const { pay, provider } = await start(context, { settleMs: 1 })
  await pay('tok_later', 'good', receiver.url)
  await pay('tok_later_declined', 'bad', receiver.url)
  const callbacks = Object.groupBy(await receiver.charges(provider), ({ key }) => key)
  assert.equal(callbacks['good']?.[0]?.status, 'succeeded')
  assert.equal(callbacks['bad']?.[0]?.status, 'declined')
  assert.equal(callbacks['bad']?.[0]?.reason, 'card declined')
  assert.equal(outcomeName(await provider.find(storedPayment({ key: 'good' }))), 'succeeded')
})

test('tok_twice sends the success twice and then the older event', async (context) => {
  const receiver = await receive(context, 3)
  const { pay, provider } = await start(context, { settleMs: 1 })
  await pay('tok_twice', 'order-1-a', receiver.url)
  assert.deepEqual(
    (await receiver.charges(provider)).map(({ status, sequence }) => [status, sequence]),
    [
      ['succeeded', 2],
      ['succeeded', 2],
      ['pending', 1],
    ],
  )
})

test('a rejected callback is sent again', async (context) => {
  const receiver = await receive(context, 3, [500, 404])
  const { pay, provider } = await start(context, { settleMs: 1, retryMs: 1 })
  await pay('tok_later', 'order-1-a', receiver.url)
  const callbacks = await receiver.charges(provider)
  assert.deepEqual(
    callbacks.map(({ status }) => status),
    ['succeeded', 'succeeded', 'succeeded'],
  )
})

test('charges, voids and refunds survive a restart, and pending callbacks are sent afterwards', async (context) => {
  const receiver = await receive(context, 1)
  const file = temporaryFile(context)
  const before = await start(context, { file })
  const visa = await before.pay('tok_visa', 'visa')
  await before.provider.cancel(storedPayment({ key: 'voided' }))
  await before.pay('tok_visa', 'refunded')
  await before.provider.refund(storedPayment({ key: 'refunded' }), whole)
  await before.pay('tok_later', 'later', receiver.url)
  await before.close()

  const after = await start(context, { file, settleMs: 1 })
  assert.deepEqual(await after.pay('tok_visa', 'visa'), visa)
  assert.equal(outcomeName(await after.pay('tok_visa', 'voided')), 'cancelled')
  assert.equal(
    outcomeName(await after.provider.find(storedPayment({ key: 'refunded' }))),
    'refunded',
  )
  const [callbacks] = await receiver.charges(after.provider)
  assert.equal(callbacks?.key, 'later')
  assert.equal(callbacks?.status, 'succeeded')
})

test('requests without the secret, to other paths, or malformed are rejected', async (context) => {
  const { url } = await start(context)
  const send = async (method: string, path: string, body?: string, token = secret) => {
    const headers = { authorization: `Bearer ${token}` }
    const init = body === undefined ? { method, headers } : { method, headers, body }
    return (await fetch(url + path, init)).status
  }
  const chargeRequest = {
    token: 'tok_visa',
    amount_minor: 1,
    currency: 'USD',
    callback_url: NOWHERE,
  }
  const put = (change: object) =>
    send('PUT', '/charges/a', JSON.stringify({ ...chargeRequest, ...change }))
  assert.equal(await send('GET', '/charges', undefined, 'wrong'), 401)
  assert.equal(await send('GET', '/'), 404)
  assert.equal(await send('GET', '/charges/%ff'), 404)
  assert.equal(await send('POST', '/charges'), 405)
  assert.equal(await send('PATCH', '/charges/a'), 405)
  assert.equal(await send('GET', '/charges/a/refund'), 405)
  assert.equal(await send('PUT', '/charges/a', 'not JSON'), 422)
  assert.equal(await put({ token: 1 }), 422)
  assert.equal(await put({ amount_minor: 0.5 }), 422)
  assert.equal(await put({ currency: 'dollar' }), 422)
  assert.equal(await put({ callback_url: 'file:///etc/passwd' }), 422)
  assert.equal(await put({ return_url: 'javascript:alert(1)' }), 422)
  assert.equal(await send('GET', '/charges/a/refunds/b'), 405)
  assert.equal(await send('PUT', '/charges/a/refunds/b', '{"amount_minor":0}'), 422)
  assert.equal(await send('PUT', '/charges/a/refunds/b', '{"amount_minor":1}'), 404)
  assert.equal(await send('GET', '/challenges/guessed'), 404)
  assert.equal(await send('DELETE', '/challenges/guessed'), 405)
  assert.equal(await send('GET', '/charges/a'), 404)
  assert.equal(await put({}), 201)
})

test('a port in use is an error, closing twice is not', async (context) => {
  const { url, close } = await start(context)
  await assert.rejects(startSandbox({ port: Number(new URL(url).port), secret }), {
    code: 'EADDRINUSE',
  })
  await Promise.all([close(), close()])
})

async function runSandbox(context: TestContext, file: string) {
  const environment = { SANDBOX_PORT: '0', SANDBOX_SECRET: secret, SANDBOX_FILE: file }
  const main = fileURLToPath(new URL('../../../cli/sandbox.ts', import.meta.url))
  const child = spawn(process.execPath, [main], { env: { ...process.env, ...environment } })
  context.after(() => child.kill('SIGKILL'))
  const [output] = await once(child.stdout, 'data')
  const [url = ''] = /http:\S+/.exec(String(output)) ?? []
  return { child, ...reach(context, url) }
}

test('the sandbox process loses nothing when killed, and stops on SIGTERM', async (context) => {
  const file = temporaryFile(context)
  const first = await runSandbox(context, file)
  const charged = await first.pay('tok_visa')
  assert.equal(outcomeName(charged), 'succeeded')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  assert.equal(
    outcomeName(await first.provider.find(storedPayment({ key: 'order-1-a' }))),
    'unreachable',
  )

  const second = await runSandbox(context, file)
  assert.deepEqual(await second.provider.find(storedPayment({ key: 'order-1-a' })), charged)
  second.child.kill('SIGTERM')
  assert.deepEqual(await once(second.child, 'exit'), [0, null])
})
