import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { publishEvents } from '#shop/events/feed-store.ts'
import { orderPersonalData } from '#shop/orders/orders/personal-data.ts'
import { personalDataDeclarations } from '#src/server/personal-data.ts'
import type { Db } from '#store/database.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testPassword,
} from '#test/support/app.ts'
import { insertGrant } from '#test/support/oauth-grants.ts'
import { insertOrder, insertProduct, rowTimestamp } from '#test/support/rows.ts'

/** The tables with a user ID that are not exported, and why. */
const notExported: Readonly<Record<string, string>> = {
  discount_uses: 'the orders show their discounts',
  users: 'the representation of the user itself',
  user_words: 'words of that representation',
  idempotency_keys: 'copies of responses that the user has received, stored for a day',
  order_counts: 'counts of exported orders',
  guest_order_joins: 'an exported address, and orders that are still those of a guest',
  webhooks: "what administrators have set up is the shop's",
}

const userColumn = /^(user|actor|subject|author|owner|account|caller)_id$/
const secretColumn = /hash|secret|sealed|payload|fingerprint|answer|family|idempotency_key|nonce/

const tablesOf = ({ db }: TestApp) => db.introspection.getTables()

/** Reads all values of the columns that hold secrets. */
async function readSecrets(shop: TestApp): Promise<readonly string[]> {
  const found: string[] = []
  for (const { name, columns } of await tablesOf(shop)) {
    const hidden = columns.filter((column) => secretColumn.test(column.name))
    if (hidden.length === 0) continue
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      shop.db,
    )
    found.push(
      ...rows.flatMap((row) =>
        hidden.flatMap(({ name: column }) => {
          const value = row[column]
          return typeof value === 'string' && value.length >= 8 ? [value] : []
        }),
      ),
    )
  }
  return found
}

/** Returns the property names of a value, nested ones included. */
const propertyNames = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => [name, ...propertyNames(member)])

const setClientUser = ({ db }: TestApp, clientId: number, user_id: number) =>
  db.updateTable('oauth_clients').set({ user_id }).where('id', '=', clientId).execute()

/** Creates a customer with personal data in every exported list. */
async function makeCustomer(shop: TestApp, admin: TestCaller) {
  const customer = await shop.signInAs('customer', { name: 'Zebulon Quackenbush' })
  const { id, request } = customer
  const product = await insertProduct(shop.db)
  const times = { created_at: rowTimestamp, updated_at: rowTimestamp }
  const order_id = await insertOrder(shop.db, id, [product])
  const line = { user_id: id, product_id: product.id, quantity: 1, unit_price: 1999 }
  const item = await shop.db
    .selectFrom('order_items')
    .select('id')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  const purchase = { ...line, order_id, order_item_id: item.id, purchased_at: rowTimestamp }
  await shop.db.insertInto('purchases').values(purchase).execute()
  const payment = {
    order_id,
    idempotency_key: 'a secret attempt key',
    method: 'card',
    amount: 1999,
    currency: 'USD',
    status: 'succeeded',
    provider: 'sandbox',
    provider_reference: 'ch_1',
    failure: null,
    due_at: null,
    ...times,
  } as const
  await shop.db.insertInto('payments').values(payment).execute()
  const review = { product_id: product.id, user_id: id, author: 'Zebulon', rating: 4, ...times }
  await shop.db.insertInto('reviews').values(review).execute()
  assert.equal(
    (await request('POST', '/cart', { product_id: product.id, quantity: 2 })).status,
    201,
  )
  const address = { recipient: 'Z', line1: 'Q', city: 'W', postal_code: '1', country: 'GB' }
  assert.equal((await request('POST', `/users/${id}/addresses`, address)).status, 201)
  const key = await request('POST', '/api-keys', { name: 'Scanner' })
  assert.equal(key.status, 201, key.text)
  const client = { client_name: 'Tracker', grant_types: ['client_credentials'], user_id: null }
  const registered = await admin.request('POST', '/oauth-clients', client)
  assert.equal(registered.status, 201, registered.text)
  // A client can no longer be registered for another user, but older rows may exist.
  await setClientUser(shop, registered.json.id, id)
  await insertGrant(shop, id, registered.json.client_id, 'openid orders:read')
  const erasure = { password: testPassword, reason: 'Enough' }
  assert.equal((await request('POST', '/user/delete', erasure)).status, 202)
  const due = { mail_key: 'order mail', kind: 'order_shipped', order_id } as const
  const mail = { ...due, user_id: id, due_at: 1, created_at: 1 }
  await shop.db.insertInto('mails').values(mail).execute()
  const operation = { kind: 'import', resource: 'stock', media_type: 'text/csv' } as const
  await shop.db
    .insertInto('operations')
    .values({
      ...operation,
      ...times,
      status: 'queued',
      dry_run: 0,
      credential: '{}',
      user_id: id,
    })
    .execute()
  await shop.knownNetworks.record(shop.db, shop.now)
  await publishEvents(shop.db)
  await insertDelivery(shop.db, id)
  const secrets = [key.json.key, registered.json.client_secret, customer.token]
  return { ...customer, secrets: [...secrets, customer.refreshToken] as string[] }
}

