import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findProductSnapshots } from '#shop/catalogue/products/stock/stock-store.ts'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { startGuest, type TestGuest } from '#test/support/callers/guest.ts'
import { behindProxy, requestFrom } from '#test/support/callers/networks.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { minuteMs } from '#values/instant.ts'
import { type YieldingParts, yieldTo } from './yielding.ts'

const card = { method: 'card', token: 'tok_visa' }

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  const stocks = new Map<number, number>()
  before(async () => {
    shop = await startPayingApp(kind, 1000, { composition: { httpsPolicy: behindProxy } })
    admin = await shop.signInAs('admin')
  })
  after(async () => {
    try {
      await runJobs(shop.parts, shop.db)
      await reconcile(shop.db, stocks)
    } finally {
      await shop.dispose()
    }
  })

  let networks = 0
  const nextAddress = () => {
    networks += 1
    return `198.51.${Math.floor(networks / 250)}.${(networks % 250) + 1}`
  }
  const guestAt = (address = nextAddress()): Promise<TestGuest> =>
    startGuest({ request: requestFrom(shop.request, address) })
  const addProduct = async (stock: number): Promise<number> => {
    const { id } = await shop.addProduct({ stock })
    stocks.set(id, stock)
    return id
  }
  const bodyOf = (product_id: number, quantity: number) => ({
    items: [{ product_id, quantity }],
    shipping: testShipping,
  })
  const order = ({ request }: Pick<TestGuest, 'request'>, product: number, quantity: number) =>
    request('POST', '/orders', bodyOf(product, quantity))
  const place = async (guest: Pick<TestGuest, 'request'>, product: number, quantity: number) => {
    const placed = await order(guest, product, quantity)
    assert.equal(placed.status, 201, placed.text)
    return placed.json
  }
  const stateOf = async (id: number) => {
    const [row] = await shop.db.selectFrom('orders').selectAll().where('id', '=', id).execute()
    return `${row?.status} ${row?.cancel_reason}`
  }
  const stockOf = async (id: number) => (await admin.request('GET', `/products/${id}`)).json.stock

  describe('the pieces that unpaid orders hold', () => {
    test('beyond the share of a network go at once to an order of another one that needs them', async () => {
      const product = await addProduct(40)
      const hoarder = await guestAt()
      const hoarded = await place(hoarder, product, 40)
      const placed = await place(await guestAt(), product, 3)
      assert.equal(placed.cancel_reason, null)
      const shown = await hoarder.request('GET', `/orders/${hoarded.id}`)
      assert.deepEqual(
        [shown.json.status, shown.json.cancel_reason, shown.json.expires_at],
        ['cancelled', 'stock_needed', null],
      )
      assert.equal(await stockOf(product), 37)
      const paid = await hoarder.request(
        'POST',
        `/users/${hoarder.id}/orders/${hoarded.id}/payment`,
        card,
      )
      assert.equal(paid.json.error_code, '4091')
      const events = await admin.request('GET', '/events?type=order.cancelled&limit=100')
      const data = events.json.data.map(({ data: shown }: { data: object }) => shown)
      assert.ok(
        data.some(
          (shown: { id: number; cancel_reason: string }) =>
            shown.id === hoarded.id && shown.cancel_reason === 'stock_needed',
        ),
      )
    })

    test('are those of all networks of an IPv6 site together', async () => {
      const product = await addProduct(20)
      const held = []
      for (const network of [1, 2, 3, 4]) {
        held.push(await place(await guestAt(`2001:db8:5:${network}::1`), product, 5))
      }
      const neighbour = await guestAt('2001:db8:5:5::1')
      assert.equal((await order(neighbour, product, 1)).json.error_code, '4093')
      await place(await guestAt('2001:db8:6:1::1'), product, 15)
      const states = await Promise.all(held.map(({ id }) => stateOf(id)))
      const needed = 'cancelled stock_needed'
      assert.deepEqual(states, ['pending null', needed, needed, needed])
    })

    test('can be put into a cart by another network, and ordered from it', async () => {
      const product = await addProduct(20)
      const hoarder = await guestAt()
      const hoarded = await place(hoarder, product, 20)
      const line = { product_id: product, quantity: 20 }
      const own = await hoarder.request('POST', '/cart', line)
      assert.equal(own.json.error_code, '4093')
      const buyer = await guestAt()
      const more = { product_id: product, quantity: 21 }
      assert.equal((await buyer.request('POST', '/cart', more)).json.error_code, '4093')
      const added = await buyer.request('POST', '/cart', { product_id: product, quantity: 2 })
      assert.equal(added.status, 201, added.text)
      const path = `/users/${buyer.id}/cart/items/${added.json.id}`
      assert.equal((await buyer.request('PATCH', path, { quantity: 3 })).status, 200)
      assert.equal(await stateOf(hoarded.id), 'pending null')
      const placed = await buyer.request('POST', '/orders', { shipping: testShipping })
      assert.equal(placed.status, 201, placed.text)
      assert.equal(await stateOf(hoarded.id), 'cancelled stock_needed')
      assert.equal(await stockOf(product), 17)
    })

    test('within the share stay, and so do five pieces', async () => {
      const product = await addProduct(20)
      const kept = await place(await guestAt(), product, 5)
      const few = await addProduct(5)
      const all = await place(await guestAt(), few, 5)
      const buyer = await guestAt()
      assert.equal((await order(buyer, few, 1)).json.error_code, '4093')
      await place(buyer, product, 15)
      assert.equal((await order(await guestAt(), product, 16)).json.error_code, '4093')
      for (const { id } of [kept, all]) assert.equal(await stateOf(id), 'pending null')
    })

    test('yield to no order of the same network, of an administrator never, and to one of an administrator', async () => {
      const product = await addProduct(10)
      const address = nextAddress()
      const held = await place(await guestAt(address), product, 10)
      assert.equal((await order(await guestAt(address), product, 1)).json.error_code, '4093')
      await place(admin, product, 10)
      assert.equal(await stateOf(held.id), 'cancelled stock_needed')
      assert.equal((await order(await guestAt(), product, 1)).json.error_code, '4093')
    })

    test('yield the newest first, and only as many orders as are needed', async () => {
      const product = await addProduct(30)
      const hoarder = await guestAt()
      const first = await place(hoarder, product, 10)
      const second = await place(hoarder, product, 10)
      const third = await place(hoarder, product, 10)
      await place(await guestAt(), product, 12)
      assert.equal(await stateOf(first.id), 'pending null')
      assert.equal(await stateOf(second.id), 'cancelled stock_needed')
      assert.equal(await stateOf(third.id), 'cancelled stock_needed')
      assert.equal(await stockOf(product), 8)
    })

    test('stay where the order could not be filled even so', async () => {
      const product = await addProduct(20)
      const held = await place(await guestAt(), product, 20)
      const rejected = await order(await guestAt(), product, 21)
      assert.equal(rejected.json.error_code, '4093')
      const others = await addProduct(1)
      const items = [...bodyOf(product, 1).items, ...bodyOf(others, 2).items]
      const short = await (await guestAt()).request('POST', '/orders', { items })
      assert.equal(short.json.error_code, '4093', short.text)
      assert.equal(await stateOf(held.id), 'pending null')
    })

    test('of many orders yield ten orders at a time, unless the order is refused', async () => {
      const product = await addProduct(30)
      const address = nextAddress()
      const held: number[] = []
      for (const hoarder of [await guestAt(address), await guestAt(address)]) {
        for (let turn = 0; turn < 13; turn += 1) held.push((await place(hoarder, product, 1)).id)
      }
      const cancelled = async () => {
        const states = await Promise.all(held.map(stateOf))
        return states.filter((state) => state === 'cancelled stock_needed').length
      }
      const buyer = await guestAt()
      const body = { ...bodyOf(product, 20), expected_total: 1 }
      assert.equal((await buyer.request('POST', '/orders', body)).json.error_code, '4091')
      assert.equal(await cancelled(), 0)
      const atOnce: number[] = []
      const { transaction } = shop.parts
      const parts: YieldingParts = {
        ...shop.parts,
        transaction: async (work) => {
          const before = await cancelled()
          const result = await transaction(work)
          atOnce.push((await cancelled()) - before)
          return result
        },
      }
      const yielded = await transaction(async (db) => {
        const productSnapshots = await findProductSnapshots(db, [product])
        const lines = [{ product_id: product, quantity: 20 }]
        return yieldTo(db, { network: 'other', lines, productSnapshots }, parts, shop.now)
      })
      assert.deepEqual([yielded.areCancelled, await cancelled()], [false, 0])
      await yielded.makeWay?.()
      assert.deepEqual(atOnce, [10, 6])
      const rest = await addProduct(30)
      for (const hoarder of [await guestAt(address), await guestAt(address)]) {
        for (let turn = 0; turn < 13; turn += 1) held.push((await place(hoarder, rest, 1)).id)
      }
      await place(buyer, rest, 20)
      assert.equal(await cancelled(), 32)
      assert.equal(await stockOf(rest), 0)
    })

    test('never yield while a payment is under way', async () => {
      const product = await addProduct(20)
      const holder = await guestAt()
      const held = await place(holder, product, 20)
      const path = `/users/${holder.id}/orders/${held.id}`
      const waiting = await holder.request('POST', `${path}/payment`, {
        method: 'card',
        token: 'tok_3ds',
        return_url: 'http://localhost:3000/return',
      })
      assert.equal(waiting.status, 202, waiting.text)
      assert.equal((await order(await guestAt(), product, 1)).json.error_code, '4093')
      assert.equal(await stateOf(held.id), 'pending null')
      await holder.request('PATCH', `/orders/${held.id}`, { status: 'cancelled' })
      assert.equal(await stateOf(held.id), 'cancelled requested')
    })

    test('yield to a pending order that is replaced', async () => {
      const product = await addProduct(20)
      const buyer = await guestAt()
      const own = await place(buyer, product, 2)
      const held = await place(await guestAt(), product, 18)
      const path = `/users/${buyer.id}/orders/${own.id}`
      const replaced = await buyer.request('PUT', path, bodyOf(product, 6))
      assert.equal(replaced.status, 200, replaced.text)
      assert.equal(await stateOf(held.id), 'cancelled stock_needed')
      assert.equal(await stockOf(product), 14)
    })

    test('are each sold once when orders of many networks need them at once', async () => {
      const product = await addProduct(30)
      const other = await addProduct(30)
      const hoarder = await guestAt()
      const held = [await place(hoarder, product, 15), await place(hoarder, product, 15)]
      await place(hoarder, other, 30)
      const buyers = await Promise.all(Array.from({ length: 24 }, () => guestAt()))
      const items = [...bodyOf(product, 2).items, ...bodyOf(other, 2).items]
      const answers = await Promise.all(
        buyers.map(({ request }, at) =>
          request('POST', '/orders', { items: at % 2 === 0 ? items : items.toReversed() }),
        ),
      )
      const results = Map.groupBy(answers, ({ status, json }) => `${status} ${json.error_code}`)
      assert.deepEqual([...results.keys()].sort(), ['201 undefined', '409 4093'])
      assert.equal(results.get('201 undefined')?.length, 15)
      for (const { id } of held) assert.equal(await stateOf(id), 'cancelled stock_needed')
      assert.equal(await stockOf(product), 0)
    })

    test('are sold once when the payment begins while they are needed', async () => {
      for (let turn = 0; turn < 8; turn += 1) {
        const product = await addProduct(10)
        const holder = await guestAt()
        const held = await place(holder, product, 10)
        const path = `/users/${holder.id}/orders/${held.id}/payment`
        const [paid, placed] = await Promise.all([
          holder.request('POST', path, card),
          order(await guestAt(), product, 1),
        ])
        const state = await stateOf(held.id)
        assert.equal(await shop.countCharges(held.id), state === 'paid null' ? 1 : 0)
        assert.equal(
          `${paid.status} ${placed.status} ${state}`,
          state === 'paid null' ? '201 409 paid null' : '409 201 cancelled stock_needed',
        )
      }
    })

    test('are shown by the metrics', async () => {
      const gauge = async (name: string) => {
        const { text } = await shop.request('GET', '/metrics')
        return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
      }
      const [orders, pieces] = [await gauge('orders_unpaid'), await gauge('stock_held_unpaid')]
      const buyer = await guestAt()
      const placed = await place(buyer, await addProduct(9), 4)
      assert.equal(await gauge('orders_unpaid'), orders + 1)
      assert.equal(await gauge('stock_held_unpaid'), pieces + 4)
      await buyer.request('POST', `/users/${buyer.id}/orders/${placed.id}/payment`, card)
      assert.equal(await gauge('orders_unpaid'), orders)
      assert.equal(await gauge('stock_held_unpaid'), pieces)
    })

    test('the network of an order is known while it is unpaid only, and shown to nobody', async () => {
      const networkOf = async (id: number) =>
        (await shop.db.selectFrom('orders').select('network').where('id', '=', id).execute())[0]
          ?.network
      const address = nextAddress()
      const buyer = await guestAt(address)
      const product = await addProduct(9)
      const [paid, cancelled, removed, open] = [
        await place(buyer, product, 1),
        await place(buyer, product, 1),
        await place(buyer, product, 1),
        await place(buyer, product, 1),
      ]
      assert.equal(await networkOf(paid.id), address)
      assert.doesNotMatch(JSON.stringify(paid), new RegExp(address))
      await buyer.request('POST', `/users/${buyer.id}/orders/${paid.id}/payment`, card)
      await buyer.request('PATCH', `/orders/${cancelled.id}`, { status: 'cancelled' })
      await buyer.request('DELETE', `/users/${buyer.id}/orders/${removed.id}`)
      for (const { id } of [paid, cancelled, removed]) assert.equal(await networkOf(id), null)
      const exported = await buyer.request('GET', `/users/${buyer.id}?include=data`)
      assert.match(exported.text, new RegExp(address))
      shop.now += 31 * minuteMs
      await runJobs(shop.parts, shop.db)
      assert.equal(await networkOf(open.id), null)
      assert.equal(await stateOf(open.id), 'cancelled expired')
      assert.equal(await stateOf(cancelled.id), 'cancelled requested')
    })
  })
})
