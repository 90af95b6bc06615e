import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { indexOrders } from '#shop/orders/search/index-orders.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { parseCsv } from '#test/support/csv.ts'
import { insertOrder } from '#test/support/rows.ts'
import { waitForLockWaiter } from '#test/support/services/databases.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  let customer: TestCaller
  let product: { readonly id: number; readonly name: string; readonly price: number }
  before(async () => {
    shop = await startTestApp(kind, { shop: { orderPrefix: 'A-' } })
    admin = await shop.signInAs('admin')
    customer = await shop.signInAs('customer')
    const body = { name: 'Cup', sku: 'CUP', price: 5, stock: 1000 }
    product = (await admin.request('POST', '/products', body)).json
  })
  after(() => shop.dispose())

  const place = async () => {
    const items = [{ product_id: product.id, quantity: 1 }]
    const placed = await customer.request('POST', '/orders', { items })
    assert.equal(placed.status, 201, placed.text)
    return placed.json as { readonly id: number; readonly number: string; readonly source: string }
  }
  const digitsOf = ({ number }: { readonly number: string }): number => Number(number.slice(2))
  /** Inserts an order that has a number, as one of another shop does. */
  const takeNumber = async (number: string) => {
    const id = await insertOrder(shop.db, customer.id, [product])
    const taken = { number, number_key: number.toLowerCase() }
    await shop.db.updateTable('orders').set(taken).where('id', '=', id).execute()
  }
  const numbersOf = async (path: string, caller = admin): Promise<readonly string[]> => {
    const { json, text } = await caller.request('GET', path)
    assert.ok(json.data, text)
    return json.data.map(({ number }: { readonly number: string }) => number)
  }

  test('an order gets a number with the prefix, by which it is found in every form', async () => {
    const { id, number, source } = await place()
    assert.match(number, /^A-\d{4,}$/)
    assert.equal(source, 'api')
    const path = `/orders/${id}`
    const later = { accept: 'application/vnd.cartwright.v2+json' }
    const { json } = await customer.request('GET', path, undefined, later)
    assert.deepEqual([json.number, json.source], [number, 'api'])
    const xml = await customer.request('GET', path, undefined, { accept: 'application/xml' })
    assert.ok(xml.text.includes(`<number>${number}</number>`), xml.text)
    const csv = await admin.request('GET', '/orders', undefined, { accept: 'text/csv' })
    const row = parseCsv(csv.text).find((each) => each['id'] === String(id))
    assert.deepEqual([row?.['number'], row?.['source']], [number, 'api'])
    const { json: events } = await admin.request('GET', `/events?subject=${path}`)
    assert.equal(events.data[0].data.number, number)
  })

  test('lists are filtered and searched by it, ignoring case', async () => {
    const { number } = await place()
    const path = `/orders?number=${number.toLowerCase()}`
    assert.deepEqual(await numbersOf(path), [number])
    assert.deepEqual(await numbersOf(path, customer), [number])
    assert.deepEqual(await numbersOf(`/users/${customer.id}${path}`, customer), [number])
    const other = await shop.signInAs('customer')
    assert.deepEqual(await numbersOf(path, other), [])
    assert.deepEqual(await numbersOf('/orders?number=A-1'), [])
    while ((await indexOrders(shop.store.transaction, shop.store.db)).isFull);
    for (const q of [number, number.toLowerCase(), number.slice(2)]) {
      assert.deepEqual(await numbersOf(`/orders?q=${q}`), [number], q)
    }
  })

  test('orders placed at once have different numbers', async () => {
    const placed = await Promise.all(Array.from({ length: 20 }, place))
    assert.equal(new Set(placed.map(({ number }) => number)).size, placed.length)
  })

  test('numbers of other orders are passed over, in any case', async () => {
    const last = digitsOf(await place())
    // Three IDs are used up, and the numbers of the next three are taken.
    for (const at of [4, 5, 6]) await takeNumber(`${at % 2 ? 'A' : 'a'}-${last + at}`)
    assert.equal(digitsOf(await place()), last + 7)
    assert.equal(digitsOf(await place()), last + 8)
  })

  test('a number that another takes meanwhile is left to it', async () => {
    const last = digitsOf(await place())
    // The next order would have the next number but one, since the inserted one uses up an ID.
    const taken = `A-${last + 2}`
    const inserted = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    const committed = shop.store.transaction(async (db) => {
      const id = await insertOrder(db, customer.id, [product])
      const values = { number: taken, number_key: taken.toLowerCase() }
      await db.updateTable('orders').set(values).where('id', '=', id).execute()
      inserted.resolve()
      await waiting.promise
    })
    await inserted.promise
    const placing = place()
    // On PostgreSQL, it has chosen the number and waits for the transaction that has it.
    await waitForLockWaiter(shop.store)
    waiting.resolve()
    await committed
    const placed = await placing
    assert.ok(digitsOf(placed) > last + 2, placed.number)
  })
})
