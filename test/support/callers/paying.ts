import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { httpProvider } from '#src/payments/http/provider.ts'
import { startSandbox } from '#src/payments/sandbox/server.ts'
import { startedAt, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import type { StoreKind } from '#test/support/services/databases.ts'

/** The real application, listening, with a sandbox of its own to pay at. */
export interface PayingApp extends TestApp {
  /** How many charges of this order the provider counts as succeeded. */
  readonly countCharges: (orderId: number) => Promise<number>
  /** A new product, as an administrator made it. */
  readonly addProduct: (fields?: object) => Promise<{ readonly id: number }>
}

const secret = 'what a sandbox of tests signs with'

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/**
 * Starts an application that can be paid; `timeoutMs` bounds how long it waits for the provider.
 * OAuth knows it by the address where it listens if `isIssuer`.
 */
export async function startPayingApp(
  kind: StoreKind,
  timeoutMs = 300,
  { isIssuer = false }: { readonly isIssuer?: boolean } = {},
): Promise<PayingApp> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const sandbox = await startSandbox({ port: 0, secret, settleMs: 30, now: () => startedAt })
  const provider = httpProvider({ baseUrl: sandbox.url, secret, timeoutMs, name: 'sandbox' })
  const callbackUrl = `${origin}/payment-notifications`
  const issuing = isIssuer ? { issuer: origin } : {}
  const app = await startTestApp(kind, { provider, callbackUrl, ...issuing })
  await app.app.listen({ port, host: '127.0.0.1' })
  const admin = await app.signInAs('admin')
  const dispose = app.dispose
  return Object.assign(app, {
    countCharges: async (orderId: number) => {
      const answer = await fetch(`${sandbox.url}/charges?prefix=order-${orderId}-`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      const { charges } = (await answer.json()) as { charges: { status: string }[] }
      return charges.filter(({ status }) => status === 'succeeded').length
    },
    addProduct: (fields: object = {}) => addProduct(admin, fields),
    dispose: async () => {
      await dispose()
      await provider.close()
      await sandbox.close()
    },
  })
}

/** Makes a product that can be bought. */
export async function addProduct(admin: TestCaller, fields: object = {}) {
  const answer = await admin.request('POST', '/products', {
    name: 'Kettle',
    price: 19.99,
    ...fields,
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json as { readonly id: number }
}

/** Asks again and again, for up to five seconds, until the answer holds. */
export async function eventually<T>(ask: () => Promise<T>, holds: (found: T) => boolean) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const found = await ask()
    if (holds(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('What was waited for did not come')
}
