import { providerOver } from '#shop/providers/http/http-provider.ts'
import { createProviderClient } from '#shop/providers/http/provider-client.ts'
import { pagePath, sandboxPageRoutes } from '#shop/providers/sandbox/page/routes.ts'
import { startSandbox } from '#shop/providers/sandbox/server.ts'
import {
  startedAt,
  startTestApp,
  type TestApp,
  type TestCaller,
  type TestOptions,
} from '#test/support/app.ts'
import { createFaultyClient, type FaultyClient } from '#test/support/payments/faulty-client.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'

/** The real application, listening, with its own sandbox payment provider. */
export interface PayingApp extends TestApp {
  /** Where it calls its provider. */
  readonly exchange: FaultyClient
  /** Returns how many charges of this order succeeded at the provider. */
  readonly countCharges: (orderId: number) => Promise<number>
  /** Creates a product as an administrator. */
  readonly addProduct: (fields?: object) => Promise<{ readonly id: number }>
}

type ShopChanges = NonNullable<TestOptions['shop']>

const secret = 'what a sandbox of tests signs with'

/** Shipping with all that paying for an order and sending it require. */
export const testShipping = {
  method: 'standard',
  recipient: 'Ada Lovelace',
  address: {
    line1: '12 St James’s Square',
    city: 'London',
    postal_code: 'SW1Y 4JH',
    country: 'GB',
  },
} as const

/**
 * Starts an application with a payment provider; `timeoutMs` bounds a call to the provider.
 * With `isIssuer` its own origin is the OAuth issuer.
 */
export async function startPayingApp(
  kind: StoreKind,
  timeoutMs = 1000,
  {
    isIssuer = false,
    shop = {},
    ...options
  }: { readonly isIssuer?: boolean; readonly shop?: ShopChanges } & Pick<
    TestOptions,
    'hasConsole' | 'composition' | 'temporary'
  > = {},
): Promise<PayingApp> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const pageUrl = origin + pagePath
  const clock = { settleMs: 30, now: () => startedAt }
  const sandbox = await startSandbox({ port: 0, secret, pageUrl, ...clock })
  const exchange = createFaultyClient(createProviderClient(sandbox.url, secret, timeoutMs))
  const provider = providerOver(exchange, { secret, name: 'sandbox' })
  const callbackUrl = `${origin}/payment-notifications`
  const issuing = isIssuer ? { issuer: origin } : {}
  const rawRoutes = sandboxPageRoutes(exchange, 'cartwright')
  const app = await startTestApp(kind, {
    provider,
    callbackUrl,
    rawRoutes,
    shop,
    ...issuing,
    ...options,
  })
  await app.app.listen({ port, host: '127.0.0.1' })
  const admin = await app.signInAs('admin')
  const dispose = app.dispose
  return Object.assign(app, {
    exchange,
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
