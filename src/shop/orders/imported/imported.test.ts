import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { joinGuestOrders } from '#shop/orders/guest-orders/join.ts'
import { requireFewUnpaidOrders } from '#shop/orders/unpaid/limit.ts'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'
import { dayMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let importing: ImportingShop
  let admin: TestCaller
  let cup: number
  before(async () => {
    importing = await startImportingShop(kind)
    admin = importing.admin
    const body = { name: 'Cup', sku: 'CUP', price: 5, stock: 9 }
    cup = (await admin.request('POST', '/products', body)).json.id
  })
  after(() => importing.dispose())

  interface Given {
    readonly number: string
    readonly status?: string
    readonly email?: string
  }
  const importOrders = async (...orders: readonly Given[]) => {
    const rows = orders.map(({ number, status = 'delivered', email = '' }) =>
      [number, '2024-02-03', status, email, 'CUP', 2, 5, 10].join(','),
    )
    const header = 'number,created_at,status,contact.email,sku,quantity,unit_price,total'
    const { operation, errors } = await importing.importFile('orders', [header, ...rows].join('\n'))
    assert.deepEqual(errors, [])
    return operation
  }
  const orderOf = async (number: string) =>
    (await importing.read(`/orders?number=${encodeURIComponent(number)}`)).data[0]
  const outcome = async (request: ReturnType<TestCaller['request']>) => {
    const { status, json } = await request
    return [status, json?.error_code, json?.details]
  }
  const stockOf = async () => (await importing.read(`/products/${cup}`)).stock
  const eventsOf = async () => (await importing.read('/events?limit=1000')).data

  test('history takes no stock and gives no event, is found as other orders are, and is never paid, expired or returned', async () => {
    const { shop } = importing
    const before = await eventsOf()
    const statuses = ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded']
    await importOrders(...statuses.map((status) => ({ number: `H-${status}`, status })))
    const added = (await eventsOf()).slice(before.length)
    assert.deepEqual(
      added.map(({ type }: { readonly type: string }) => type),
      ['import.completed'],
    )
    assert.equal(await stockOf(), 9)
    const found = await importing.read('/orders?q=h-pend')
    assert.deepEqual([found.data[0].number, found.pagination.total_items], ['H-pending', 1])
    const listed = await importing.read('/orders?status=shipped')
    assert.equal(listed.pagination.total_items, 1)
    shop.now += 2 * dayMs
    await runJobs(shop.parts, shop.db)
    shop.now -= 2 * dayMs
    for (const status of statuses) {
      const order = await orderOf(`H-${status}`)
      assert.equal(order.status, status)
      assert.equal(order._links.pay ?? order._links.edit, undefined)
      const own = `/users/${order.user_id}/orders/${order.id}`
      const pay = admin.request('POST', `${own}/payment`, { method: 'card', token: 'tok_visa' })
      const message = 'The order is history of another shop and cannot be paid here.'
      assert.deepEqual(await outcome(pay), [409, '4091', message])
      const items = [{ product_id: cup, quantity: 1 }]
      const replaced = admin.request('PUT', own, { items })
      assert.deepEqual((await outcome(replaced)).slice(0, 2), [409, '4091'])
      const refund = admin.request('POST', `/orders/${order.id}/refunds`, {})
      assert.deepEqual((await outcome(refund)).slice(0, 2), [409, '4091'])
    }
    assert.equal((await orderOf('H-refunded')).refunded_total, 10)
  })

  test('its status and shipping can be changed, which moves neither stock nor money', async () => {
    const statuses = ['pending', 'paid', 'delivered', 'shipped']
    await importOrders(...statuses.map((status) => ({ number: `C-${status}`, status })))
    for (const [from, to] of [
      ['pending', 'cancelled'],
      ['paid', 'cancelled'],
      ['shipped', 'delivered'],
      ['delivered', 'refunded'],
    ]) {
      const { id } = await orderOf(`C-${from}`)
      const { status, json, text } = await admin.request('PATCH', `/orders/${id}`, { status: to })
      assert.deepEqual([status, json.status, json.total], [200, to, 10], text)
    }
    assert.equal(await stockOf(), 9)
    const { id } = await orderOf('C-paid')
    assert.equal((await importing.read(`/purchases?order_id=${id}`)).data.length, 0)
    await importOrders({ number: 'C-moved', status: 'paid' })
    const moved = await orderOf('C-moved')
    const place = { method: 'pickup', address: { country: 'GB' } }
    const { status, text } = await admin.request('PATCH', `/orders/${moved.id}/shipping`, place)
    assert.equal(status, 200, text)
    assert.equal((await orderOf('C-moved')).total, 10)
  })

  test('it is that of the account with its address, whose own the address is', async () => {
    const { shop } = importing
    const people = await Promise.all(
      ['confirmed', 'suspended', 'stranger'].map((name) =>
        shop.signInAs('customer', { email: `${name}@old.example` }),
      ),
    )
    const [confirmed, suspended, stranger] = people.map(({ id }) => id) as [number, number, number]
    const users = shop.db.updateTable('users')
    await users.set({ email_verified: 1 }).where('id', 'in', [confirmed, suspended]).execute()
    await users.set({ status: 'suspended' }).where('id', '=', suspended).execute()
    const file = 'email,name\nimported@old.example,Ida\n'
    await importing.importFile('users', file)
    const names = ['confirmed', 'suspended', 'stranger', 'imported']
    await importOrders(
      ...names.map((name) => ({ number: `U-${name}`, email: `${name.toUpperCase()}@old.example` })),
    )
    const owners = await Promise.all(
      names.map(async (name) => (await orderOf(`U-${name}`)).user_id),
    )
    const imported = await importing.read('/users?email=imported@old.example')
    assert.deepEqual([owners[0], owners[1], owners[3]], [confirmed, suspended, imported.data[0].id])
    assert.notEqual(owners[2], stranger)
    assert.equal((await importing.read(`/users/${owners[2]}`)).role, 'guest')
    const own = await people[0]?.request('GET', '/orders')
    assert.equal(own?.json.data[0].number, 'U-confirmed')
  })

  test('orders with one address are of one guest, and join the account that confirms it', async () => {
    const { shop } = importing
    const email = 'later@old.example'
    await importOrders({ number: 'J-1', email }, { number: 'J-2', email, status: 'pending' })
    await importOrders({ number: 'J-3', email })
    const orders = await Promise.all(['J-1', 'J-2', 'J-3'].map(orderOf))
    const [guest] = new Set(orders.map(({ user_id }) => user_id))
    assert.ok(orders.every(({ user_id }) => user_id === guest))
    const account = await shop.signInAs('customer', { email })
    await shop.store.transaction((db) =>
      joinGuestOrders(db, { id: account.id, email_key: email }, shop.now),
    )
    const { json } = await account.request('GET', '/orders?sort=id')
    const numbers = json.data.map(({ number }: { readonly number: string }) => number)
    assert.deepEqual(numbers, ['J-1', 'J-3'])
    // Nothing is waited for: the pending one is never paid.
    assert.equal((await runJobs(shop.parts, shop.db)).joins, 0)
    await shop.db
      .updateTable('users')
      .set({ email_verified: 1 })
      .where('id', '=', account.id)
      .execute()
    await importOrders({ number: 'J-4', email })
    assert.equal((await orderOf('J-4')).user_id, account.id)
    const review = { rating: 5, title: 'Good', body: 'As ever.' }
    const reviewed = await account.request('POST', `/products/${cup}/reviews`, review)
    assert.equal(reviewed.status, 201, reviewed.text)
    assert.equal(reviewed.json.verified_purchase, true)
    assert.equal((await importing.read(`/purchases?user_id=${account.id}`)).data.length, 3)
  })

  test('pending history counts for no limit of unpaid orders', async () => {
    const buyer = await importing.shop.signInAs('customer', { email: 'limit@old.example' })
    const update = importing.shop.db.updateTable('users').set({ email_verified: 1 })
    await update.where('id', '=', buyer.id).execute()
    const given = { status: 'pending', email: 'limit@old.example' }
    await importOrders(...['P-1', 'P-2'].map((number) => ({ number, ...given })))
    const { json } = await buyer.request('GET', '/orders?status=pending&limit=1')
    assert.equal(json.pagination.total_items, 2)
    const { db, now } = importing.shop
    const placer = { userId: buyer.id, network: '192.0.2.0' }
    const rules = { perUser: 1, stockShare: 0.25 }
    await requireFewUnpaidOrders(db, placer, rules, now)
    const items = [{ product_id: cup, quantity: 1 }]
    assert.equal((await buyer.request('POST', '/orders', { items })).status, 201)
    await assert.rejects(requireFewUnpaidOrders(db, placer, rules, now), { code: '4291' })
  })

  test('an erasure makes it nameless, and forgets what errors of imports have of persons', async () => {
    const { shop } = importing
    await importOrders({ number: 'G-1', email: 'gone@old.example' })
    const failing = await importing.begin('orders', 'number,contact.email\nG-2,gone@old.example\n')
    await importing.finish(failing)
    const { id, user_id } = await orderOf('G-1')
    assert.ok((await admin.request('DELETE', `/users/${user_id}`)).status < 300)
    const order = await importing.read(`/orders/${id}`)
    assert.deepEqual(
      [order.user_id, order.contact, order.number],
      [null, { name: null, email: null }, 'G-1'],
    )
    const { data } = await importing.read(`${failing}/errors`)
    assert.ok(data.length > 0)
    assert.ok(
      data.every(({ key, value }: Record<string, unknown>) => key === null && value === null),
    )
    const rows = await shop.db.selectFrom('operation_rows').selectAll().execute()
    assert.deepEqual(rows, [])
    assert.partialDeepStrictEqual(await importOrders({ number: 'G-1' }), {
      result: { unchanged: 1 },
    })
  })

  test('new orders pass its numbers over', async () => {
    const items = [{ product_id: cup, quantity: 1 }]
    const place = async (): Promise<number> =>
      Number((await admin.request('POST', '/orders', { items })).json.number)
    const last = await place()
    await importOrders(...[3, 4, 6].map((at) => ({ number: String(last + at) })))
    // The imported orders have the IDs of the next three numbers.
    assert.deepEqual([await place(), await place()], [last + 5, last + 7])
  })
})
