import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let buyer: TestCaller
  before(async () => {
    shop = await startPayingApp(kind)
    admin = await shop.signInAs('admin')
    buyer = await shop.signInAs('customer')
  })
  after(() => shop.dispose())

  const placeOrder = async (shipping?: object): Promise<number> => {
    const { id: product_id } = await shop.addProduct()
    const body = { items: [{ product_id, quantity: 1 }], ...(shipping ? { shipping } : {}) }
    const { status, json, text } = await buyer.request('POST', `/users/${buyer.id}/orders`, body)
    assert.equal(status, 201, text)
    return json.id
  }
  const pay = (id: number, version = '') =>
    buyer.request('POST', `${version}/users/${buyer.id}/orders/${id}/payment`, {
      method: 'card',
      token: 'tok_visa',
    })
  const placePaidOrder = async (): Promise<number> => {
    const id = await placeOrder(testShipping)
    assert.equal((await pay(id)).status, 201)
    return id
  }
  const pathOf = (id: number) => `/orders/${id}/shipping`
  const read = async (id: number) => (await buyer.request('GET', pathOf(id))).json
  const { address, recipient } = testShipping
  const wholeAddress = { line2: null, region: null, ...address }
  const parcel = { carrier: 'Mole Post', tracking_number: 'MP1', tracking_url: null }
  const conflict = [409, '4091']
  const resultOf = ({ status, json }: { status: number; json: { error_code?: string } }) => [
    status,
    json.error_code,
  ]

  test('of nothing that is sent needs no address and costs nothing', async () => {
    const voucher = (await shop.addProduct()).id
    const pot = (await shop.addProduct()).id
    await admin.request('PATCH', `/products/${voucher}`, { requires_shipping: false })
    const order = async (...ids: readonly number[]) => {
      const items = ids.map((product_id) => ({ product_id, quantity: 1 }))
      return (await buyer.request('POST', `/users/${buyer.id}/orders`, { items })).json
    }
    const mixed = await order(voucher, pot)
    assert.deepEqual(resultOf(await pay(mixed.id)), conflict)
    const sent = await order(voucher)
    assert.deepEqual([sent.shipping_cost, typeof sent._links.pay], [0, 'object'])
    // What was ordered stays as it was.
    await admin.request('PATCH', `/products/${voucher}`, { requires_shipping: true })
    assert.equal((await pay(sent.id)).status, 201)
    const shipped = await admin.request('PATCH', pathOf(sent.id), { status: 'in_transit' })
    assert.equal(shipped.status, 200, shipped.text)
    await admin.request('PATCH', `/products/${voucher}`, { requires_shipping: false })
    const own = `/users/${buyer.id}/orders/${mixed.id}`
    const less = { items: [{ product_id: voucher, quantity: 1 }] }
    const replaced = (await buyer.request('PUT', own, less)).json
    assert.equal(replaced.shipping_cost, 0)
    assert.ok(mixed.shipping_cost > 0)
    const unknown = { ...less, shipping: { method: 'no such' } }
    assert.equal((await buyer.request('PUT', own, unknown)).status, 422)
    assert.equal((await pay(mixed.id)).status, 201)
  })

  test('of a corrected street keeps the price, whatever prices and methods are today', async () => {
    const method = { code: 'courier', name: 'Courier', price: 5 }
    const { id: methodId } = (await admin.request('POST', '/shipping-methods', method)).json
    const waiting = await placeOrder({ ...testShipping, method: 'courier' })
    const paid = await placeOrder({ ...testShipping, method: 'courier' })
    assert.equal((await pay(paid)).status, 201)
    const price = { price: 7, active: false }
    assert.equal((await admin.request('PATCH', `/shipping-methods/${methodId}`, price)).status, 200)
    for (const id of [waiting, paid]) {
      const totalOf = async () => (await buyer.request('GET', `/orders/${id}`)).json.total
      const before = await totalOf()
      const moved = { address: { line1: '2 Other Street' } }
      assert.equal((await buyer.request('PATCH', pathOf(id), moved)).status, 200)
      assert.equal(await totalOf(), before)
    }
  })

  test('has a link for administrators that ships the paid order', async () => {
    const unpaid = await placeOrder(testShipping)
    const linkOf = async ({ request }: TestCaller, id: number) =>
      (await request('GET', pathOf(id))).json._links.ship
    assert.equal(await linkOf(admin, unpaid), undefined)
    const id = await placePaidOrder()
    assert.equal(await linkOf(buyer, id), undefined)
    await admin.request('PATCH', pathOf(id), { tracking_number: 'MP1' })
    const { href, method, body } = await linkOf(admin, id)
    const { status, json } = await admin.request(method, href, body)
    assert.deepEqual([status, json.status, json.tracking_number], [200, 'in_transit', 'MP1'])
    assert.equal((await buyer.request('GET', `/orders/${id}`)).json.status, 'shipped')
    assert.equal(await linkOf(admin, id), undefined)
  })

  for (const version of ['/v1', '/v2']) {
    describe(`a PATCH of shipping in ${version}`, () => {
      test('of a tracking number keeps method, recipient and address', async () => {
        const id = await placePaidOrder()
        const at = version + pathOf(id)
        const { status, json, text } = await admin.request('PATCH', at, { tracking_number: 'MP1' })
        assert.equal(status, 200, text)
        assert.deepEqual(
          [json.method, json.recipient, json.address, json.tracking_number],
          ['standard', recipient, wholeAddress, 'MP1'],
        )
      })

      test('keeps what it does not name, in the address too, and null removes', async () => {
        const id = await placeOrder(testShipping)
        const at = version + pathOf(id)
        const moved = await buyer.request('PATCH', at, { address: { city: 'Bath', region: 'BNE' } })
        assert.deepEqual(moved.json.address, { ...wholeAddress, city: 'Bath', region: 'BNE' })
        assert.equal(moved.json.recipient, recipient)
        const erased = await buyer.request('PATCH', at, { recipient: null, address: null })
        const nothing = Object.fromEntries(Object.keys(wholeAddress).map((name) => [name, null]))
        assert.deepEqual([erased.json.recipient, erased.json.address], [null, nothing])
        assert.equal(erased.json.method, 'standard')
      })

      test('prices the order anew while it is pending, and cannot change the cost once it is paid', async () => {
        const id = await placeOrder(testShipping)
        const at = version + pathOf(id)
        assert.equal((await buyer.request('PATCH', at, { method: 'express' })).status, 200)
        assert.equal((await buyer.request('GET', `/orders/${id}`)).json.total, 34.99)
        assert.equal((await pay(id)).status, 201)
        assert.deepEqual(
          resultOf(await buyer.request('PATCH', at, { method: 'standard' })),
          conflict,
        )
        const renamed = await buyer.request('PATCH', at, { recipient: 'Bob' })
        assert.deepEqual([renamed.status, renamed.json.recipient], [200, 'Bob'])
      })

      test('by its buyer is rejected for fields of the parcel, and after shipping', async () => {
        const id = await placePaidOrder()
        const at = version + pathOf(id)
        const early = await buyer.request('PATCH', at, { carrier: 'Mole Post' })
        assert.deepEqual(resultOf(early), [403, '4031'])
        assert.equal((await admin.request('PATCH', at, { status: 'in_transit' })).status, 200)
        assert.equal((await read(id)).status, 'in_transit')
        assert.deepEqual(resultOf(await buyer.request('PATCH', at, { recipient: 'Bob' })), conflict)
        assert.equal((await buyer.request('PATCH', at, { recipient })).status, 200)
        assert.equal((await admin.request('PATCH', at, { status: 'delivered' })).status, 200)
        assert.equal((await buyer.request('GET', `/orders/${id}`)).json.status, 'delivered')
      })
    })

    describe(`a PUT of shipping in ${version}`, () => {
      test('replaces it all: what it leaves out is gone', async () => {
        const id = await placePaidOrder()
        const at = version + pathOf(id)
        const filled = await admin.request('PUT', at, { ...testShipping, ...parcel })
        assert.equal(filled.json.carrier, 'Mole Post')
        const { json } = await admin.request('PUT', at, { method: 'standard' })
        assert.deepEqual(
          [json.recipient, json.address.line1, json.carrier, json.tracking_number],
          [null, null, null, null],
        )
      })

      test('without a method, or with null, is a PUT of the default one', async () => {
        const id = await placeOrder({ ...testShipping, method: 'express' })
        const at = version + pathOf(id)
        for (const body of [{}, { method: null }]) {
          assert.equal((await buyer.request('PATCH', at, { method: 'express' })).status, 200)
          const { status, json } = await buyer.request('PUT', at, body)
          assert.deepEqual([status, json.method], [200, 'standard'])
        }
      })

      test('by its buyer keeps the parcel, which only administrators may set', async () => {
        const id = await placePaidOrder()
        const at = version + pathOf(id)
        await admin.request('PATCH', at, parcel)
        const { status, json } = await buyer.request('PUT', at, {
          ...testShipping,
          recipient: 'Bob',
        })
        assert.deepEqual([status, json.recipient, json.carrier], [200, 'Bob', 'Mole Post'])
        const express = { ...testShipping, method: 'express' }
        assert.deepEqual(resultOf(await buyer.request('PUT', at, express)), conflict)
      })
    })

    describe(`an order that is to be sent, in ${version}`, () => {
      test('can be paid only with recipient and address, and says what is missing', async () => {
        const id = await placeOrder()
        const order = async () => (await buyer.request('GET', `${version}/orders/${id}`)).json
        const rejected = await pay(id, version)
        assert.deepEqual(resultOf(rejected), conflict)
        const fields = rejected.json.errors.map(({ field }: { field: string }) => field)
        const addressFields = ['line1', 'city', 'country'].map((name) => `shipping.address.${name}`)
        assert.deepEqual(fields, ['shipping.recipient', ...addressFields])
        assert.equal((await order())._links.pay, undefined)
        const { update } = (await buyer.request('GET', version + pathOf(id))).json._links
        assert.deepEqual(Object.keys(update.body), ['recipient', 'address'])
        const filled = await buyer.request(update.method, update.href, { recipient, address })
        assert.equal(filled.status, 200, filled.text)
        const { pay: link } = (await order())._links
        const card = { method: 'card', token: 'tok_visa' }
        assert.equal((await buyer.request(link.method, link.href, card)).status, 201)
      })

      test('cannot ship without recipient and address, on either path', async () => {
        const id = await placePaidOrder()
        const at = version + pathOf(id)
        assert.ok((await admin.request('GET', `/orders/${id}`)).json._links.ship)
        assert.equal((await admin.request('PUT', at, { method: 'standard' })).status, 200)
        assert.equal((await admin.request('GET', `/orders/${id}`)).json._links.ship, undefined)
        const shipped = { status: 'shipped' }
        const paths = [`${version}/orders/${id}`, `${version}/users/${buyer.id}/orders/${id}`]
        for (const path of paths) {
          assert.deepEqual(resultOf(await admin.request('PATCH', path, shipped)), conflict)
        }
        const inTransit = { status: 'in_transit' }
        assert.deepEqual(resultOf(await admin.request('PATCH', at, inTransit)), conflict)
        const put = await admin.request('PUT', at, { method: 'standard', ...inTransit })
        assert.deepEqual(resultOf(put), conflict)
        const complete = { recipient, address, ...inTransit }
        assert.equal((await admin.request('PATCH', at, complete)).json.status, 'in_transit')
      })
    })
  }

  test('an order that is picked up can be paid and handed over without an address', async () => {
    const id = await placeOrder({ method: 'pickup' })
    assert.ok((await buyer.request('GET', `/orders/${id}`)).json._links.pay)
    assert.equal((await pay(id)).status, 201)
    const shipped = await admin.request('PATCH', `/orders/${id}`, { status: 'shipped' })
    assert.equal(shipped.json.status, 'shipped')
  })

  test('the address of an order cannot be removed while its payment is in progress', async () => {
    const id = await placeOrder(testShipping)
    const payment = { order_id: id, idempotency_key: `order-${id}-open`, method: 'card' }
    const charge = { amount: 2499, currency: 'USD', provider: 'sandbox' }
    const open = { status: 'pending', due_at: 2 ** 48, created_at: 1, updated_at: 1 } as const
    await shop.db
      .insertInto('payments')
      .values({ ...payment, ...charge, ...open })
      .execute()
    assert.equal((await buyer.request('PATCH', pathOf(id), { recipient: 'Bob' })).status, 200)
    const removed = await buyer.request('PATCH', pathOf(id), { address: null })
    assert.deepEqual(resultOf(removed), conflict)
  })

  test('a buyer may change shipping as long as its links say so', async () => {
    const id = await placePaidOrder()
    const { update, edit } = (await read(id))._links
    assert.deepEqual([update.method, edit.method], ['PATCH', 'PUT'])
    await admin.request('PATCH', `/orders/${id}`, { status: 'shipped' })
    const links = (await read(id))._links
    assert.deepEqual([links.update, links.edit], [undefined, undefined])
  })
})
