import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openStore, type Store } from '#db/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { eventually } from '#test/support/callers/paying.ts'
import { reconcile } from '#test/support/reconcile.ts'
import { skipReason } from '#test/support/services/databases.ts'
import {
  type Caller,
  callerOf,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import type { Started } from '#test/support/services/server-process.ts'

type Call = Parameters<TestRequest>

/** Somebody who can call every process. */
interface Client {
  /** Calls the first process. */
  readonly request: TestRequest
  /** Calls one process, the next for the next index. */
  readonly at: (index: number) => TestRequest
  /** Calls all processes in turn, without waiting for any answer. */
  readonly atOnce: (
    count: number,
    ...call: Call | [(index: number) => Call]
  ) => Promise<TestResponse[]>
}

const password = 'correct horse battery staple'

/** How often each status was answered, such as `{ 200: 1, 412: 29 }`. */
const countsOf = (answers: readonly TestResponse[]): Record<number, number> =>
  answers.reduce<Record<number, number>>(
    (counts, { status }) => Object.assign(counts, { [status]: (counts[status] ?? 0) + 1 }),
    {},
  )

function clientOf(callers: readonly Caller[]): Client {
  const at = (index: number): TestRequest => {
    const caller = callers[index % callers.length]
    assert.ok(caller, 'no server')
    return caller.request
  }
  return {
    request: at(0),
    at,
    atOnce: (count, ...call) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => {
          const [first, ...rest] = call
          return typeof first === 'function'
            ? at(index)(...first(index))
            : at(index)(first, ...(rest as [string]))
        }),
      ),
  }
}

