import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openStore } from '#store/database.ts'
import type { TestCaller, TestResponse } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { type DatabaseProxy, openProxy } from '#test/support/services/database-proxy.ts'
import { openTemporaryStore, skipReason } from '#test/support/services/databases.ts'

const stock = 1000
const card = { method: 'card', token: 'tok_visa' }

describe('a request whose COMMIT is lost', { skip: skipReason('postgres') }, () => {
  let proxy: DatabaseProxy
  let shop: PayingApp
  let admin: TestCaller
  let buyer: TestCaller
  let productId: number
  before(async () => {
    const temporary = await openTemporaryStore('postgres')
    proxy = await openProxy(temporary.url)
    const store = await openStore(proxy.url, { connections: 4 })
    const dispose = async () => {
      await store.close()
      await proxy.close()
      await temporary.dispose()
    }
    shop = await startPayingApp('postgres', 1000, {
      temporary: { ...temporary, store, url: proxy.url, dispose },
    })
    admin = await shop.signInAs('admin')
    buyer = await shop.signInAs('customer')
    productId = (await shop.addProduct({ stock })).id
  })
  after(() => shop.dispose())

  /** Sends a request, and again with its key while the answer is 503. */
  async function insist(
    method: string,
    path: string,
    body: object,
    { id, request }: Pick<TestCaller, 'id' | 'request'> = buyer,
  ): Promise<TestResponse> {
    const headers = { 'idempotency-key': randomUUID() }
    const url = id === buyer.id ? `/users/${id}/${path}` : `/${path}`
    return await pollUntil(
      () => request(method, url, body, headers),
      ({ status }) => status !== 503,
    )
  }

  const countOrders = async (): Promise<number> =>
    (await buyer.request('GET', `/users/${buyer.id}/orders`)).json.pagination.total_items

  const stockOf = async (): Promise<number> =>
    (await admin.request('GET', `/products/${productId}`)).json.stock

  const place = () => {
    const items = [{ product_id: productId, quantity: 1 }]
    return insist('POST', 'orders', { items, shipping: testShipping })
  }

  for (const fault of ['loseCommit', 'dropCommit'] as const) {
    test(`(${fault}) places one order`, async () => {
      const [before, stockBefore] = [await countOrders(), await stockOf()]
      proxy[fault]()
      const placed = await place()
      assert.equal(placed.status, 201, placed.text)
      assert.equal(proxy.awaitsCommit(), false)
      assert.equal(await countOrders(), before + 1)
      assert.equal(await stockOf(), stockBefore - 1)
    })

    test(`(${fault}) charges an order once`, async () => {
      const { id } = (await place()).json
      proxy[fault]()
      const paid = await insist('POST', `orders/${id}/payment`, card)
      assert.equal(paid.status, 201, paid.text)
      assert.equal(proxy.awaitsCommit(), false)
      assert.equal(await shop.countCharges(id), 1)
      const order = await buyer.request('GET', `/users/${buyer.id}/orders/${id}`)
      assert.equal(order.json.status, 'paid')
    })

    test(`(${fault}) refunds an order once`, async () => {
      const { id } = (await place()).json
      assert.equal((await insist('POST', `orders/${id}/payment`, card)).status, 201)
      for (const amount of [1, 2]) {
        proxy[fault]()
        const refunded = await insist('POST', `orders/${id}/refunds`, { amount }, admin)
        assert.equal(refunded.status, 201, refunded.text)
        assert.equal(proxy.awaitsCommit(), false)
      }
      const { json } = await admin.request('GET', `/orders/${id}`)
      assert.equal(json.refunded_total, 3)
      const refunds = await admin.request('GET', `/orders/${id}/refunds`)
      assert.equal(refunds.json.pagination.total_items, 2)
    })

    test(`(${fault}) cancels an order once`, async () => {
      const before = await stockOf()
      const { id } = (await place()).json
      proxy[fault]()
      const cancelled = await insist('PATCH', `orders/${id}`, { status: 'cancelled' })
      assert.equal(cancelled.status, 200, cancelled.text)
      assert.equal(proxy.awaitsCommit(), false)
      assert.equal(await stockOf(), before)
    })
  }
})
