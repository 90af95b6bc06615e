import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { joinGuestOrders } from '#shop/orders/guest-orders/join.ts'
import { requireFewUnpaidOrders } from '#shop/orders/unpaid/limit.ts'
import { runJobs } from '#src/server/jobs.ts'
import { includesOf } from '#test/contract/queries.ts'
import {
  type ContractApp,
  computedIncludesOf,
  validRequest,
} from '#test/contract/setup/contract-app.ts'
import type { Fixtures } from '#test/contract/setup/fixture-ids.ts'
import { oneOf } from '#test/contract/setup/valid-requests.ts'
import { confirmAddress, type TestCaller, testPassword } from '#test/support/app.ts'
import { requestDigestNonce, requestWithDigest } from '#test/support/callers/digest-caller.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { testShipping } from '#test/support/callers/paying.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { minuteMs } from '#values/instant.ts'
import { Problem } from '#values/problem.ts'
import { listRequests, queryOf, shortLists } from './list-requests.ts'

/**
 * Calls every operation with the fixtures of the contract tests, then carts, orders, payments with every
 * outcome, each kind of credential and the jobs.
 */
export async function exercise(contractApp: ContractApp): Promise<void> {
  await readAll(contractApp)
  await writeAll(contractApp)
  await trade(contractApp)
  await yieldUnpaid(contractApp)
  await tidy(contractApp)
  await identify(contractApp)
  await mergeGuests(contractApp)
  await importFiles(contractApp)
}

async function readAll({ routes, send: ask, fixtures }: ContractApp): Promise<void> {
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const asked = validRequest(route, fixtures)
    const words = [...includesOf(route), ...computedIncludesOf(route)]
    for (const query of ['', ...words.map((word) => `?include=${word}`)]) {
      const { status, text } = await ask({ ...asked, url: `${asked.url}${query}` })
      assert.equal(status, 200, text)
    }
  }
}

/** Reads every list by each sort and each filter, and its second page by cursor, without a filter also by number. */
export async function listAll({ routes, send: ask, fixtures }: ContractApp): Promise<void> {
  for (const list of listRequests(
    routes.filter(({ resource }) => !shortLists.has(resource.name)),
  )) {
    const asked = { ...validRequest(list.route, fixtures), token: fixtures.admin.token }
    const url = `${asked.url}?limit=1&${queryOf(list)}`
    const { status, json, text } = await ask({ ...asked, url })
    assert.equal(status, 200, text)
    if (list.filter === undefined) await ask({ ...asked, url: `${url}&page=2` })
    const cursor = json.pagination.next_cursor
    // A cursor needs a sort field in which rows differ.
    if (cursor && list.sort !== list.filter) await ask({ ...asked, url: `${url}&cursor=${cursor}` })
  }
}

async function writeAll({ routes, send: ask, freshFixtures }: ContractApp): Promise<void> {
  let keys = 0
  for (const route of routes.filter(({ method }) => method !== 'GET')) {
    // The owner of all fixtures has confirmed the address, to make keys.
    const isConfirmation = route.path.endsWith('/email-confirmations')
    const asked = validRequest(route, await freshFixtures(isConfirmation ? route : undefined))
    keys += 1
    const headers = { ...asked.headers, 'idempotency-key': `exercise-${Date.now()}-${keys}` }
    const { status, text } = await ask({ ...asked, headers })
    // A notification needs the signature of the provider.
    assert.ok(status < 300 || route.path === '/payment-notifications', text)
    if (route.method === 'POST' || route.method === 'PATCH') await ask({ ...asked, headers })
  }
}

/** Places orders from the cart and from a list, and pays with cards of every outcome. */
async function trade({ freshFixtures }: ContractApp): Promise<void> {
  const fixtures = await freshFixtures()
  const { owner, admin, products, unreviewed } = fixtures
  const place = `/users/${owner.id}/orders`
  await send(admin, 'PATCH', `/products/${unreviewed}`, { stock: 100 })
  for (const token of ['tok_visa', 'tok_declined', 'tok_later']) {
    await send(owner, 'POST', '/cart', { ...oneOf(unreviewed), quantity: 3 })
    const { json: order } = await send(owner, 'POST', place, {})
    await send(owner, 'PUT', `/orders/${order.id}/shipping`, { ...testShipping, method: 'express' })
    await owner.request('POST', `${place}/${order.id}/payment`, { method: 'card', token })
    if (token === 'tok_declined') continue
    await pollUntil(
      () => send(owner, 'GET', `/orders/${order.id}`),
      ({ json }) => json.status === 'paid',
    )
    await refundPieces(admin, order.id)
    if (token === 'tok_visa') await send(admin, 'PATCH', `/orders/${order.id}`, cancelled)
    else await send(admin, 'PATCH', `/orders/${order.id}/shipping`, { status: 'in_transit' })
  }
  const items = [...products, unreviewed].map(oneOf)
  const { json: order } = await send(owner, 'POST', place, { items })
  await send(owner, 'PUT', `${place}/${order.id}`, { items: [oneOf(unreviewed)] })
  await send(owner, 'PATCH', `/orders/${order.id}`, cancelled)
  await send(owner, 'DELETE', `${place}/${order.id}`)
}

