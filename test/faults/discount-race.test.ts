import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openStore } from '#store/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { repeatWhileOverloaded } from '#test/support/services/overload.ts'
import {
  type Caller,
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

const buyerCount = 200
const usageLimit = 10

for (const [kind, processes] of [
  ['sqlite', 1],
  ['postgres', 2],
] as const) {
  describe(`a discount on ${kind}, processes: ${processes}`, { skip: skipReason(kind) }, () => {
    let deployment: Deployment
    let urls: readonly string[]
    let admin: TestRequest
    let discount: string
    let buyers: readonly TestRequest[]
    let redeemed: readonly { readonly buyer: TestRequest; readonly path: string }[]
    const callers: Caller[] = []

    const callAt = (url: string, token?: string): TestRequest => {
      const caller = createCaller(url, token)
      callers.push(caller)
      return repeatWhileOverloaded(caller.request)
    }
    const create = async (request: TestRequest, path: string, body: object) => {
      const { status, json, text } = await request('POST', path, body)
      assert.equal(status, 201, text)
      return json
    }
    const usedCount = async () => (await admin('GET', discount)).json.used_count

    /** Starts a guest at one of the processes, with a product and the code in the cart. */
    async function createBuyer(index: number, productId: number): Promise<TestRequest> {
      const url = urls[index % urls.length] ?? ''
      const { token, user } = await create(callAt(url), '/guests', {})
      const request = callAt(url, token)
      await create(request, '/cart', { product_id: productId, quantity: 1 })
      const applied = await request('PUT', `/users/${user.id}/cart/discount`, { code: 'first' })
      assert.equal(applied.status, 200, applied.text)
      return request
    }

    before(async () => {
      // The payments of all clients at once take their time.
      deployment = await openDeployment(kind, { settings: { PAYMENT_TIMEOUT_MS: '10000' } })
      const servers = Array.from({ length: processes }, () => deployment.start())
      urls = await Promise.all(servers.map(({ url }) => url))
      const [url = ''] = urls
      admin = callAt(url, await signIn(callAt(url), shopAdmin))
      const product = await create(admin, '/products', { name: 'Kettle', price: 20 })
      const limited = { code: 'FIRST', kind: 'amount', value: 3, usage_limit: usageLimit }
      discount = `/discounts/${(await create(admin, '/discounts', limited)).id}`
      buyers = await Promise.all(
        Array.from({ length: buyerCount }, (_, index) => createBuyer(index, product.id)),
      )
    })
    after(async () => {
      for (const caller of callers) caller.close()
      await deployment?.dispose()
    })

    test(`of ${buyerCount} concurrent checkouts with a code for ${usageLimit}, ${usageLimit} succeed`, async () => {
      const answers = await Promise.all(buyers.map((buyer) => buyer('POST', '/orders', {})))
      const results = Map.groupBy(answers, ({ status, json }) => `${status} ${json.error_code}`)
      assert.deepEqual([...results.keys()].sort(), ['201 undefined', '409 4091'])
      assert.equal(results.get('201 undefined')?.length, usageLimit)
      assert.equal(await usedCount(), usageLimit)
      redeemed = buyers.flatMap((buyer, index) => {
        const { status, json } = answers[index] as TestResponse
        return status === 201 ? [{ buyer, path: `/orders/${json.id}` }] : []
      })
    })

    test('uses are given back once, however often their orders are cancelled at once', async () => {
      const cancel = { status: 'cancelled' }
      await Promise.all(
        redeemed.flatMap(({ buyer, path }) =>
          [buyer, buyer, admin].map((request) => request('PATCH', path, cancel)),
        ),
      )
      assert.equal(await usedCount(), 0)
    })

    test('the database is consistent afterwards', async () => {
      const store = await openStore(deployment.databaseUrl)
      await reconcile(store.db).finally(() => store.close())
    })
  })
}
