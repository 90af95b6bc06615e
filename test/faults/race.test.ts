import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openStore, type Store } from '#store/database.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { skipReason } from '#test/support/services/databases.ts'
import {
  type Caller,
  createCaller,
  type Deployment,
  openDeployment,
  shopAdmin,
  signIn,
} from '#test/support/services/server.ts'
import type { ServerProcess } from '#test/support/services/server-process.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'

type Call = Parameters<TestRequest>

/** A caller of every process. */
interface Client {
  /** Sends a request to the first process. */
  readonly request: TestRequest
  /** The request function of one process, by index modulo the number of processes. */
  readonly at: (index: number) => TestRequest
  /** Sends `count` requests concurrently, to the processes in turn. */
  readonly sendConcurrently: (
    count: number,
    ...call: Call | [(index: number) => Call]
  ) => Promise<TestResponse[]>
}

const password = 'correct horse battery staple'

/** Counts responses by status, such as `{ 200: 1, 412: 29 }`. */
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
    sendConcurrently: (count, ...call) =>
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
    let servers: readonly ServerProcess[]
    let urls: readonly string[]
    let store: Store
    let admin: Client
    const callers: Caller[] = []
    let people = 0

    before(async () => {
      // The payments of all clients at once take their time.
      deployment = await openDeployment(kind, { settings: { PAYMENT_TIMEOUT_MS: '10000' } })
      // The servers start concurrently on an empty database.
      servers = Array.from({ length: processes }, () => deployment.start())
      urls = await Promise.all(servers.map(({ url }) => url))
      store = await openStore(deployment.databaseUrl)
      admin = createClient(await signIn(createClient().request, shopAdmin))
    })
    after(async () => {
      for (const caller of callers) caller.close()
      await store?.close()
      await deployment?.dispose()
    })

    function createClient(token?: string): Client {
      const own = urls.map((url) => createCaller(url, token))
      callers.push(...own)
      return clientOf(own)
    }

    async function createUser() {
      people += 1
      const credentials = { username: `person-${people}`, password }
      const { request } = createClient()
      const { json: user } = await request('POST', '/users', { name: 'Somebody', ...credentials })
      const { json: session } = await request('POST', '/login', credentials)
      const { id } = user as { readonly id: number }
      return { ...createClient(session.token), id, refreshToken: String(session.refresh_token) }
    }

    async function createProduct(fields: object = {}): Promise<number> {
      const body = { name: 'Kettle', price: 19.99, ...fields }
      const { status, json, text } = await admin.request('POST', '/products', body)
      assert.equal(status, 201, text)
      return json.id
    }

    const stockOf = async (id: number): Promise<number> =>
      (await admin.request('GET', `/products/${id}`)).json.stock
    const oneOf = (product_id: number) => ({ product_id, quantity: 1 })

    test('servers that start together on an empty database all serve and create one administrator', async () => {
      for (const url of urls) {
        assert.equal((await fetch(`${url}/health/ready`)).status, 200)
      }
      const output = servers.map(({ output }) => output()).join('\n')
      assert.equal(output.match(/An administrator was made/g)?.length, 1, output)
      const { json } = await admin.request('GET', '/users?role=admin')
      assert.equal(json.pagination.total_items, 1)
    })

    test('of 200 concurrent orders for a stock of 50, 50 are accepted and 150 rejected', async () => {
      const product = await createProduct({ stock: 50 })
      const buyers = [
        await createUser(),
        await createUser(),
        await createUser(),
        await createUser(),
      ]
      const body = { items: [oneOf(product)] }
      const answers = await Promise.all(
        buyers.map(({ id, sendConcurrently }) =>
          sendConcurrently(50, 'POST', `/users/${id}/orders`, body),
        ),
      )
      assert.deepEqual(countsOf(answers.flat()), { 201: 50, 409: 150 })
      const rejected = answers.flat().filter(({ status }) => status === 409)
      assert.deepEqual([...new Set(rejected.map(({ json }) => json.error_code))], ['4093'])
      assert.equal(await stockOf(product), 0)
    })

    test('orders of two products in opposite order do not deadlock and sell both out', async () => {
      const one = await createProduct({ stock: 20 })
      const other = await createProduct({ stock: 20 })
      const { id, sendConcurrently } = await createUser()
      const answers = await sendConcurrently(60, (index) => {
        const items = index % 4 < 2 ? [oneOf(one), oneOf(other)] : [oneOf(other), oneOf(one)]
        return ['POST', `/users/${id}/orders`, { items }]
      })
      assert.deepEqual(countsOf(answers), { 201: 20, 409: 40 })
      assert.deepEqual([await stockOf(one), await stockOf(other)], [0, 0])
    })

    test('of 50 concurrent payments of one order, one charges', async () => {
      const { id, sendConcurrently, request } = await createUser()
      const body = { items: [oneOf(await createProduct())], shipping: testShipping }
      const { json: order } = await request('POST', `/users/${id}/orders`, body)
      const card = { method: 'card', token: 'tok_visa' }
      const answers = await sendConcurrently(
        50,
        'POST',
        `/users/${id}/orders/${order.id}/payment`,
        card,
      )
      assert.deepEqual(countsOf(answers), { 201: 1, 409: 49 })
      const charges = await deployment.charges()
      const made = charges.filter(({ key }) => key.startsWith(`order-${order.id}-`))
      assert.deepEqual(
        made.map(({ status }) => status),
        ['succeeded'],
      )
      assert.equal((await request('GET', `/orders/${order.id}`)).json.status, 'paid')
    })

    test('20 concurrent renewals with one refresh token get pairs of one session', async () => {
      const { refreshToken, sendConcurrently } = await createUser()
      const answers = await sendConcurrently(20, 'POST', '/login', { refresh_token: refreshToken })
      assert.deepEqual(countsOf(answers), { 200: 20 })
      assert.equal(new Set(answers.map(({ json }) => json.session_id)).size, 1)
      assert.equal(new Set(answers.map(({ json }) => json.refresh_token)).size, 20)
    })

    test('of 30 concurrent changes with the same If-Match, one succeeds', async () => {
      const path = `/products/${await createProduct()}`
      const { headers } = await admin.request('GET', path)
      const answers = await admin.sendConcurrently(30, (index) => [
        'PATCH',
        path,
        { description: `Change ${index}` },
        { 'if-match': headers['etag'] ?? '' },
      ])
      assert.deepEqual(countsOf(answers), { 200: 1, 412: 29 })
    })

    test('30 concurrent changes without If-Match all succeed, each with its own revision', async () => {
      const product = await createProduct()
      const path = `/products/${product}`
      const revision = () =>
        store.db
          .selectFrom('products')
          .select('revision')
          .where('id', '=', product)
          .executeTakeFirstOrThrow()
      const first = await revision()
      const answers = await admin.sendConcurrently(30, (index) => [
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

    test('a product under constant orders can be changed', async () => {
      const product = await createProduct({ stock: 1_000_000 })
      const { id, at } = await createUser()
      let isDone = false
      const keepOrdering = async (request: TestRequest): Promise<void> => {
        while (!isDone) {
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
      isDone = true
      await ordering
      assert.deepEqual(countsOf(answers), { 200: 10 })
    })

    test('of 40 concurrent additions to a cart, none is lost', async () => {
      const products = [await createProduct(), await createProduct()]
      const { id, sendConcurrently, request } = await createUser()
      const answers = await sendConcurrently(40, (index) => [
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

    test('of 10 concurrent orders of one cart, one succeeds', async () => {
      const product = await createProduct({ stock: 10 })
      const { id, sendConcurrently, request } = await createUser()
      await request('POST', '/cart', oneOf(product))
      const answers = await sendConcurrently(10, 'POST', `/users/${id}/orders`, {})
      assert.deepEqual(countsOf(answers), { 201: 1, 409: 9 })
      assert.equal(await stockOf(product), 9)
    })

    test('the stock of expired orders is returned once', async () => {
      const product = await createProduct({ stock: 90 })
      const { id, sendConcurrently, request } = await createUser()
      const path = `/users/${id}/orders`
      const placed = await sendConcurrently(90, 'POST', path, { items: [oneOf(product)] })
      assert.deepEqual(countsOf(placed), { 201: 90 })
      const orders = store.db.updateTable('orders').where('user_id', '=', id)
      await orders.set({ expires_at: 1 }).execute()
      await pollUntil(
        () => request('GET', `${path}?status=cancelled`),
        ({ json }) => json.pagination.total_items === 90,
      )
      assert.equal(await stockOf(product), 90)
    })

    test('the database is consistent afterwards', () => reconcile(store.db))
  })
}