/** Has the orders of one network yield to those of another, and counts unpaid orders. */
async function yieldUnpaid({ shop, freshFixtures }: ContractApp): Promise<void> {
  const { admin } = await freshFixtures()
  const product = await send(admin, 'POST', '/products', { name: 'Pan', price: 9, stock: 20 })
  const code = `LAST-${product.json.id}`
  const limits = { usage_limit: 2, usage_limit_per_user: 2 }
  await send(admin, 'POST', '/discounts', { code, kind: 'amount', value: 1, ...limits })
  const items = [{ product_id: product.json.id, quantity: 10 }]
  const place = async (address: string, body: object) => {
    const { token } = await startGuest(shop)
    const { statusCode, payload } = await shop.app.inject({
      ...{ method: 'POST', url: '/orders', remoteAddress: address, payload: body },
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(statusCode, 201, payload)
  }
  await place('127.0.0.11', { items, discount_code: code })
  await place('127.0.0.11', { items, discount_code: code })
  await place('127.0.0.12', { items: [oneOf(product.json.id)], discount_code: code })
  await place('127.0.0.13', { items })
  const placer = { userId: admin.id, network: '127.0.0.13' }
  const counted = shop.parts.transaction((db) =>
    requireFewUnpaidOrders(db, placer, { perUser: 0, stockShare: 1 }, shop.now),
  )
  await assert.rejects(counted, Problem)
}

/** Refunds an amount, and one piece of the first item. */
async function refundPieces(admin: TestCaller, orderId: number): Promise<void> {
  const { json } = await send(admin, 'GET', `/orders/${orderId}/items`)
  const items = [{ order_item_id: json.data[0].id, quantity: 1 }]
  await send(admin, 'POST', `/orders/${orderId}/refunds`, { amount: 0.01 })
  await send(admin, 'POST', `/orders/${orderId}/refunds`, { items })
}

const cancelled = { status: 'cancelled' }

async function send(caller: TestCaller, method: string, url: string, body?: object) {
  const answer = await caller.request(method, url, body)
  assert.ok(answer.status < 300, `${method} ${url}: ${answer.text}`)
  return answer
}

/** Reads a profile with every kind of credential, and renews a session. */
async function identify({ shop, freshFixtures }: ContractApp): Promise<void> {
  const { owner }: Fixtures = await freshFixtures()
  const { json: made } = await send(owner, 'POST', '/api-keys', { name: 'Reader' })
  const basic = Buffer.from(`${owner.username}:${testPassword}`).toString('base64')
  for (const headers of [
    { authorization: `Api-Key ${made.key}` },
    { authorization: `Basic ${basic}` },
  ]) {
    const { status, text } = await shop.request('GET', '/profile', undefined, headers)
    assert.equal(status, 200, text)
  }
  const { username } = owner
  const proved = await requestWithDigest(shop, { username, nonce: await requestDigestNonce(shop) })
  assert.equal(proved.status, 200, proved.text)
  const renewed = await shop.request('POST', '/login', { refresh_token: owner.refreshToken })
  assert.equal(renewed.status, 200, renewed.text)
  const wrong = await shop.request('POST', '/login', { username, password: 'wrong password' })
  assert.equal(wrong.status, 401)
}

/** Merges guests, who have something of everything, into an account. */
/** Has accounts take over an order of a guest with their address, at once and by the job. */
async function joinOrders(
  shop: ContractApp['shop'],
  { unreviewed, discountCode }: Fixtures,
): Promise<void> {
  for (const confirmed_at of [undefined, shop.now]) {
    // This course may run twice in a shop.
    const email = `joining-${randomUUID()}@example.com`
    const guest = await startGuest(shop, { email })
    const code = { discount_code: `${discountCode}-NEXT` }
    const body = { items: [oneOf(unreviewed)], shipping: testShipping, ...code }
    const placed = await guest.request('POST', '/orders', body)
    assert.equal(placed.status, 201)
    const payment = `/users/${guest.id}/orders/${placed.json.id}/payment`
    const paid = await guest.request('POST', payment, { method: 'card', token: 'tok_visa' })
    assert.equal(paid.status, 201, paid.text)
    const { id } = await shop.signInAs('customer', { email })
    if (confirmed_at === undefined) {
      const account = { id, email_key: email }
      await shop.store.transaction((db) => joinGuestOrders(db, account, shop.now))
    } else {
      await confirmAddress(shop.db, id)
      const join = { user_id: id, contact_key: email, confirmed_at, due_at: shop.now }
      await shop.db.insertInto('guest_order_joins').values(join).execute()
      await runJobs(shop.parts, shop.db)
    }
    const order = shop.db.selectFrom('orders').select('id').where('contact_key', '=', email)
    assert.deepEqual(await order.execute(), [])
  }
}

async function mergeGuests({ shop, freshFixtures }: ContractApp): Promise<void> {
  const fixtures = await freshFixtures()
  const { owner, unreviewed, discountCode } = fixtures
  for (const part of ['token', 'refreshToken'] as const) {
    const guest = await startGuest(shop, { email: 'guest@example.com' })
    const requests = [
      [`/users/${guest.id}/addresses`, { ...testShipping.address, recipient: part }],
      ['/orders', { items: [oneOf(unreviewed)], discount_code: `${discountCode}-NEXT` }],
      ['/cart', oneOf(unreviewed)],
    ] as const
    for (const [path, body] of requests) {
      const { status, text } = await guest.request('POST', path, body)
      assert.equal(status, 201, text)
    }
    const body = { username: owner.username, password: testPassword, guest_token: guest[part] }
    const { status, text } = await shop.request('POST', '/login', body)
    assert.equal(status, 200, text)
  }
  await joinOrders(shop, fixtures)
}

/** Runs the jobs while payments are open, after orders have expired, and when an erasure is due. */
async function tidy({ shop, freshFixtures }: ContractApp): Promise<void> {
  const { keyUses, knownNetworks, store } = shop
  const maintenanceJobs = { keyUses, knownNetworks, purgeDeletedRows: store.purgeDeletedRows }
  const began = shop.now
  const { owner, admin, webhook, unreviewed } = await freshFixtures()
  const [guest, buyer] = [await startGuest(shop), await startGuest(shop)]
  await buyer.request('POST', '/orders', { items: [oneOf(unreviewed)] })
  await runJobs(shop.parts, shop.db, maintenanceJobs)
  await shop.webhookDispatcher.round()
  await shop.webhookDispatcher.settled()
  await send(admin, 'PATCH', `/webhooks/${webhook}`, { active: false })
  await shop.webhookDispatcher.round()
  await shop.webhookDispatcher.settled()
  await shop.db
    .updateTable('erasures')
    .set({ erase_at: began })
    .where('user_id', '=', owner.id)
    .execute()
  await shop.db
    .updateTable('users')
    .set({ guest_until: began })
    .where('id', 'in', [guest.id, buyer.id])
    .execute()
  shop.now = began + 31 * minuteMs
  await runJobs(shop.parts, shop.db, maintenanceJobs)
  shop.now = began
}

/** An order of an account, and orders of two guests. */
const orderFile = [
  'number,created_at,status,contact.email,sku,name,quantity,unit_price,total',
  'H-1,2024-02-03,paid,imported@example.com,IMPORTED-1,,1,5,5',
  'H-2,2024-02-03,paid,,,Tea,1,5,5',
  'H-3,2024-02-03,cancelled,nobody@example.com,IMPORTED-1,,1,5,5',
].join('\n')

/** Imports files that create rows, change them, and change nothing. */
async function importFiles({ shop, send: ask, fixtures: { admin } }: ContractApp): Promise<void> {
  const files = [
    ['products', 'sku,name,price,stock\nIMPORTED-1,Pot,5,3\n'],
    ['products', 'sku,name,price,stock\nIMPORTED-1,Pan,5,3\n'],
    ['products', 'sku,name,price,stock\nIMPORTED-1,Pan,5,3\n'],
    ['stock', 'sku,stock\nIMPORTED-1,0\nunknown,1\n'],
    ['prices', 'sku,price\nIMPORTED-1,6\n'],
    ['users', 'email,name\nimported@example.com,Ada\n'],
    ['users', 'email,name\nimported@example.com,Grace\n'],
    ['orders', orderFile],
    ['orders', orderFile],
  ]
  for (const [resource, payload = ''] of files) {
    const { status, text } = await ask({
      ...{ method: 'POST', url: `/imports?resource=${resource}`, token: admin.token, payload },
      headers: { 'content-type': 'text/csv' },
    })
    assert.equal(status, 202, text)
    await runWaitingImports(shop, { db: shop.db })
  }
}
