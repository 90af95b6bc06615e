import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { orderPersonalData } from '#resources/orders/personal-data.ts'
import { personalDataDeclarations } from '#src/server/personal-data.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testPassword,
} from '#test/support/app.ts'
import { giveGrant } from '#test/support/oauth-grants.ts'
import { insertOrder, insertProduct, longAgo } from '#test/support/rows.ts'

/** What refers to a user and is not told, and why. */
const untold: Readonly<Record<string, string>> = {
  users: 'the account itself is what the data is told with',
  idempotency_keys: 'copies, kept for a day, of answers that somebody has been given',
  order_counts: 'how many orders there are, which are told',
}

const pointsAtUser = /^(user|actor|subject|author|owner|account|caller)_id$/
const isSecret = /hash|secret|sealed|payload|fingerprint|answer|family|attempt_key|nonce/

const tablesOf = ({ db }: TestApp) => db.introspection.getTables()

/** Whatever the database keeps that nobody is told. */
async function secretsIn(shop: TestApp): Promise<readonly string[]> {
  const found: string[] = []
  for (const { name, columns } of await tablesOf(shop)) {
    const hidden = columns.filter((column) => isSecret.test(column.name))
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

/** The names of all members of a value. */
const namesIn = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)])

const actAs = ({ db }: TestApp, clientId: number, user_id: number) =>
  db.updateTable('oauth_clients').set({ user_id }).where('id', '=', clientId).execute()

