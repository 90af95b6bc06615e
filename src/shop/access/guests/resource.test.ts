import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { scopesOfRole } from '#shop/scopes.ts'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller, testPassword } from '#test/support/app.ts'
import { startGuest, type TestGuest } from '#test/support/callers/guest.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { dayMs, minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  describe('guests', () => {
    let shop: PayingApp
    let admin: TestCaller
    before(async () => {
      shop = await startPayingApp(kind)
      admin = await shop.signInAs('admin')
    })
    after(async () => {
      await reconcile(shop.db)
      await shop.dispose()
    })

    const attempt = async (
      { request }: Pick<TestGuest, 'request'>,
      ...[method, path, body]: [string, string, object?]
    ) => {
      const { status, json } = await request(method, path, body)
      return `${status} ${json?.error_code ?? ''}`.trim()
    }
    const registration = (name: string) => ({
      name: 'Gina Lollo',
      username: name,
      password: testPassword,
    })

    test('are signed in at once, for as long as after a sign-in', async () => {
      const { status, headers, json } = await shop.request('POST', '/guests')
      assert.equal(status, 201)
      assert.equal(headers['location'], `/users/${json.user.id}`)
      assert.match(String(headers['cache-control']), /no-store/)
      const { user } = json
      assert.deepEqual(
        [user.name, user.email, user.role, user.status, json.token_type, json.expires_in],
        ['Guest', null, 'guest', 'active', 'Bearer', 900],
      )
      const claims = decodeJwt(json.token)
      assert.equal(claims['admin'], false)
      assert.equal(claims['scope'], scopesOfRole('guest').join(' '))
      const renewed = await shop.request('POST', '/login', { refresh_token: json.refresh_token })
      assert.equal(renewed.status, 200)
      const bearer = { authorization: `Bearer ${renewed.json.token}` }
      const profile = await shop.request('GET', '/profile', undefined, bearer)
      assert.deepEqual([profile.json.role, profile.json.id], ['guest', user.id])
      assert.equal(user._links.register.method, 'PATCH')
    })

    test('keep nothing under an Idempotency-Key', async () => {
      const key = { 'idempotency-key': 'the same' }
      const one = await shop.request('POST', '/guests', {}, key)
      const other = await shop.request('POST', '/guests', {}, key)
      assert.notEqual(one.json.user.id, other.json.user.id)
      const kept = await shop.db.selectFrom('idempotency_keys').select('name').execute()
      assert.equal(kept.length, 0)
    })

    test('buy, see their own purchase, and read all that is kept of them', async () => {
      const { id: product_id } = await shop.addProduct({ stock: 5 })
      const guest = await startGuest(shop, { name: 'Gina', email: 'gina@example.com' })
      assert.equal(await attempt(guest, 'POST', '/cart', { product_id, quantity: 2 }), '201')
      const body = { shipping: testShipping }
      const order = await guest.request('POST', `/users/${guest.id}/orders`, body)
      assert.equal(order.status, 201, order.text)
      assert.deepEqual(order.json.contact, { name: 'Gina', email: 'gina@example.com' })
      const paid = { method: 'card', token: 'tok_visa' }
      const path = `/users/${guest.id}/orders/${order.json.id}/payment`
      assert.equal(await attempt(guest, 'POST', path, paid), '201')
      const purchases = await guest.request('GET', '/purchases')
      assert.equal(purchases.json.data.length, 1)
      const found = await guest.request('GET', `/users/${guest.id}?include=data`)
      assert.equal(found.json.data.orders.length, 1)
      assert.equal(found.json.data.purchases.length, 1)
    })

    test('have what a buyer has, and neither reviews nor credentials', async () => {
      const { id } = await shop.addProduct()
      const guest = await startGuest(shop)
      const { id: other } = await shop.signInAs('customer')
      const { id: stranger } = await startGuest(shop)
      for (const [path, expected] of [
        ['GET /api-keys', '403 4033'],
        ['POST /api-keys', '403 4033'],
        ['GET /oauth-consents', '403 4033'],
        [`POST /products/${id}/reviews`, '403 4033'],
        ['GET /users', '403 4031'],
        [`GET /users/${other}`, '403 4031'],
        [`GET /users/${stranger}/cart`, '403 4031'],
        [`GET /users/${stranger}/addresses`, '403 4031'],
        [`GET /users/${guest.id}`, '200'],
        ['GET /orders', '200'],
        ['GET /sessions', '200'],
      ] as const) {
        const [method = '', url = ''] = path.split(' ')
        const body = method === 'POST' ? { name: 'Key', rating: 5 } : undefined
        assert.equal(await attempt(guest, method, url, body), expected, path)
      }
      const review = await guest.request('POST', `/products/${id}/reviews`, { rating: 5 })
      assert.match(review.json.suggestion, /^Register the guest first/)
      const { json: entry } = await guest.request('GET', '/')
      assert.equal(entry._links.api_keys, undefined)
      assert.equal(entry._links.start_as_guest, undefined)
    })

    test('are led from the profile to the registration, and from there to the login', async () => {
      const guest = await startGuest(shop)
      const { json: profile } = await guest.request('GET', '/profile')
      const { href, method } = profile._links.register
      const { status, json } = await guest.request(method, href, registration('gina-lollo'))
      assert.deepEqual([status, json.role], [200, 'customer'])
      const { login } = json._links
      const { json: session } = await shop.request(login.method, login.href, {
        username: 'gina-lollo',
        password: testPassword,
      })
      const bearer = { authorization: `Bearer ${session.token}` }
      const { json: registered } = await shop.request('GET', '/profile', undefined, bearer)
      assert.deepEqual([registered.id, registered._links.register], [guest.id, undefined])
      const other = await startGuest(shop)
      const body = registration('gina-lollo')
      const taken = await other.request('PATCH', `/users/${other.id}`, body)
      assert.deepEqual([taken.status, taken.json.error_code], [409, '4092'])
      assert.match(taken.json.suggestion, /guest_token/)
    })

    test('have a role that only a registration changes', async () => {
      const guest = await startGuest(shop)
      const path = `/users/${guest.id}`
      assert.equal(await attempt(guest, 'PATCH', path, { role: 'admin' }), '403 4031')
      assert.equal(await attempt(guest, 'PATCH', path, { role: 'customer' }), '403 4031')
      for (const role of ['admin', 'customer']) {
        assert.equal(await attempt(admin, 'PATCH', path, { role }), '422 4221')
      }
      const { id } = await shop.signUp()
      assert.equal(await attempt(admin, 'PATCH', `/users/${id}`, { role: 'guest' }), '422 4221')
      const body = { ...registration('made-guest'), role: 'guest' }
      assert.equal(await attempt(admin, 'POST', '/users', body), '422 4221')
      const { json } = await admin.request('GET', path)
      assert.equal(json._links.register, undefined)
      const { _links, ...shown } = json
      assert.equal(await attempt(guest, 'PUT', path, shown), '200')
      const listed = await admin.request('GET', '/users?role=guest&limit=100')
      assert.ok(listed.json.data.some((user: { id: number }) => user.id === guest.id))
      assert.ok(listed.json.data.every((user: { role: string }) => user.role === 'guest'))
    })

    test('may share an email until they register, and not before they have a name', async () => {
      const email = 'shared@example.com'
      const [one, other] = [await startGuest(shop, { email }), await startGuest(shop, { email })]
      const path = `/users/${one.id}`
      const missing = async (body: object) => {
        const { status, json } = await one.request('PATCH', path, body)
        return [status, ...(json.errors ?? []).map(({ field }: { field: string }) => field)]
      }
      assert.deepEqual(await missing({ username: 'gina-1' }), [400, 'name', 'password'])
      assert.deepEqual(await missing({ password: testPassword }), [400, 'name'])
      const nameless = await startGuest(shop)
      const body = { password: testPassword, name: 'No One' }
      assert.equal(await attempt(nameless, 'PATCH', `/users/${nameless.id}`, body), '400 4001')
      const registered = await one.request('PATCH', path, { password: testPassword, name: 'Gina' })
      assert.equal(registered.status, 200, registered.text)
      assert.deepEqual(
        [registered.json.id, registered.json.role, registered.json.username],
        [one.id, 'customer', email],
      )
      assert.equal(await attempt(other, 'PATCH', `/users/${other.id}`, body), '409 4092')
    })

    test('end their tokens by registering, and keep what they had', async () => {
      const { id: product_id } = await shop.addProduct()
      const guest = await startGuest(shop)
      await guest.request('POST', '/cart', { product_id, quantity: 3 })
      const path = `/users/${guest.id}`
      assert.equal(await attempt(guest, 'PATCH', path, registration('gina-ends')), '200')
      assert.equal(await attempt(guest, 'GET', '/profile'), '401 4012')
      const { refreshToken: refresh_token } = guest
      assert.equal(await attempt(shop, 'POST', '/login', { refresh_token }), '401 4012')
      const login = { username: 'gina-ends', password: testPassword }
      const again = { ...login, guest_token: guest.token }
      assert.equal(await attempt(shop, 'POST', '/login', again), '401 4012')
      const { json } = await shop.request('POST', '/login', login)
      const bearer = { authorization: `Bearer ${json.token}` }
      const cart = await shop.request('GET', '/cart', undefined, bearer)
      assert.deepEqual([cart.json.user_id, cart.json.item_count], [guest.id, 3])
      const basic = Buffer.from(`gina-ends:${testPassword}`).toString('base64')
      const profile = await shop.request('GET', '/profile', undefined, {
        authorization: `Basic ${basic}`,
      })
      assert.equal(profile.json.role, 'customer')
    })

    test('cannot sign in, neither by email nor by an empty password', async () => {
      await startGuest(shop, { email: 'nobody@example.com' })
      for (const password of [testPassword, '']) {
        const body = { username: 'nobody@example.com', password }
        assert.equal(await attempt(shop, 'POST', '/login', body), '401 4012')
      }
    })

    test('without an order are erased after 30 days', async () => {
      const { id: product_id } = await shop.addProduct()
      const [idle, buyer, remover] = [
        await startGuest(shop, { name: 'Idle' }),
        await startGuest(shop),
        await startGuest(shop),
      ]
      const items = [{ product_id, quantity: 1 }]
      await idle.request('POST', '/cart', items[0])
      const { json: bought } = await buyer.request('POST', '/orders', {
        items,
        shipping: testShipping,
      })
      const card = { method: 'card', token: 'tok_visa' }
      await buyer.request('POST', `/users/${buyer.id}/orders/${bought.id}/payment`, card)
      const { json: removed } = await remover.request('POST', '/orders', { items })
      await remover.request('DELETE', `/users/${remover.id}/orders/${removed.id}`)
      const startedAt = shop.now
      const statuses = async () => {
        await runJobs(shop.parts, shop.db)
        const users = [idle, buyer, remover].map(({ id }) => admin.request('GET', `/users/${id}`))
        return (await Promise.all(users)).map(({ status }) => status)
      }
      const adminAgain = async () => {
        const login = { username: admin.username, password: testPassword }
        const { json } = await shop.request('POST', '/login', login)
        const authorization = `Bearer ${json.token}`
        admin = {
          ...admin,
          request: (method, url, body) => shop.request(method, url, body, { authorization }),
        }
      }
      try {
        shop.now = startedAt + 30 * dayMs - 1
        await adminAgain()
        assert.deepEqual(await statuses(), [200, 200, 200])
        shop.now = startedAt + 30 * dayMs + minuteMs
        await adminAgain()
        assert.deepEqual(await statuses(), [410, 200, 410])
        const left = await shop.db
          .selectFrom('users')
          .select('id')
          .where('guest_until', '<=', shop.now)
          .execute()
        assert.deepEqual(left, [])
      } finally {
        shop.now = startedAt
        await adminAgain()
      }
    })

    test('registering with one name at once: one becomes the customer', async () => {
      const guests = await Promise.all(Array.from({ length: 8 }, () => startGuest(shop)))
      const body = registration('the-only-one')
      const statuses = await Promise.all(
        guests.map(async (guest) => attempt(guest, 'PATCH', `/users/${guest.id}`, body)),
      )
      assert.deepEqual(statuses.sort(), ['200', ...Array(7).fill('409 4092')])
    })
  })
})
