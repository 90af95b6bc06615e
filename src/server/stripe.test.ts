import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openStore } from '#store/database.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import { type StripeDouble, startStripeDouble } from '#test/support/payments/stripe/double.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { createCaller, openDeployment, shopAdmin, signIn } from '#test/support/services/server.ts'

const settingsFor = ({ url, secretKey, webhookSecret }: StripeDouble) => ({
  PAYMENT_PROVIDER: 'stripe',
  PAYMENT_PROVIDER_URL: '',
  PAYMENT_PROVIDER_SECRET: '',
  STRIPE_API_BASE: url,
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  PAYMENT_TIMEOUT_MS: '2000',
  NODE_ENV: 'production',
  LOG_LEVEL: 'trace',
})

describe('npm start with PAYMENT_PROVIDER=stripe', () => {
  for (const kind of ['sqlite', 'postgres'] as const) {
    test(`sells by Stripe on ${kind}, and writes no secret anywhere`, {
      skip: skipReason(kind),
    }, async (t) => {
      const double = await startStripeDouble()
      t.after(double.close)
      const NODE_OPTIONS = `--import=${import.meta.resolve('#test/support/log-modules.ts')}`
      const settings = { ...settingsFor(double), NODE_OPTIONS }
      const deployment = await openDeployment(kind, { settings })
      t.after(deployment.dispose)
      const server = deployment.start()
      const url = await server.url
      double.events.target = `${url}/payment-notifications/stripe`
      double.events.delivery = 'twice'
      const token = await signIn(createCaller(url).request, shopAdmin)
      const { request, close } = createCaller(url, token)
      t.after(close)
      const { json: product } = await request('POST', '/products', { name: 'Kettle', price: 20 })
      const { json: profile } = await request('GET', '/profile')
      const place = async (): Promise<number> => {
        const items = [{ product_id: product.id, quantity: 1 }]
        const body = { items, shipping: testShipping }
        return (await request('POST', `/users/${profile.id}/orders`, body)).json.id
      }
      const pay = (order: number, card: string) =>
        request('POST', `/users/${profile.id}/orders/${order}/payment`, {
          method: 'card',
          token: card,
        })
      const untilOrder = (order: number, status: string) =>
        pollUntil(
          () => request('GET', `/orders/${order}`),
          ({ json }) => json.status === status,
        )

      const paid = await place()
      assert.equal((await pay(paid, 'pm_card_visa')).status, 201)
      const acted = await place()
      const { status, json } = await pay(acted, 'pm_card_authenticationRequired')
      assert.equal(status, 202)
      const secret = json.next_action.client_secret as string
      const declined = await place()
      assert.equal((await pay(declined, 'pm_card_chargeDeclined')).status, 422)
      const stored = await readEverything(deployment.databaseUrl)
      double.intents.decide(json.provider_reference, 'succeed')
      await untilOrder(acted, 'paid')
      double.refundInDashboard(json.provider_reference, 2500)
      await untilOrder(acted, 'cancelled')
      assert.equal(double.intents.charges().length, 2)
      const { text: events } = await request('GET', '/events?limit=1000')
      assert.equal(await server.stop(), 0)

      const output = server.output()
      assert.ok(output.includes('/node_modules/stripe/'))
      assert.doesNotMatch(output, /sandbox, which moves no money/)
      const secrets = [
        double.secretKey,
        double.webhookSecret,
        secret,
        'pm_card_',
        'last4',
        'Xt5EWLLDS7FJjR1c',
      ]
      for (const [where, text] of Object.entries({ output, events, stored })) {
        for (const each of secrets) assert.ok(!text.includes(each), `${each} is in the ${where}`)
      }
    })
  }
})

/** Reads the tables that payments are written to, as text. */
async function readEverything(databaseUrl: string): Promise<string> {
  const { db, close } = await openStore(databaseUrl)
  try {
    return JSON.stringify([
      await db.selectFrom('payments').selectAll().execute(),
      await db.selectFrom('outbox').selectAll().execute(),
      await db.selectFrom('events').selectAll().execute(),
      await db.selectFrom('audit_events').selectAll().execute(),
    ])
  } finally {
    await close()
  }
}
