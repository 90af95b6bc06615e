import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openStore } from '#store/database.ts'
import type { TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { openTemporaryStore, skipReason } from '#test/support/services/databases.ts'
import { openWire } from '../../bench/postgres/wire.ts'

/** The wait for an answer, long beside the pauses between what is sent together. */
const delayMs = 60
/** A connection prepares a statement when it first gets it, which is one wait more. */
const checkouts = 5

describe('on PostgreSQL, the waits for the database', { skip: skipReason('postgres') }, () => {
  let shop: PayingApp
  let wire: Awaited<ReturnType<typeof openWire>>
  let dispose: () => Promise<void>
  let buyer: TestCaller
  before(async () => {
    const temporary = await openTemporaryStore('postgres')
    wire = await openWire(temporary.url, delayMs)
    const store = await openStore(wire.url)
    dispose = async () => {
      await store.close()
      await temporary.dispose()
      wire[Symbol.dispose]()
    }
    const composition = { unpaidOrders: { perUser: 20, stockShare: 0.25 } }
    shop = await startPayingApp('postgres', 1000, {
      composition,
      temporary: { ...temporary, store, dispose },
    })
    buyer = await shop.signInAs('customer')
  })
  after(() => shop.dispose())

  async function waitsOf(method: string, path: string, body: object) {
    wire.take()
    const answer = await buyer.request(method, path, body)
    assert.ok(answer.status < 300, answer.text)
    const waits = wire.take().filter(({ beginsTrip }) => beginsTrip)
    return { waits: waits.length, id: answer.json.id as number }
  }

  async function checkOut() {
    const products = [await shop.addProduct({ stock: 9 }), await shop.addProduct({ stock: 9 })]
    const additions: number[] = []
    for (const { id: product_id } of products) {
      const added = await waitsOf('POST', '/cart', { product_id, quantity: 1 })
      additions.push(added.waits)
    }
    const orders = `/users/${buyer.id}/orders`
    const order = await waitsOf('POST', orders, {})
    const shipping = await waitsOf('PUT', `/orders/${order.id}/shipping`, testShipping)
    const card = { method: 'card', token: 'tok_visa' }
    const payment = await waitsOf('POST', `${orders}/${order.id}/payment`, card)
    return [...additions, order.waits, shipping.waits, payment.waits]
  }

  test('of a checkout of two products are fourteen', async () => {
    const counts: number[][] = []
    for (let count = 0; count < checkouts; count += 1) counts.push(await checkOut())
    const least = counts[0]?.map((_, step) => Math.min(...counts.map((waits) => waits[step] ?? 0)))
    assert.deepEqual(least, [2, 2, 3, 4, 3])
  })
})
