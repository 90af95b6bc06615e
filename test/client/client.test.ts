import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PreconditionFailed, Problem } from '#client/src/problem.ts'
import { MissingLink } from '#client/src/resource.ts'
import { openShop, type Shop } from '#client/src/shop.ts'
import type { ShopOptions } from '#client/src/transport.ts'
import { eachDatabase } from '#test/support/app.ts'
import { freePort } from '#test/support/services/ports.ts'
import { type Deployment, openDeployment, shopAdmin } from '#test/support/services/server.ts'
import type { ServerProcess } from '#test/support/services/server-process.ts'

const shipping = {
  recipient: 'Ada Lovelace',
  address: {
    line1: '12 St James Square',
    city: 'London',
    postal_code: 'SW1Y 4JH',
    country: 'GB',
  },
} as const

/** A `fetch` that loses the first answer of each of these paths after the server has sent it. */
function losingAnswers(paths: readonly string[]): { fetch: typeof fetch; sent: string[] } {
  const lost = new Set(paths)
  const sent: string[] = []
  return {
    sent,
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url))
      sent.push(`${init?.method} ${pathname} ${new Headers(init?.headers).get('idempotency-key')}`)
      const response = await fetch(url, init)
      if (!lost.delete(pathname)) return response
      await response.arrayBuffer()
      throw new TypeError('fetch failed')
    },
  }
}

/** A `fetch` that answers first with these responses. */
function answeringFirst(responses: readonly Response[]): typeof fetch {
  const rest = [...responses]
  return async (url, init) => rest.shift() ?? fetch(url, init)
}

