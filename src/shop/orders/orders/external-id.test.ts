import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  let customer: TestCaller
  let items: readonly object[]
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
    customer = await shop.signInAs('customer')
    const product = await admin.request('POST', '/products', { name: 'Cup', sku: 'CUP', price: 5 })
    items = [{ product_id: product.json.id, quantity: 1 }]
  })
  after(() => shop.dispose())

  const outcome = ({ status, json }: { status: number; json: { error_code?: string } }) => [
    status,
    json.error_code,
  ]
  const place = (caller: TestCaller, external_id?: string) =>
    caller.request('POST', `/users/${customer.id}/orders`, { items, external_id })

  test('administrators give an order the ID of another system, at any time and with any credential', async () => {
    const { json: order } = await place(customer)
    assert.equal(order.external_id, null)
    assert.deepEqual(outcome(await place(customer, 'ERP-1')), [403, '4031'])
    const path = `/orders/${order.id}`
    const own = await customer.request('PATCH', path, { external_id: 'ERP-1' })
    assert.deepEqual(outcome(own), [403, '4031'])
    await admin.request('PATCH', path, { status: 'cancelled' })
    const narrow = await scopedCaller(shop, admin, ['orders:read', 'orders:write'])
    assert.equal((await narrow('PATCH', path, { external_id: 'ERP-1' })).status, 200)
    assert.equal((await customer.request('GET', path)).json.external_id, 'ERP-1')
    const found = await admin.request('GET', '/orders?external_id=ERP-1')
    assert.deepEqual(
      found.json.data.map(({ id }: { readonly id: number }) => id),
      [order.id],
    )
    assert.equal(found.json.pagination.total_items, 1)
    const others = await customer.request('GET', '/orders?external_id=erp-1')
    assert.deepEqual(others.json.data, [])
  })

  test('it is unique among orders, stays with a PUT without it, and is free once the order is removed', async () => {
    const { json: order } = await place(admin, 'ERP-2')
    assert.equal(order.external_id, 'ERP-2')
    const twice = await place(admin, 'ERP-2')
    assert.deepEqual(outcome(twice), [409, '4092'])
    assert.equal(twice.json.details, 'Another order has this external_id.')
    const other = await place(admin)
    const path = `/users/${customer.id}/orders/${other.json.id}`
    const changed = await admin.request('PATCH', path, { external_id: 'ERP-2' })
    assert.deepEqual(outcome(changed), [409, '4092'])
    const own = `/users/${customer.id}/orders/${order.id}`
    const replaced = await customer.request('PUT', own, { note: 'Ring twice.' })
    assert.equal(replaced.json.external_id, 'ERP-2')
    assert.equal((await customer.request('DELETE', own)).status, 204)
    const again = await admin.request('PATCH', path, { external_id: 'ERP-2' })
    assert.equal(again.json.external_id, 'ERP-2', again.text)
  })
})
