import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, testPassword } from '#test/support/app.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp(kind)
  })
  after(() => shop.dispose())

  describe('signing up', () => {
    test('anyone can create an account; the response has no password', async () => {
      const body = { name: 'Ada', email: 'Ada@Example.com', age: 36, password: testPassword }
      const { status, json, headers, text } = await shop.request('POST', '/users', body)
      assert.equal(status, 201)
      const { id, created_at, updated_at, _links, ...fields } = json
      assert.deepEqual(fields, {
        name: 'Ada',
        email: 'Ada@Example.com',
        age: 36,
        username: 'Ada@Example.com',
        role: 'customer',
        status: 'active',
        language: 'en',
        external_id: null,
        phone: null,
        email_verified: false,
      })
      assert.equal(headers['location'], `/users/${id}`)
      assert.equal(headers['cache-control'], 'no-store')
      assert.deepEqual(_links.login, { href: '/login', method: 'POST' })
      assert.doesNotMatch(text, /password|hash|key/)
    })

    test('the language is that of the browser unless the body names one, and can be changed', async () => {
      const accepted = { 'accept-language': 'fr-CA, en;q=0.5' }
      const signUp = (body: object) =>
        shop.request('POST', '/users', { name: 'Ada', ...body }, accepted)
      assert.equal((await signUp({})).json.language, 'fr')
      assert.equal((await signUp({ language: 'zh' })).json.language, 'zh')
      assert.equal((await signUp({ language: 'xx' })).status, 422)
      const { id, request } = await shop.signInAs('customer', { email: 'es@example.com' })
      const changed = await request('PATCH', `/users/${id}`, { language: 'es' })
      assert.equal(changed.json.language, 'es')
      const replaced = await request('PUT', `/users/${id}`, {
        ...changed.json,
        email_verified: true,
      })
      assert.deepEqual([replaced.json.language, replaced.json.email_verified], ['es', false])
    })

    test('a name is the only required field', async () => {
      const { status, json } = await shop.request('POST', '/users', { name: 'Nobody' })
      assert.equal(status, 201)
      assert.deepEqual([json.email, json.username, json.age], [null, null, null])
    })

    test('each invalid field is named in the errors', async () => {
      const cases = [
        [{}, 400, '4001', 'name'],
        [{ name: '' }, 400, '4001', 'name'],
        [{ name: 'x'.repeat(201) }, 422, '4221', 'name'],
        [{ name: 'A', email: 'nonsense' }, 422, '4221', 'email'],
        [{ name: 'A', age: -1 }, 422, '4221', 'age'],
        [{ name: 'A', age: 1.5 }, 422, '4221', 'age'],
        [{ name: 'A', age: 151 }, 422, '4221', 'age'],
        [{ name: 'A', username: 'a:b' }, 422, '4221', 'username'],
        [{ name: 'A', username: 'a', password: 'short' }, 422, '4221', 'password'],
        [{ name: 'A', username: 'a', password: 'x'.repeat(257) }, 422, '4221', 'password'],
        [{ name: 'A', password: testPassword }, 422, '4221', 'username'],
        [{ name: 'A', colour: 'red' }, 422, '4221', 'colour'],
      ] as const
      for (const [body, status, code, field] of cases) {
        const response = await shop.request('POST', '/users', body)
        assert.deepEqual([response.status, response.json.error_code], [status, code])
        assert.deepEqual(
          response.json.errors.map((issue: { field: string }) => issue.field),
          [field],
        )
      }
    })

    test('an email or username that is taken, ignoring case, is rejected with 409', async () => {
      await shop.signUp({ username: 'First', email: 'first@example.com' })
      const duplicates = [
        { username: 'fIRST' },
        { username: 'other', email: 'FIRST@example.com' },
        { email: 'First@Example.com' },
      ]
      for (const fields of duplicates) {
        const response = await shop.request('POST', '/users', { name: 'Second', ...fields })
        assert.deepEqual([response.status, response.json.error_code], [409, '4092'])
      }
    })

    test('of concurrent sign-ups with the same username, exactly one succeeds', async () => {
      const body = { name: 'Many', username: 'wanted', password: testPassword }
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => shop.request('POST', '/users', body)),
      )
      const statuses = responses.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [201, ...Array(7).fill(409)])
    })

    test('a role or status from anyone but an administrator is rejected with 403 before other errors', async () => {
      const customer = await shop.signInAs('customer')
      const bodies = [
        { name: 'A', role: 'customer' },
        { name: 'A', status: 'active' },
        { role: 'no such role' },
      ]
      for (const { request } of [shop, customer]) {
        for (const body of bodies) {
          const { status, json } = await request('POST', '/users', body)
          assert.deepEqual([status, json.error_code], [403, '4031'])
        }
      }
      const admin = await shop.signInAs('admin')
      const created = await admin.request('POST', '/users', { name: 'A', role: 'admin' })
      assert.deepEqual([created.status, created.json.role], [201, 'admin'])
      assert.equal((await admin.request('POST', '/users', { role: 'boss' })).status, 400)
    })
  })

  describe('reading', () => {
    test('only the user and administrators read an account; others get 403 even when it does not exist', async () => {
      const { id, request } = await shop.signInAs('customer')
      const admin = await shop.signInAs('admin')
      const other = await shop.signInAs('customer')
      assert.equal((await request('GET', `/users/${id}`)).json.id, id)
      assert.equal((await admin.request('GET', `/users/${id}`)).json.id, id)
      assert.equal((await shop.request('GET', `/users/${id}`)).status, 401)
      for (const path of [`/users/${id}`, '/users/999999', '/users/none', '/users']) {
        assert.equal((await other.request('GET', path)).status, 403)
      }
      assert.equal((await admin.request('GET', '/users/999999')).status, 404)
      assert.equal((await admin.request('GET', '/users/none')).status, 404)
    })

    test('a user has the links that the caller may follow', async () => {
      const { id, request } = await shop.signInAs('customer')
      const { json } = await request('GET', `/users/${id}`)
      assert.deepEqual(json._links, {
        self: { href: `/users/${id}` },
        orders: { href: `/users/${id}/orders` },
        cart: { href: `/users/${id}/cart` },
        addresses: { href: `/users/${id}/addresses` },
        api_keys: { href: `/api-keys?user_id=${id}` },
        edit: { href: `/users/${id}`, method: 'PUT' },
        delete: { href: `/users/${id}`, method: 'DELETE' },
        erasure: { href: '/user/delete', method: 'POST' },
      })
    })

    test('administrators can filter and sort the users', async () => {
      const admin = await shop.signInAs('admin')
      for (const age of [50, 40]) {
        await shop.signUp({ name: 'Twin', email: `twin${age}@example.com`, age })
      }
      const findEmails = async (query: string): Promise<unknown[]> => {
        const { status, json } = await admin.request('GET', `/users?${query}`)
        assert.equal(status, 200, query)
        return json.data.map(({ email }: { email: string | null }) => email)
      }
      const both = ['twin50@example.com', 'twin40@example.com']
      assert.deepEqual(await findEmails('name=Twin'), both)
      assert.deepEqual(await findEmails('name=Twin&sort=age'), both.toReversed())
      assert.deepEqual(await findEmails('name=Twin&sort=email&order=desc'), both)
      assert.deepEqual(await findEmails('email=TWIN50@example.com'), ['twin50@example.com'])
      assert.deepEqual(await findEmails('name=Twin&age=40'), ['twin40@example.com'])
      assert.deepEqual(await findEmails('name=Twin&role=admin'), [])
      assert.deepEqual(await findEmails('name=Twin&status=active&limit=1'), ['twin50@example.com'])
      assert.deepEqual(await findEmails('name=Twin&status=suspended'), [])
      for (const query of ['sort=password', 'role=boss', 'age=old', 'username=x']) {
        assert.equal((await admin.request('GET', `/users?${query}`)).json.error_code, '4003')
      }
    })

    test('the number of statements of each operation is constant', async () => {
      const admin = await shop.signInAs('admin')
      const { id } = await shop.signUp()
      // PostgreSQL locks the caller of a change of an account.
      const lock = kind === 'postgres' ? 1 : 0
      const count = async (method: string, path: string, body?: unknown): Promise<number> => {
        shop.takeCount()
        const { status, text } = await admin.request(method, path, body)
        assert.ok(status < 300, text)
        return shop.takeCount()
      }
      assert.equal(await count('GET', `/users/${id}`), 2)
      assert.equal(await count('GET', '/users'), 3)
      assert.equal(await count('POST', '/users', { name: 'A', email: 'few@example.com' }), 7 + lock)
      assert.equal(await count('PATCH', `/users/${id}`, { age: 3 }), 5 + lock)
      assert.equal(await count('PATCH', `/users/${id}`, { email: 'f@example.com' }), 12 + lock)
      assert.equal(
        await count('PUT', `/users/${id}`, { name: 'B', password: testPassword }),
        20 + lock,
      )
      // On PostgreSQL the two events are one statement.
      assert.equal(await count('DELETE', `/users/${id}`), 47 + lock)
    })
  })

  describe('changing', () => {
    test('PUT resets absent fields and accepts a body read with GET', async () => {
      const { id, username, request } = await shop.signInAs('customer', { age: 9 })
      const replaced = await request('PUT', `/users/${id}`, { name: 'New name' })
      assert.equal(replaced.status, 200)
      assert.deepEqual([replaced.json.age, replaced.json.username], [null, username])
      const again = await request('PUT', `/users/${id}`, replaced.json)
      assert.equal(again.status, 200)
      const login = await shop.request('POST', '/login', { username, password: testPassword })
      assert.equal(login.status, 200)
    })

    test('PATCH changes only the fields that are sent', async () => {
      const { id, request } = await shop.signInAs('customer', { age: 9 })
      const { json } = await request('PATCH', `/users/${id}`, { email: 'patched@example.com' })
      assert.deepEqual([json.email, json.age], ['patched@example.com', 9])
    })

    test('PUT and PATCH reject an email or username of another user', async () => {
      await shop.signUp({ username: 'taken', email: 'taken@example.com' })
      const { id, request } = await shop.signInAs('customer')
      const conflicts = [
        ['PATCH', { email: 'TAKEN@example.com' }],
        ['PATCH', { username: 'Taken', current_password: testPassword }],
        ['PUT', { name: 'A', email: 'taken@example.com' }],
      ] as const
      for (const [method, body] of conflicts) {
        assert.equal((await request(method, `/users/${id}`, body)).json.error_code, '4092')
      }
    })

    test('only administrators change role and status', async () => {
      const { id, request } = await shop.signInAs('customer')
      const same = { role: 'customer', status: 'active' }
      assert.equal((await request('PATCH', `/users/${id}`, same)).status, 200)
      for (const body of [{ role: 'admin' }, { status: 'suspended' }]) {
        const patched = await request('PATCH', `/users/${id}`, body)
        assert.deepEqual([patched.status, patched.json.error_code], [403, '4031'])
        const replaced = await request('PUT', `/users/${id}`, { name: 'A', ...body })
        assert.equal(replaced.status, 403)
      }
      const admin = await shop.signInAs('admin')
      const promoted = await admin.request('PATCH', `/users/${id}`, { role: 'admin' })
      assert.equal(promoted.json.role, 'admin')
    })

    test('another user and an anonymous caller cannot change or remove a user', async () => {
      const { id } = await shop.signUp()
      const other = await shop.signInAs('customer')
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : { name: 'Mine' }
        assert.equal((await other.request(method, `/users/${id}`, body)).status, 403)
        assert.equal((await shop.request(method, `/users/${id}`, body)).status, 401)
      }
    })

    test('a change with an outdated If-Match is rejected with 412', async () => {
      const { id, request } = await shop.signInAs('customer')
      const { headers } = await request('GET', `/users/${id}`)
      const ifMatch = { 'if-match': headers['etag'] ?? '' }
      assert.equal((await request('PATCH', `/users/${id}`, { age: 1 }, ifMatch)).status, 200)
      const stale = await request(
        'PATCH',
        `/users/${id}`,
        { password: 'new password', current_password: testPassword },
        ifMatch,
      )
      assert.equal(stale.status, 412)
    })

    test('concurrent changes of different fields are all applied', async () => {
      const { id, request } = await shop.signInAs('customer')
      const bodies = [{ age: 7 }, { email: 'together@example.com' }, { name: 'Together' }]
      const responses = await Promise.all(
        bodies.map((body) => request('PATCH', `/users/${id}`, body)),
      )
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 200],
      )
      const { age, email, name } = (await request('GET', `/users/${id}`)).json
      assert.deepEqual([age, email, name], [7, 'together@example.com', 'Together'])
    })

    test('a new password replaces the old one and ends the sessions started with it', async () => {
      const { id, username, request } = await shop.signInAs('customer')
      const login = (password: string) => shop.request('POST', '/login', { username, password })
      const { refresh_token } = (await login(testPassword)).json
      const body = { password: 'another password', current_password: testPassword }
      await request('PATCH', `/users/${id}`, body)
      assert.equal((await login(testPassword)).status, 401)
      assert.equal((await login('another password')).status, 200)
      const renewed = await shop.request('POST', '/login', { refresh_token })
      assert.equal(renewed.json.error_code, '4012')
    })
  })

  describe('removing', () => {
    test('another administrator is removed after a full sign-in only', async () => {
      const admin = await shop.signInAs('admin')
      const other = await shop.signInAs('admin')
      const customer = await shop.signInAs('customer')
      const { json } = await admin.request('POST', '/api-keys', { name: 'Eraser' })
      const headers = { authorization: `Api-Key ${json.key}` }
      const byKey = (method: string, { id }: { readonly id: number }) =>
        shop.request(method, `/users/${id}`, undefined, headers)
      const rejected = await byKey('DELETE', other)
      assert.deepEqual([rejected.status, rejected.json.error_code], [403, '4033'])
      assert.equal((await byKey('GET', other)).json._links.delete, undefined)
      assert.ok((await byKey('GET', customer)).json._links.delete)
      assert.ok((await byKey('GET', admin)).json._links.delete)
      assert.equal((await byKey('DELETE', customer)).status, 202)
      const shown = await admin.request('GET', `/users/${other.id}`)
      assert.ok(shown.json._links.delete)
      assert.equal((await admin.request('DELETE', `/users/${other.id}`)).status, 204)
      assert.equal((await byKey('DELETE', other)).status, 204)
    })

    test('a removed user answers 410, and 204 to another DELETE', async () => {
      const { id, request } = await shop.signInAs('customer')
      const admin = await shop.signInAs('admin')
      assert.equal((await request('DELETE', `/users/${id}`)).status, 204)
      assert.equal((await admin.request('GET', `/users/${id}`)).status, 410)
      assert.equal((await admin.request('PATCH', `/users/${id}`, { age: 1 })).status, 410)
      assert.equal((await admin.request('DELETE', `/users/${id}`)).status, 204)
      assert.equal((await admin.request('GET', `/users/${id}/cart`)).status, 410)
      assert.equal((await admin.request('DELETE', '/users/999999')).status, 404)
    })

    test('a removed user cannot sign in, and the username is free again', async () => {
      const { id, username, request, refreshToken } = await shop.signInAs('customer')
      await request('DELETE', `/users/${id}`)
      const credentials = [{ username, password: testPassword }, { refresh_token: refreshToken }]
      for (const body of credentials) {
        assert.equal((await shop.request('POST', '/login', body)).json.error_code, '4012')
      }
      const nextUser = await shop.signUp({ username })
      assert.ok(nextUser.id > id)
    })

    test('a removed user leaves no personal data; orders stay for administrators', async () => {
      const admin = await shop.signInAs('admin')
      const { id, request } = await shop.signInAs('customer', { name: 'Vanishing', age: 30 })
      const product = { name: 'Kettle', price: 10 }
      const { json: kettle } = await admin.request('POST', '/products', product)
      const line = { product_id: kettle.id, quantity: 1 }
      const address = { line1: '1 Vanishing Lane', city: 'Town', postal_code: '1', country: 'GB' }
      const placed = await request('POST', `/users/${id}/orders`, {
        items: [line],
        note: 'Vanishing note',
        shipping: { recipient: 'Vanishing', address },
      })
      assert.equal(placed.status, 201, placed.text)
      assert.equal((await request('POST', `/users/${id}/cart/items`, line)).status, 201)
      await insertPurchaseAndReview(shop, id, kettle.id, placed.json.id)
      assert.equal((await request('DELETE', `/users/${id}`)).status, 204)

      const { json: order } = await admin.request(
        'GET',
        `/orders/${placed.json.id}?include=details`,
      )
      assert.deepEqual([order.user_id, order.note, order.total > 0], [null, null, true])
      const { json: orders } = await admin.request('GET', '/orders?limit=100')
      assert.ok(orders.data.some((each: { id: number }) => each.id === order.id))
      const tables = ['users', 'carts', 'cart_items', 'orders', 'purchases', 'reviews'] as const
      for (const table of [...tables, 'refresh_tokens'] as const) {
        const rows: object[] = await shop.db.selectFrom(table).selectAll().execute()
        assert.doesNotMatch(JSON.stringify(rows), /Vanishing/, table)
        const owners = rows.map((row) => (row as { user_id?: number }).user_id)
        assert.ok(!owners.includes(id), table)
      }
    })
  })
})

/** Inserts a purchase and a review of the user. */
async function insertPurchaseAndReview(
  { db }: TestApp,
  user_id: number,
  product_id: number,
  order_id: number,
): Promise<void> {
  const item = await db
    .selectFrom('order_items')
    .select('id')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  const purchase = { user_id, product_id, order_id, order_item_id: item.id, quantity: 1 }
  await db
    .insertInto('purchases')
    .values({ ...purchase, unit_price: 1000, purchased_at: 1 })
    .execute()
  await db
    .insertInto('reviews')
    .values({ product_id, user_id, author: 'Vanishing', rating: 5, created_at: 1, updated_at: 1 })
    .execute()
}