/** Somebody of whom there is something in every place. */
async function makeCustomer(shop: TestApp, admin: TestCaller) {
  const customer = await shop.signInAs('customer', { name: 'Zebulon Quackenbush' })
  const { id, request } = customer
  const product = await insertProduct(shop.db)
  const times = { created_at: longAgo, updated_at: longAgo }
  const order_id = await insertOrder(shop.db, id, [product])
  const line = { user_id: id, product_id: product.id, quantity: 1, unit_price_minor: 1999 }
  const item = await shop.db
    .selectFrom('order_items')
    .select('id')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  const bought = { ...line, order_id, order_item_id: item.id, purchased_at: longAgo }
  await shop.db.insertInto('purchases').values(bought).execute()
  const payment = {
    order_id,
    attempt_key: 'an attempt that nobody is told of',
    method: 'card',
    amount_minor: 1999,
    currency: 'USD',
    status: 'succeeded',
    provider: 'sandbox',
    provider_reference: 'ch_1',
    failure: null,
    refund_requested_at: null,
    settle_after: null,
    ...times,
  } as const
  await shop.db.insertInto('payments').values(payment).execute()
  const review = { product_id: product.id, user_id: id, author: 'Zebulon', rating: 4, ...times }
  await shop.db.insertInto('reviews').values(review).execute()
  assert.equal(
    (await request('POST', '/cart', { product_id: product.id, quantity: 2 })).status,
    201,
  )
  const key = await request('POST', '/api-keys', { name: 'Scanner' })
  assert.equal(key.status, 201, key.text)
  const client = { client_name: 'Tracker', grant_types: ['client_credentials'], user_id: null }
  const registered = await admin.request('POST', '/oauth-clients', client)
  assert.equal(registered.status, 201, registered.text)
  // As it was possible before clients were bound to whoever registers them.
  await actAs(shop, registered.json.id, id)
  await giveGrant(shop, id, registered.json.client_id, 'openid orders:read')
  const leaving = { password: testPassword, reason: 'Enough' }
  assert.equal((await request('POST', '/user/delete', leaving)).status, 202)
  await shop.knownNetworks.record(shop.db, shop.now)
  const secrets = [key.json.key, registered.json.client_secret, customer.token]
  return { ...customer, secrets: [...secrets, customer.refreshToken] as string[] }
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
  const place = () => `/users/${customer.id}?include=data`

  test('whatever table refers to users, it is told to them or said why it is not', async () => {
    const told = new Set<string>(
      personalDataDeclarations.flatMap(({ tables, exportData }) => (exportData ? tables : [])),
    )
    const about = (await tablesOf(shop)).filter(
      ({ name, columns }) =>
        name === 'users' || columns.some((each) => pointsAtUser.test(each.name)),
    )
    assert.ok(about.length > 8, 'the schema has been read')
    const silent = about
      .map(({ name }) => name)
      .filter((name) => !told.has(name) && untold[name] === undefined)
    assert.deepEqual(silent, [], 'let its Holding tell it')
  })

  test('an export has something in every list of somebody who has left traces everywhere', async () => {
    const { status, json, text } = await customer.request('GET', place())
    assert.equal(status, 200, text)
    assert.equal(json.name, 'Zebulon Quackenbush')
    const { incomplete, ...lists } = json.data
    assert.deepEqual(incomplete, [])
    assert.deepEqual(
      Object.keys(lists),
      personalDataDeclarations.flatMap(({ name, exportData }) => (exportData ? [name] : [])),
    )
    for (const [name, list] of Object.entries(lists)) {
      assert.ok((list as unknown[]).length > 0, `nothing in ${name}`)
    }
    const [order] = lists.orders
    assert.deepEqual([order.total, order.items[0].unit_price], [19.99, 19.99])
    assert.deepEqual([order.payments[0].amount, order.shipping.method], [19.99, 'pickup'])
    assert.equal(order.created_at, new Date(longAgo).toISOString())
    assert.deepEqual([lists.carts[0].subtotal, lists.carts[0].items[0].quantity], [39.98, 2])
    assert.equal(lists.erasures[0].reason, 'Enough')
  })

  test('the profile, an administrator and version 2 tell the same', async () => {
    const own = await customer.request('GET', place())
    assert.deepEqual(
      (await customer.request('GET', '/profile?include=data')).json.data,
      own.json.data,
    )
    assert.deepEqual((await admin.request('GET', place())).json.data, own.json.data)
    const second = await customer.request('GET', `/v2${place()}`)
    const { total } = second.json.data.orders[0]
    assert.deepEqual(total, { amount: '19.99', currency: 'USD' })
    assert.equal(second.json.data.reviews[0].rating, 4)
  })

  test('that somebody else was told is written down, and that is told to the user', async () => {
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

  test('no secret is in an export', async () => {
    const hidden = [...(await secretsIn(shop)), ...customer.secrets, testPassword]
    assert.ok(hidden.length > 10, `${hidden.length} secrets found`)
    const { text, json } = await customer.request('GET', place())
    for (const secret of hidden) assert.ok(!text.includes(secret), secret)
    const names = namesIn(json).filter((name) => name !== 'token_endpoint_auth_method')
    assert.deepEqual(
      names.filter((name) => /hash|digest|secret|token|password/.test(name)),
      [],
    )
  })

  test('an export is stored by nobody and never taken for one from before', async () => {
    const { headers } = await customer.request('GET', place())
    assert.equal(headers['cache-control'], 'no-store')
    assert.deepEqual([headers['etag'], headers['last-modified']], [undefined, undefined])
    const { etag = '' } = (await customer.request('GET', `/users/${customer.id}`)).headers
    for (const known of [
      { 'if-none-match': '*' },
      { 'if-none-match': etag },
      { 'if-modified-since': new Date(shop.now + 60_000).toUTCString() },
    ]) {
      assert.equal((await customer.request('GET', place(), undefined, known)).status, 200)
    }
  })

  test('an export is for the user and administrators, with every scope that it takes', async () => {
    const other = await shop.signInAs('customer')
    assert.equal((await other.request('GET', place())).status, 403)
    assert.equal((await shop.request('GET', place())).status, 401)
    assert.equal((await admin.request('GET', '/users?include=data')).json.error_code, '4003')
    const scopes = ['users:read', 'orders:read', 'carts:write', 'purchases:read', 'keys:write']
    const ask = async (granted: readonly string[]) => {
      const made = await customer.request('POST', '/api-keys', { name: 'A', scopes: granted })
      const headers = { authorization: `Api-Key ${made.json.key}` }
      const { status, json } = await shop.request('GET', place(), undefined, headers)
      return [status, json.error_code]
    }
    assert.deepEqual(await ask(scopes), [200, undefined])
    for (const missing of scopes) {
      assert.deepEqual(await ask(scopes.filter((scope) => scope !== missing)), [403, '4033'])
    }
  })

  test('what others did is told without who they are and where they were', async () => {
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

  test('the statements of an export are always the same', async () => {
    const bare = await shop.signInAs('customer')
    const count = async (path: string): Promise<number> => {
      shop.takeCount()
      assert.equal((await admin.request('GET', path)).status, 200)
      return shop.takeCount()
    }
    const few = await count(`/users/${bare.id}?include=data`)
    assert.equal(await count(place()), few)
    assert.ok(few < 20, `${few} statements`)
  })

  test('of a very long list the newest entries are told, and that there are more', async () => {
    const { id, request } = await shop.signInAs('customer')
    const rows = Array.from({ length: 2_001 }, (_, at) => ({
      action: 'signed_in' as const,
      actor_id: id,
      subject_id: id,
      address: null,
      credential: null,
      request_id: `request ${at}`,
      details: null,
      at: longAgo,
    }))
    for (let at = 0; at < rows.length; at += 500) {
      await shop.db
        .insertInto('audit_events')
        .values(rows.slice(at, at + 500))
        .execute()
    }
    const { json } = await request('GET', `/users/${id}?include=data`)
    assert.deepEqual(json.data.incomplete, ['audit_events'])
    assert.equal(json.data.audit_events.length, 2_000)
    assert.equal(json.data.audit_events[0].request_id, 'request 2000')
  })

  test('an order is told with all of its items or not at all', async () => {
    const { id } = await shop.signInAs('customer')
    const products = []
    for (let at = 0; at < 8; at += 1) products.push(await insertProduct(shop.db))
    for (let at = 0; at < 3; at += 1) await insertOrder(shop.db, id, products)
    const exportData = async (limit: number) => {
      const { entries = [], isAll } =
        (await orderPersonalData.exportData?.read(shop.db, id, limit)) ?? {}
      return [entries.map((order) => (order as { items: unknown[] }).items.length), isAll]
    }
    assert.deepEqual(await exportData(5), [[8, 8, 8], true])
    assert.deepEqual(await exportData(2), [[8], false])
    assert.deepEqual(await exportData(3), [[8], false])
  })
})