for (const [kind, processes] of [
  ['sqlite', 1],
  ['postgres', 2],
] as const) {
  describe(`${kind}, processes: ${processes}`, { skip: skipReason(kind) }, () => {
    let deployment: Deployment
    let servers: readonly Started[]
    let urls: readonly string[]
    let store: Store
    let admin: Client
    const callers: Caller[] = []
    let people = 0

    before(async () => {
      deployment = await openDeployment(kind)
      // All at once, on a database that is empty.
      servers = Array.from({ length: processes }, () => deployment.start())
      urls = await Promise.all(servers.map(({ url }) => url))
      store = await openStore(deployment.databaseUrl)
      admin = enter(await signIn(enter().request, shopAdmin))
    })
    after(async () => {
      for (const caller of callers) caller.close()
      await store?.close()
      await deployment?.dispose()
    })

    function enter(token?: string): Client {
      const own = urls.map((url) => callerOf(url, token))
      callers.push(...own)
      return clientOf(own)
    }

    async function newcomer() {
      people += 1
      const credentials = { username: `person-${people}`, password }
      const { request } = enter()
      const { json: user } = await request('POST', '/users', { name: 'Somebody', ...credentials })
      const { json: session } = await request('POST', '/login', credentials)
      const { id } = user as { readonly id: number }
      return { ...enter(session.token), id, refreshToken: String(session.refresh_token) }
    }

    async function newProduct(fields: object = {}): Promise<number> {
      const body = { name: 'Kettle', price: 19.99, ...fields }
      const { status, json, text } = await admin.request('POST', '/products', body)
      assert.equal(status, 201, text)
      return json.id
    }

    const stockOf = async (id: number): Promise<number> =>
      (await admin.request('GET', `/products/${id}`)).json.stock
    const oneOf = (product_id: number) => ({ product_id, quantity: 1 })

    test('servers that start together on an empty database all serve, with one administrator', async () => {
      for (const url of urls) {
        assert.equal((await fetch(`${url}/health/ready`)).status, 200)
      }
      const said = servers.map(({ output }) => output()).join('\n')
      assert.equal(said.match(/An administrator was made/g)?.length, 1, said)
      const { json } = await admin.request('GET', '/users?role=admin')
      assert.equal(json.pagination.total_items, 1)
    })

    test('of 200 orders at once for a stock of 50, 50 are accepted and 150 refused', async () => {
      const product = await newProduct({ stock: 50 })
      const buyers = [await newcomer(), await newcomer(), await newcomer(), await newcomer()]
      const body = { items: [oneOf(product)] }
      const answers = await Promise.all(
        buyers.map(({ id, atOnce }) => atOnce(50, 'POST', `/users/${id}/orders`, body)),
      )
      assert.deepEqual(countsOf(answers.flat()), { 201: 50, 409: 150 })
      const refused = answers.flat().filter(({ status }) => status === 409)
      assert.deepEqual([...new Set(refused.map(({ json }) => json.error_code))], ['4093'])
      assert.equal(await stockOf(product), 0)
    })

    test('of two products wanted in either order, both are sold as far as they go', async () => {
      const one = await newProduct({ stock: 20 })
      const other = await newProduct({ stock: 20 })
      const { id, atOnce } = await newcomer()
      const answers = await atOnce(60, (index) => {
        const items = index % 4 < 2 ? [oneOf(one), oneOf(other)] : [oneOf(other), oneOf(one)]
        return ['POST', `/users/${id}/orders`, { items }]
      })
      assert.deepEqual(countsOf(answers), { 201: 20, 409: 40 })
      assert.deepEqual([await stockOf(one), await stockOf(other)], [0, 0])
    })

    test('of 50 payments of one order at once, one charges', async () => {
      const { id, atOnce, request } = await newcomer()
      const body = { items: [oneOf(await newProduct())] }
      const { json: order } = await request('POST', `/users/${id}/orders`, body)
      const card = { method: 'card', token: 'tok_visa' }
      const answers = await atOnce(50, 'POST', `/users/${id}/orders/${order.id}/payment`, card)
      assert.deepEqual(countsOf(answers), { 201: 1, 409: 49 })
      const charges = await deployment.charges()
      const made = charges.filter(({ key }) => key.startsWith(`order-${order.id}-`))
      assert.deepEqual(
        made.map(({ status }) => status),
        ['succeeded'],
      )
      assert.equal((await request('GET', `/orders/${order.id}`)).json.status, 'paid')
    })

    test('of 20 renewals with one refresh token at once, one wins', async () => {
      const { refreshToken, atOnce } = await newcomer()
      const answers = await atOnce(20, 'POST', '/login', { refresh_token: refreshToken })
      assert.deepEqual(countsOf(answers), { 200: 1, 401: 19 })
    })

    test('of 30 changes at once to the same state, one is made', async () => {
      const path = `/products/${await newProduct()}`
      const { headers } = await admin.request('GET', path)
      const answers = await admin.atOnce(30, (index) => [
        'PATCH',
        path,
        { description: `Change ${index}` },
        { 'if-match': headers['etag'] ?? '' },
      ])
      assert.deepEqual(countsOf(answers), { 200: 1, 412: 29 })
    })

    test('of 30 changes at once to whatever state, all are made, one after the other', async () => {
      const product = await newProduct()
      const path = `/products/${product}`
      const revision = () =>
        store.db
          .selectFrom('products')
          .select('revision')
          .where('id', '=', product)
          .executeTakeFirstOrThrow()
      const first = await revision()
      const answers = await admin.atOnce(30, (index) => [
        'PATCH',
        path,
        { description: `Change ${index}` },
      ])
      assert.deepEqual(countsOf(answers), { 200: 30 })
      assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, 30)
      assert.equal((await revision()).revision, first.revision + 30)
      const { json, headers } = await admin.request('GET', path)
      const last = answers.find((answer) => answer.headers['etag'] === headers['etag'])
      assert.equal(last?.json.description, json.description)
    })

    test('a product that is ordered all the time can be changed', async () => {
      const product = await newProduct({ stock: 1_000_000 })
      const { id, at } = await newcomer()
      let isOver = false
      const keepOrdering = async (request: TestRequest): Promise<void> => {
        while (!isOver) {
          const body = { items: [oneOf(product)] }
          const { status, text } = await request('POST', `/users/${id}/orders`, body)
          assert.equal(status, 201, text)
        }
      }
      const ordering = Promise.all(
        Array.from({ length: 16 }, (_, index) => keepOrdering(at(index))),
      )
      const answers: TestResponse[] = []
      for (let change = 0; change < 10; change += 1) {
        const body = { description: `Change ${change}` }
        answers.push(await admin.request('PATCH', `/products/${product}`, body))
      }
      isOver = true
      await ordering
      assert.deepEqual(countsOf(answers), { 200: 10 })
    })

    test('of 40 additions to a cart at once, none is lost', async () => {
      const products = [await newProduct(), await newProduct()]
      const { id, atOnce, request } = await newcomer()
      const answers = await atOnce(40, (index) => [
        'POST',
        '/cart',
        { product_id: products[index % 4 < 2 ? 0 : 1], quantity: 1 },
      ])
      assert.deepEqual(countsOf(answers), { 200: 38, 201: 2 })
      const { json } = await request('GET', `/users/${id}/cart`)
      assert.deepEqual(
        json.items.map(({ quantity }: { quantity: number }) => quantity),
        [20, 20],
      )
    })

    test('of 10 orders of one cart at once, one takes it', async () => {
      const product = await newProduct({ stock: 10 })
      const { id, atOnce, request } = await newcomer()
      await request('POST', '/cart', oneOf(product))
      const answers = await atOnce(10, 'POST', `/users/${id}/orders`, {})
      assert.deepEqual(countsOf(answers), { 201: 1, 409: 9 })
      assert.equal(await stockOf(product), 9)
    })

    test('the stock of orders that expire comes back once', async () => {
      const product = await newProduct({ stock: 90 })
      const { id, atOnce, request } = await newcomer()
      const path = `/users/${id}/orders`
      const placed = await atOnce(90, 'POST', path, { items: [oneOf(product)] })
      assert.deepEqual(countsOf(placed), { 201: 90 })
      const orders = store.db.updateTable('orders').where('user_id', '=', id)
      await orders.set({ expires_at: 1 }).execute()
      await eventually(
        () => request('GET', `${path}?status=cancelled`),
        ({ json }) => json.pagination.total_items === 90,
      )
      assert.equal(await stockOf(product), 90)
    })

    test('the books are in order after all that', () => reconcile(store.db))
  })
}
