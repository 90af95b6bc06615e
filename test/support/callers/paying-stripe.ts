import { stripeProvider } from '#shop/providers/stripe/stripe-provider.ts'
import { startedAt, startTestApp, type TestApp } from '#test/support/app.ts'
import { type StripeDouble, startStripeDouble } from '#test/support/payments/stripe/double.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'

/** The real application, listening, with Stripe as its payment provider. */
export interface StripeApp extends TestApp {
  readonly double: StripeDouble
  /** Where Stripe sends its events. */
  readonly callbackUrl: string
}

/** Starts an application that takes payments by a double of Stripe; `timeoutMs` bounds a call. */
export async function startStripeApp(kind: StoreKind, timeoutMs = 1_000): Promise<StripeApp> {
  const port = await freePort()
  const time = { now: (): number => startedAt }
  const double = await startStripeDouble(() => time.now())
  const { url: apiBase, secretKey, webhookSecret } = double
  const provider = stripeProvider({ apiBase, secretKey, webhookSecret, timeoutMs })
  const callbackUrl = `http://127.0.0.1:${port}${provider.callbackPath}`
  const app = await startTestApp(kind, { provider, callbackUrl })
  time.now = () => app.now
  await app.app.listen({ port, host: '127.0.0.1' })
  double.events.target = callbackUrl
  double.events.delivery = 'once'
  const dispose = app.dispose
  return Object.assign(app, {
    double,
    callbackUrl,
    dispose: async () => {
      await double.close()
      await dispose()
      await provider.close()
    },
  })
}
