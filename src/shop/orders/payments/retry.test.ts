import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { minuteMs } from '#values/instant.ts'

let keys = 0
const newKey = () => ({ 'idempotency-key': `pay-${keys++}` })

eachDatabase((kind) => {
  let shop: PayingApp
  let buyer: TestCaller
  let admin: TestCaller
  before(async () => {
    shop = await startPayingApp(kind)
    buyer = await shop.signInAs('customer')
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  type Key = ReturnType<typeof newKey>
  const place = async (): Promise<number> => {
    const { id: product_id } = await shop.addProduct({ stock: 5 })
    const items = [{ product_id, quantity: 1 }]
    const body = { items, shipping: testShipping }
    const { json } = await buyer.request('POST', `/users/${buyer.id}/orders`, body)
    return json.id
  }
  const at = (order: number) => `/users/${buyer.id}/orders/${order}/payment`
  const pay = (order: number, token: string, key: Key) =>
    buyer.request('POST', at(order), { method: 'card', token }, key)
  const paymentsOf = async (order: number): Promise<string[]> =>
    (await buyer.request('GET', at(order))).json.data.map(
      ({ status }: { status: string }) => status,
    )
  /** Deletes the stored response, as if the process had ended before storing it. */
  const deleteResponses = () =>
    shop.db.updateTable('idempotency_keys').set({ answer: null }).where('subject', '>', 0).execute()
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    const then = shop.now
    shop.now = then + minuteMs
    try {
      return await work()
    } finally {
      shop.now = then
    }
  }

  test('ten concurrent requests and a later one charge once and get the same response', async () => {
    const order = await place()
    const key = newKey()
    const sent = Array.from({ length: 10 }, () => pay(order, 'tok_visa', key))
    const answers = await Promise.all(sent)
    const again = await pay(order, 'tok_visa', key)
    assert.equal(again.status, 201, again.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    for (const answer of answers) {
      if (answer.status === 201) assert.equal(answer.text, again.text)
      else assert.equal(answer.json.error_code, '4094')
    }
    assert.equal(await shop.countCharges(order), 1)
    assert.deepEqual(await paymentsOf(order), ['succeeded'])
  })
  test('a decline is replayed, and another key may try another card', async () => {
    const order = await place()
    const key = newKey()
    const declined = await pay(order, 'tok_declined', key)
    const again = await pay(order, 'tok_declined', key)
    assert.equal(again.json.error_code, '4223')
    assert.equal(again.text, declined.text)
    assert.deepEqual(await paymentsOf(order), ['failed'])
    assert.equal((await pay(order, 'tok_visa', newKey())).status, 201)
  })
  test('a wrong body uses up its key before the provider is called, and takes none in progress', async () => {
    const order = await place()
    const key = newKey()
    const wrong = () => buyer.request('POST', at(order), { method: 'card', token: 5 }, key)
    assert.equal((await wrong()).json.error_code, '4221')
    assert.equal((await wrong()).headers['idempotent-replayed'], 'true')
    assert.equal((await pay(order, 'tok_visa', key)).json.error_code, '4222')
    assert.equal(await shop.countCharges(order), 0)
    assert.deepEqual(await paymentsOf(order), [])
    const used = newKey()
    const first = await pay(order, 'tok_visa', used)
    await deleteResponses()
    const other = await buyer.request('POST', at(order), { method: 'card', token: 5 }, used)
    assert.equal(other.json.error_code, '4222')
    const retried = await later(() => pay(order, 'tok_visa', used))
    assert.equal(retried.json.id, first.json.id)
    assert.equal(await shop.countCharges(order), 1)
  })
  test('a provider failure is not stored, and the same key may pay afterwards', async () => {
    const order = await place()
    const key = newKey()
    assert.equal((await pay(order, 'tok_down', key)).status, 503)
    const again = await pay(order, 'tok_down', key)
    assert.equal(again.status, 503, again.text)
    assert.equal(again.headers['idempotent-replayed'], undefined)
    assert.deepEqual(await paymentsOf(order), ['failed', 'failed'])
  })
  for (const [token, status, code] of [
    ['tok_visa', 201, undefined],
    ['tok_declined', 422, '4223'],
  ] as const) {
    test(`the outcome of ${token} is returned although its process ended before responding`, async () => {
      const order = await place()
      const key = newKey()
      const first = await pay(order, token, key)
      await deleteResponses()
      assert.equal((await pay(order, token, key)).json.error_code, '4094')
      const retried = await later(() => pay(order, token, key))
      assert.equal(retried.status, status, retried.text)
      assert.equal(retried.json.error_code, code)
      if (status === 201) assert.equal(retried.json.id, first.json.id)
      assert.equal((await pay(order, token, key)).text, retried.text)
      assert.equal((await paymentsOf(order)).length, 1)
    })
  }
  test('an unfinished payment answers 202, and its outcome once settled', async () => {
    const order = await place()
    const key = newKey()
    await pay(order, 'tok_visa', key)
    await deleteResponses()
    const ofOrder = shop.db.updateTable('payments').where('order_id', '=', order)
    await ofOrder.set({ status: 'pending' }).execute()
    const open = await later(() => pay(order, 'tok_visa', key))
    assert.equal(open.status, 202, open.text)
    await ofOrder.set({ status: 'succeeded' }).execute()
    const over = await later(() => pay(order, 'tok_visa', key))
    assert.equal(over.status, 201, over.text)
    assert.equal(await shop.countCharges(order), 1)
  })
  test('a voided payment is made again', async () => {
    const order = await place()
    const key = newKey()
    await pay(order, 'tok_down', key)
    await deleteResponses()
    const body = { method: 'card', token: 'tok_visa' }
    const fresh = await buyer.request('POST', at(order), body, newKey())
    assert.equal(fresh.status, 201, fresh.text)
    const again = await later(() => pay(order, 'tok_down', key))
    assert.equal(again.json.error_code, '4091')
    assert.equal(await shop.countCharges(order), 1)
  })
  test('a repeated refund gets the same response, also after it has settled', async () => {
    const order = await place()
    await pay(order, 'tok_visa', newKey())
    const key = newKey()
    const move = () => admin.request('PATCH', `/orders/${order}`, { status: 'cancelled' }, key)
    const first = await move()
    assert.equal(first.status, 200, first.text)
    assert.equal((await move()).text, first.text)
    await deleteResponses()
    const retried = await later(move)
    assert.equal(retried.status, 200, retried.text)
    assert.equal(retried.json.status, 'cancelled')
    await runJobs(shop.parts, shop.db)
    assert.deepEqual(await paymentsOf(order), ['refunded'])
  })
})
