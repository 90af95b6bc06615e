import { httpProvider } from '#src/payments/http/provider.ts'
import { startSandbox } from '#src/payments/sandbox/server.ts'
import { startedAt, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'

/** The real application, listening, with its own sandbox payment provider. */
export interface PayingApp extends TestApp {
  /** Returns how many charges of this order succeeded at the provider. */
  readonly countCharges: (orderId: number) => Promise<number>
  /** Creates a product as an administrator. */
  readonly addProduct: (fields?: object) => Promise<{ readonly id: number }>
}

const secret = 'what a sandbox of tests signs with'

/**
 * Starts an application with a payment provider; `timeoutMs` bounds a call to the provider.
 * With `isIssuer` its own origin is the OAuth issuer.
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

/** Creates a product; throws unless the response is 201. */
export async function addProduct(admin: TestCaller, fields: object = {}) {
  const answer = await admin.request('POST', '/products', {
    name: 'Kettle',
    price: 19.99,
    ...fields,
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.json as { readonly id: number }
}

/** Polls for up to five seconds until the result satisfies the condition; throws otherwise. */
export async function pollUntil<T>(read: () => Promise<T>, isDone: (found: T) => boolean) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const found = await read()
    if (isDone(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the condition did not hold within five seconds')
}