/** Inserts a delivery of an event about the user. */
async function insertDelivery(db: Db, userId: number): Promise<void> {
  const times = { created_at: rowTimestamp, updated_at: rowTimestamp }
  const webhook = { url: 'https://hooks.example/', types: '["*"]', active: 1, events_after: 0 }
  const { id: webhook_id } = await db
    .insertInto('webhooks')
    .values({ ...webhook, secret: 'an encrypted secret', ...times })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { sequence: event_sequence } = await db
    .selectFrom('events')
    .select('sequence')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirstOrThrow()
  const delivery = { webhook_id, event_sequence, event_time: rowTimestamp, ...times }
  await db
    .insertInto('webhook_deliveries')
    .values({ ...delivery, status: 'delivered' })
    .execute()
}

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  let customer: Awaited<ReturnType<typeof makeCustomer>>
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
    customer = await makeCustomer(shop, admin)
  })
  after(() => shop.dispose())
  const path = () => `/users/${customer.id}?include=data`

  test('every table with a user ID is exported, or listed with the reason why not', async () => {
    const exported = new Set<string>(
      personalDataDeclarations.flatMap(({ tables, dataExport }) => (dataExport ? tables : [])),
    )
    const userTables = (await tablesOf(shop)).filter(
      ({ name, columns }) => name === 'users' || columns.some((each) => userColumn.test(each.name)),
    )
    assert.ok(userTables.length > 8, 'the database schema was read')
    const missing = userTables
      .map(({ name }) => name)
      .filter((name) => !exported.has(name) && notExported[name] === undefined)
    assert.deepEqual(missing, [], 'declare an export in its personal-data.ts')
  })

  test('an export has entries in every list when every table has data of the user', async () => {
    const { status, json, text } = await customer.request('GET', path())
    assert.equal(status, 200, text)
    assert.equal(json.name, 'Zebulon Quackenbush')
    const { incomplete, ...lists } = json.data
    assert.deepEqual(incomplete, [])
    assert.deepEqual(
      Object.keys(lists),
      personalDataDeclarations.flatMap(({ name, dataExport }) => (dataExport ? [name] : [])),
    )
    for (const [name, list] of Object.entries(lists)) {
      assert.ok((list as unknown[]).length > 0, `${name} is empty`)
    }
    const [order] = lists.orders
    assert.deepEqual([order.total, order.items[0].unit_price], [19.99, 19.99])
    assert.deepEqual([order.payments[0].amount, order.shipping.method], [19.99, 'pickup'])
    assert.equal(order.created_at, new Date(rowTimestamp).toISOString())
    assert.deepEqual([lists.carts[0].subtotal, lists.carts[0].items[0].quantity], [39.98, 2])
    assert.equal(lists.erasures[0].reason, 'Enough')
  })

  test('the export is the same in the profile, for an administrator and in version 2', async () => {
    const own = await customer.request('GET', path())
    assert.deepEqual(
      (await customer.request('GET', '/profile?include=data')).json.data,
      own.json.data,
    )
    assert.deepEqual((await admin.request('GET', path())).json.data, own.json.data)
    const second = await customer.request('GET', `/v2${path()}`)
    const { total } = second.json.data.orders[0]
    assert.deepEqual(total, { amount: '19.99', currency: 'USD' })
    assert.equal(second.json.data.reviews[0].rating, 4)
  })

  test('an export by another user is an audit event, which the export of the user contains', async () => {
    const { id, request } = await shop.signInAs('customer')
    const events = () => admin.request('GET', `/audit-events?action=data_exported&subject_id=${id}`)
    for (const url of [`/users/${id}?include=data`, '/profile?include=data', `/users/${id}`]) {
      assert.equal((await request('GET', url)).status, 200)
    }
    assert.equal((await admin.request('GET', `/users/${id}`)).status, 200)
    assert.equal((await events()).json.data.length, 0)
    assert.equal((await admin.request('GET', `/users/${id}?include=data`)).status, 200)
    const { data } = (await events()).json
    assert.deepEqual(
      data.map(({ actor_id, credential }: Record<string, unknown>) => [actor_id, credential]),
      [[admin.id, 'bearer']],
    )
    const own = (await request('GET', '/profile?include=data')).json.data.audit_events
    assert.deepEqual([own[0].action, own[0].actor_id], ['data_exported', null])
  })

  test('an export contains no secrets', async () => {
    const hidden = [...(await readSecrets(shop)), ...customer.secrets, testPassword]
    assert.ok(hidden.length > 10, `only ${hidden.length} secrets found`)
    const { text, json } = await customer.request('GET', path())
    for (const secret of hidden) assert.ok(!text.includes(secret), secret)
    const names = propertyNames(json).filter((name) => name !== 'token_endpoint_auth_method')
    assert.deepEqual(
      names.filter((name) => /hash|digest|secret|token|password/.test(name)),
      [],
    )
  })

  test('an export is not cacheable and has no validators', async () => {
    const { headers } = await customer.request('GET', path())
    assert.equal(headers['cache-control'], 'no-store')
    assert.deepEqual([headers['etag'], headers['last-modified']], [undefined, undefined])
    const { etag = '' } = (await customer.request('GET', `/users/${customer.id}`)).headers
    for (const known of [
      { 'if-none-match': '*' },
      { 'if-none-match': etag },
      { 'if-modified-since': new Date(shop.now + 60_000).toUTCString() },
    ]) {
      assert.equal((await customer.request('GET', path(), undefined, known)).status, 200)
    }
  })

  test('an export requires the user or an administrator, and every scope of its data', async () => {
    const other = await shop.signInAs('customer')
    assert.equal((await other.request('GET', path())).status, 403)
    assert.equal((await shop.request('GET', path())).status, 401)
    assert.equal((await admin.request('GET', '/users?include=data')).json.error_code, '4003')
    const scopes = ['users:read', 'orders:read', 'carts:write', 'purchases:read', 'keys:write']
    const exportWith = async (granted: readonly string[]) => {
      const made = await customer.request('POST', '/api-keys', { name: 'A', scopes: granted })
      const headers = { authorization: `Api-Key ${made.json.key}` }
      const { status, json } = await shop.request('GET', path(), undefined, headers)
      return [status, json.error_code]
    }
    assert.deepEqual(await exportWith(scopes), [200, undefined])
    for (const missing of scopes) {
      assert.deepEqual(await exportWith(scopes.filter((scope) => scope !== missing)), [403, '4033'])
    }
  })

  test('events by others are exported without their IDs and addresses', async () => {
    const { id, request } = await shop.signInAs('customer')
    const changed = await admin.request('PATCH', `/users/${id}`, { role: 'admin' })
    assert.equal(changed.status, 200, changed.text)
    const again = await shop.request('POST', '/login', {
      username: changed.json.username,
      password: testPassword,
    })
    const headers = { authorization: `Bearer ${again.json.token}` }
    const read = await shop.request('GET', `/users/${id}?include=data`, undefined, headers)
    const event = read.json.data.audit_events.find(
      ({ action }: { action: string }) => action === 'role_changed',
    )
    assert.deepEqual(
      [event.actor_id, event.address, event.request_id, event.details],
      [null, null, null, { from: 'customer', to: 'admin' }],
    )
    assert.equal((await request('GET', '/profile')).status, 401)
  })

  test('the number of statements of an export is constant and below 25', async () => {
    const newUser = await shop.signInAs('customer')
    const count = async (path: string): Promise<number> => {
      shop.takeCount()
      assert.equal((await admin.request('GET', path)).status, 200)
      return shop.takeCount()
    }
    const few = await count(`/users/${newUser.id}?include=data`)
    assert.equal(await count(path()), few)
    assert.ok(few < 25, `${few} statements`)
  })

  test('a list of more than 2000 entries is cut to the newest and named in `incomplete`', async () => {
    const { id, request } = await shop.signInAs('customer')
    const rows = Array.from({ length: 2_001 }, (_, index) => ({
      action: 'signed_in' as const,
      actor_id: id,
      subject_id: id,
      address: null,
      credential: null,
      request_id: `request ${index}`,
      details: null,
      at: rowTimestamp,
    }))
    for (let start = 0; start < rows.length; start += 500) {
      await shop.db
        .insertInto('audit_events')
        .values(rows.slice(start, start + 500))
        .execute()
    }
    const { json } = await request('GET', `/users/${id}?include=data`)
    assert.deepEqual(json.data.incomplete, ['audit_events'])
    assert.equal(json.data.audit_events.length, 2_000)
    assert.equal(json.data.audit_events[0].request_id, 'request 2000')
  })

  test('a list of more than 1 MB is cut to the newest and named in `incomplete`', async () => {
    const { id, request } = await shop.signInAs('customer')
    const body = '界'.repeat(10_000)
    const times = { created_at: rowTimestamp, updated_at: rowTimestamp }
    for (let count = 0; count < 40; count += 1) {
      const { id: product_id } = await insertProduct(shop.db)
      const review = { product_id, user_id: id, author: null, rating: 4, body, ...times }
      await shop.db.insertInto('reviews').values(review).execute()
    }
    const { json } = await request('GET', `/users/${id}?include=data`)
    assert.deepEqual(json.data.incomplete, ['reviews'])
    // Each has 30 kB and some bytes more.
    assert.equal(json.data.reviews.length, 33)
    assert.ok(json.data.reviews[0].id > json.data.reviews[32].id)
  })

  test('an order is exported with all of its items or left out', async () => {
    const { id } = await shop.signInAs('customer')
    const products = []
    for (let index = 0; index < 8; index += 1) products.push(await insertProduct(shop.db))
    for (let index = 0; index < 3; index += 1) await insertOrder(shop.db, id, products)
    const exportOrders = async (limit: number) => {
      const { entries = [], isComplete } =
        (await orderPersonalData.dataExport?.read(shop.db, id, limit)) ?? {}
      return [entries.map((order) => (order as { items: unknown[] }).items.length), isComplete]
    }
    assert.deepEqual(await exportOrders(5), [[8, 8, 8], true])
    assert.deepEqual(await exportOrders(2), [[8], false])
    assert.deepEqual(await exportOrders(3), [[8], false])
  })
})