eachDatabase(
  (kind) => {
    let deployment: Deployment
    let server: ServerProcess
    let port: number
    let url: string
    let admin: Shop
    before(async () => {
      deployment = await openDeployment(kind, { settings: { CORS_ORIGINS: 'https://a.example' } })
      port = await freePort()
      server = deployment.start(port)
      url = await server.url
      admin = openShop(url)
      await admin.login(shopAdmin)
      for (const number of [1, 2, 3, 4, 5]) {
        await admin.products.create({
          name: `Kettle ${number}`,
          price: 10 * number,
          category: number > 3 ? 'tea, coffee' : 'kitchen',
        })
      }
      await admin.discounts.create({ code: 'TEN', kind: 'percent', value: '10' })
    })
    after(() => deployment.dispose())

    const guestShop = async (options?: ShopOptions) => {
      const shop = openShop(url, options)
      await shop.guests.start({ name: 'Ada Lovelace' })
      return shop
    }

    test('a guest buys by links, pays and registers', async () => {
      const shop = await guestShop()
      const { data } = await shop.products.list({ q: 'kettle', sort: 'price' })
      assert.equal((await data[1]?.addToCart())?.line_total, 20)
      await shop.cart.add({ product_id: data[2]?.id ?? 0, quantity: 2 })
      const cart = await (await shop.cart.get()).applyDiscount({ code: 'ten' })
      assert.equal(cart.discount_total, 8)
      const order = await cart.checkout({ shipping })
      assert.equal(order.can('pay'), true)
      const payment = await order.pay({ method: 'card', token: 'tok_visa' })
      assert.deepEqual([payment.status, payment.amount], ['succeeded', 77])
      const paid = await order.refresh()
      assert.equal(paid.status, 'paid')
      assert.equal(paid.can('pay'), false)
      await assert.rejects(paid.pay({ method: 'card', token: 'tok_visa' }), MissingLink)
      const names = []
      for await (const item of paid.follow('items')) names.push(item.name)
      assert.deepEqual(names, ['Kettle 2', 'Kettle 3'])

      const user = await (await shop.profile()).user()
      const username = `ada-${kind}`
      const password = 'correct horse battery staple'
      assert.equal((await user.register({ username, password })).role, 'customer')
      await shop.login({ username, password })
      const orders = await shop.orders.list()
      assert.deepEqual(
        orders.data.map(({ id }) => id),
        [order.id],
      )
      await shop.logout()
      assert.equal(shop.session, undefined)
      await assert.rejects(shop.profile(), { status: 401 })
    })

    test('an order whose answer is lost is placed once', async () => {
      const { fetch, sent } = losingAnswers(['/orders'])
      const shop = await guestShop({ fetch })
      const { data } = await shop.products.list({ limit: 1 })
      const items = [{ product_id: data[0]?.id ?? 0, quantity: 1 }]
      const order = await shop.orders.create({ items })
      const { pagination } = await shop.orders.list()
      assert.equal(pagination.total_items, 1)
      assert.equal(order.status, 'pending')
      const posts = sent.filter((line) => line.startsWith('POST /orders'))
      assert.equal(posts.length, 2)
      assert.equal(new Set(posts).size, 1)
    })

    test('a retry waits as long as Retry-After says, and not longer than allowed', async () => {
      const busy = (seconds: string) =>
        new Response('', { status: 429, headers: { 'retry-after': seconds } })
      const begin = performance.now()
      const page = await openShop(url, {
        fetch: answeringFirst([busy('1'), busy('0')]),
      }).products.list()
      assert.equal(page.data.length, 5)
      assert.ok(performance.now() - begin >= 990)
      await assert.rejects(openShop(url, { fetch: answeringFirst([busy('61')]) }).products.list(), {
        status: 429,
      })
      const down = [1, 2].map(() => busy('0'))
      await assert.rejects(
        openShop(url, { fetch: answeringFirst(down), retries: 1 }).products.list(),
        Problem,
      )
    })

    test('a change of what somebody else changed is rejected as PreconditionFailed', async () => {
      const product = await admin.products.create({ name: 'Teapot', price: 30 })
      const other = await admin.products.get(product.id)
      const changed = await other.update({ price: 31 })
      assert.equal(changed.price, 31)
      await assert.rejects(product.update({ price: 29 }), (error) => {
        assert.ok(error instanceof PreconditionFailed)
        assert.equal(error.code, '4121')
        return true
      })
      const current = await product.refresh()
      assert.equal(current.price, 31)
      assert.equal(await current.refresh(), current)
      await assert.rejects(product.delete(), PreconditionFailed)
      await assert.rejects(product.replace({ name: 'Kettle', price: 28 }), PreconditionFailed)
      const replaced = await current.replace({ name: 'Kettle', price: 28 })
      assert.equal(replaced.price, 28)
      await replaced.delete()
      await assert.rejects(product.refresh(), { code: '4101' })
    })

    test('a problem names its fields and the request', async () => {
      const body = { name: 'Bob', username: 'bob', password: 'short' }
      await assert.rejects(openShop(url).users.create(body), (error) => {
        assert.ok(error instanceof Problem)
        assert.deepEqual([error.status, error.code], [422, '4221'])
        assert.match(error.errorOf('password') ?? '', /8 characters/)
        assert.equal(error.errorOf('name'), undefined)
        assert.match(error.requestId ?? '', /^[\w-]{8,}$/)
        return true
      })
    })

    test('concurrent calls renew a rejected token once', async () => {
      const { session } = await guestShop()
      const { fetch, sent } = losingAnswers([])
      const sessions: unknown[] = []
      const shop = openShop(url, {
        session: { _links: {}, refresh_token: '', ...session, token: 'x.y.z' },
        onSession: (changed) => sessions.push(changed),
        fetch,
      })
      const profiles = await Promise.all([1, 2, 3, 4, 5].map(() => shop.profile()))
      assert.equal(new Set(profiles.map(({ id }) => id)).size, 1)
      assert.equal(sent.filter((line) => line.startsWith('POST /login')).length, 1)
      assert.deepEqual(sessions, [shop.session])
    })

    test('a wrong password is sent once, and leaves the guest signed in', async () => {
      const { session } = await guestShop()
      const { fetch, sent } = losingAnswers([])
      const shop = openShop(url, { ...(session && { session }), fetch })
      const login = { username: shopAdmin.username, password: 'wrong' }
      await assert.rejects(shop.login(login), { status: 401 })
      assert.equal(sent.length, 1)
      assert.equal((await shop.profile()).role, 'guest')
    })

    test('a session that cannot be renewed ends with the error of the call', async () => {
      const sessions: unknown[] = []
      const shop = openShop(url, {
        session: { token: 'x.y.z', refresh_token: 'unknown', _links: {} },
        onSession: (changed) => sessions.push(changed),
      })
      await assert.rejects(shop.profile(), { status: 401 })
      assert.deepEqual(sessions, [undefined])
    })

    test('iteration reads all pages, each entry once', async () => {
      const names = []
      const query = { limit: 2, facets: ['category'], q: 'kettle' }
      for await (const { name } of admin.products.list(query)) names.push(name)
      assert.deepEqual(
        names.sort(),
        [1, 2, 3, 4, 5].map((number) => `Kettle ${number}`),
      )
      const types = []
      for await (const { type } of admin.events.list({ type: ['product.*'], limit: 2 }))
        types.push(type)
      assert.ok(types.length >= 5, types.join())
    })

    test('a comma in the value of a filter separates nothing', async () => {
      const { data } = await admin.products.list({ category: ['tea, coffee'] })
      assert.equal(data.length, 2)
      const both = await admin.products.list({ category: ['tea, coffee', 'kitchen'] })
      assert.equal(both.data.length, 5)
    })

    test('a file is sent as it is, with its type', async () => {
      const file = new Blob(['{"name":"Sent as a file","price":1}'], { type: 'application/json' })
      const created = await admin.request<{ id: number }>({
        method: 'POST',
        path: '/products',
        body: file,
      })
      assert.equal((await admin.products.get(created.id)).name, 'Sent as a file')
    })

    test('credentials never leave the shop', async () => {
      for (const path of [
        'https://evil.example/',
        '//evil.example/',
        '/\\evil.example/',
        '@evil',
      ]) {
        await assert.rejects(admin.request({ method: 'GET', path }), TypeError)
      }
    })

    test('an aborted call rejects with the reason', async () => {
      const signal = AbortSignal.abort(new Error('not needed any more'))
      await assert.rejects(admin.products.list({}, { signal }), /not needed any more/)
      const stop = new AbortController()
      const busy = new Response('', { status: 503, headers: { 'retry-after': '50' } })
      const waiting = openShop(url, { fetch: answeringFirst([busy]) }).products.list(
        {},
        { signal: stop.signal },
      )
      stop.abort(new Error('not needed any more'))
      await assert.rejects(waiting, /not needed any more/)
    })

    test('a stream of events continues where it was when the server restarts', async () => {
      const stop = new AbortController()
      const first = await admin.products.create({ name: 'Before the restart', price: 1 })
      const events = admin.events.list({ subject: `/products/${first.id}` })
      const [begin] = (await events).data
      const names: unknown[] = []
      const reading = (async () => {
        const stream = admin.events.stream({
          type: ['product.created'],
          lastEventId: begin?.id ?? '',
          signal: stop.signal,
        })
        for await (const { data } of stream) {
          names.push(data && 'name' in data && data['name'])
          if (names.length === 2) stop.abort()
        }
      })()
      await admin.products.create({ name: 'While it streams', price: 1 })
      while (names.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
      await server.stop()
      server = deployment.start(port)
      await server.url
      await admin.products.create({ name: 'After the restart', price: 1 })
      await reading
      assert.deepEqual(names, ['While it streams', 'After the restart'])
    })

    test('a stream after an event that is no longer kept is rejected', async () => {
      const lastEventId = 'evt_00000000-0000-7000-8000-000000000000'
      const stream = admin.events.stream({ lastEventId })
      await assert.rejects(stream.next(), { status: 410, code: '4101' })
    })
  },
  ['sqlite', 'postgres'],
)
