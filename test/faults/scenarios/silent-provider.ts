import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#store/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import type { StoreKind } from '#test/support/services/databases.ts'
import { openDeployment } from '#test/support/services/server.ts'
import { openShopping } from './shopping.ts'

/** The results of payments at a hanging provider. */
export interface SilentProviderResult {
  readonly ttlMs: number
  readonly payments: number
  /** The number of concurrent orders by others. */
  readonly orders: number
  /** The duration of the slowest response to them. */
  readonly slowestMs: number
  readonly paymentAnswers: Readonly<Record<number, number>>
}

/** Starts a server that accepts connections and never answers. */
async function startSilentServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Pays many orders at a hanging provider while others order. */
export async function runSilentProvider(
  kind: StoreKind,
  payments: number,
  ttlMs: number,
): Promise<SilentProviderResult> {
  const silentServer = await startSilentServer()
  const deployment = await openDeployment(kind, {
    settings: { PAYMENT_PROVIDER_URL: silentServer.url, PAYMENT_TIMEOUT_MS: String(ttlMs) },
  })
  try {
    const server = deployment.start()
    const shopping = await openShopping([await server.url], deployment.databaseUrl, 1)
    const admin = shopping.admin()
    const buyer = (await admin('GET', '/profile')).json.id
    const pay = async (): Promise<TestResponse> => {
      const items = [{ product_id: shopping.unsharedProduct, quantity: 1 }]
      const { json, status, text } = await admin('POST', `/users/${buyer}/orders`, {
        items,
        shipping: testShipping,
      })
      assert.equal(status, 201, text)
      const body = { method: 'card', token: 'tok_visa' }
      return await admin('POST', `/users/${buyer}/orders/${json.id}/payment`, body)
    }
    const pendingPayments = Array.from({ length: payments }, pay)
    const answers = await shopping.during(async () => {
      await assertOrderExpires(deployment.databaseUrl, shopping.unsharedProduct, admin)
      return await Promise.all(pendingPayments)
    })
    const paymentAnswers: Record<number, number> = {}
    for (const { status, headers } of answers) {
      paymentAnswers[status] = (paymentAnswers[status] ?? 0) + 1
      assert.equal(status, 504)
      assert.equal(headers['cache-control'], 'no-store')
    }
    const { counts } = shopping
    assert.deepEqual([...counts.statuses.keys()].sort(), [200, 201])
    shopping.close()
    return {
      ttlMs,
      payments,
      orders: shopping.ordered(),
      slowestMs: Math.round(counts.slowestMs),
      paymentAnswers,
    }
  } finally {
    await silentServer.close()
    await deployment.dispose()
  }
}

/** Asserts that the maintenance jobs continue: an expired order is cancelled. */
async function assertOrderExpires(
  databaseUrl: string,
  product_id: number,
  admin: TestRequest,
): Promise<void> {
  const { json: profile } = await admin('GET', '/profile')
  const items = [{ product_id, quantity: 1 }]
  const { json } = await admin('POST', `/users/${profile.id}/orders`, { items })
  const store = await openStore(databaseUrl)
  try {
    // The settlement job now waits for the hanging provider.
    await store.db.updateTable('payments').set({ due_at: 1 }).execute()
    await sleep(2500)
    await store.db.updateTable('orders').set({ expires_at: 1 }).where('id', '=', json.id).execute()
  } finally {
    await store.close()
  }
  await pollUntil(
    () => admin('GET', `/orders/${json.id}`),
    (answer) => answer.json.status === 'cancelled',
  )
}
