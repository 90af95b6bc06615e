import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { confirmAddress, eachDatabase, type TestCaller } from '#test/support/app.ts'
import { startGuest, type TestGuest } from '#test/support/callers/guest.ts'
import { behindProxy, requestFrom } from '#test/support/callers/networks.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let product: number
  before(async () => {
    shop = await startPayingApp(kind, 1000, { composition: { httpsPolicy: behindProxy } })
    admin = await shop.signInAs('admin')
    product = (await shop.addProduct({ price: 10 })).id
  })
  after(async () => {
    try {
      await runJobs(shop.parts, shop.db)
      await reconcile(shop.db)
    } finally {
      await shop.dispose()
    }
  })

  let networks = 0
  const guestAt = (address?: string): Promise<TestGuest> => {
    networks += 1
    return startGuest({ request: requestFrom(shop.request, address ?? `203.0.113.${networks}`) })
  }
  const addDiscount = async (code: string, limits: object) => {
    const body = { code, kind: 'amount', value: 1, ...limits }
    const added = await admin.request('POST', '/discounts', body)
    assert.equal(added.status, 201, added.text)
    return async () => (await admin.request('GET', `/discounts/${added.json.id}`)).json.used_count
  }
  const order = (
    { request }: Pick<TestGuest, 'request'>,
    discount_code: string | null,
    more = {},
  ) =>
    request('POST', '/orders', {
      items: [{ product_id: product, quantity: 1 }],
      shipping: testShipping,
      discount_code,
      ...more,
    })
  const place = async (buyer: Pick<TestGuest, 'request'>, code: string | null) => {
    const placed = await order(buyer, code)
    assert.equal(placed.status, 201, placed.text)
    return placed.json
  }
  const stateOf = async (id: number) => {
    const { status, cancel_reason } = (await admin.request('GET', `/orders/${id}`)).json
    return `${status} ${cancel_reason}`
  }

  describe('the uses of a discount that unpaid orders hold', () => {
    test('yield to another network, but the first of each network', async () => {
      const usedCount = await addDiscount('THREE', { usage_limit: 3 })
      const hoarder = await guestAt()
      const held = [
        await place(hoarder, 'THREE'),
        await place(hoarder, 'THREE'),
        await place(hoarder, 'THREE'),
      ]
      const states = () => Promise.all(held.map(({ id }) => stateOf(id)))
      const buyers = [await guestAt(), await guestAt(), await guestAt()] as const
      await place(buyers[0], 'three')
      assert.deepEqual(await states(), [
        'pending null',
        'pending null',
        'cancelled discount_needed',
      ])
      await place(buyers[1], 'THREE')
      assert.deepEqual(await states(), [
        'pending null',
        ...Array(2).fill('cancelled discount_needed'),
      ])
      assert.equal((await order(buyers[2], 'THREE')).json.error_code, '4091')
      assert.equal(await usedCount(), 3)
    })

    test('do not yield to one order what a lower limit has made too many', async () => {
      const body = { code: 'LESS', kind: 'amount', value: 1, usage_limit: 4 }
      const { json } = await admin.request('POST', '/discounts', body)
      const hoarder = await guestAt()
      const held = []
      for (let time = 0; time < 4; time += 1) held.push(await place(hoarder, 'LESS'))
      const path = `/discounts/${json.id}`
      assert.equal((await admin.request('PATCH', path, { usage_limit: 2 })).status, 200)
      assert.equal((await order(await guestAt(), 'LESS')).json.error_code, '4091')
      for (const { id } of held) assert.equal(await stateOf(id), 'pending null')
      assert.equal((await admin.request('PATCH', path, { usage_limit: 4 })).status, 200)
      await place(await guestAt(), 'LESS')
      const states = await Promise.all(held.map(({ id }) => stateOf(id)))
      assert.equal(states.filter((state) => state === 'pending null').length, 3)
    })

    test('yield after ten minutes, the first of a network too', async () => {
      const usedCount = await addDiscount('ONE', { usage_limit: 1 })
      const held = await place(await guestAt(), 'ONE')
      const buyer = await guestAt()
      shop.now += 10 * minuteMs - 1
      assert.equal((await order(buyer, 'ONE')).status, 409)
      shop.now += 1
      await place(buyer, 'ONE')
      assert.equal(await stateOf(held.id), 'cancelled discount_needed')
      assert.equal(await usedCount(), 1)
    })

    test('do not yield while the payment is under way, nor to the same network', async () => {
      await addDiscount('TWO', { usage_limit: 2 })
      const holder = await guestAt('192.0.2.1')
      await place(holder, 'TWO')
      const held = await place(holder, 'TWO')
      assert.equal((await order(await guestAt('192.0.2.1'), 'TWO')).status, 409)
      const payment = { method: 'card', token: 'tok_3ds', return_url: 'http://localhost:3000/back' }
      const path = `/users/${holder.id}/orders/${held.id}/payment`
      assert.equal((await holder.request('POST', path, payment)).status, 202)
      assert.equal((await order(await guestAt(), 'TWO')).status, 409)
      await holder.request('PATCH', `/orders/${held.id}`, { status: 'cancelled' })
    })

    test('go to one order each when many networks need them at once', async () => {
      const usedCount = await addDiscount('FIVE', { usage_limit: 5 })
      const hoarder = await guestAt()
      for (let turn = 0; turn < 5; turn += 1) await place(hoarder, 'FIVE')
      const buyers = await Promise.all(Array.from({ length: 12 }, () => guestAt()))
      const answers = await Promise.all(buyers.map((buyer) => order(buyer, 'FIVE')))
      const results = Map.groupBy(answers, ({ status, json }) => `${status} ${json.error_code}`)
      assert.deepEqual([...results.keys()].sort(), ['201 undefined', '409 4091'])
      assert.equal(results.get('201 undefined')?.length, 4)
      assert.equal(await usedCount(), 5)
    })
  })

  describe('the limit of a user', () => {
    const guestWith = async (email: string): Promise<TestGuest> => {
      const guest = await guestAt()
      const { status } = await guest.request('PATCH', `/users/${guest.id}`, { email })
      assert.equal(status, 200)
      return guest
    }
    const pay = async ({ id, request }: Pick<TestGuest, 'id' | 'request'>, orderId: number) => {
      const path = `/users/${id}/orders/${orderId}/payment`
      const { status, json } = await request('POST', path, { method: 'card', token: 'tok_visa' })
      return `${status} ${json.error_code}`
    }

    test('counts paid orders with the same contact address, too', async () => {
      await addDiscount('EACH', { usage_limit_per_user: 1 })
      const first = await guestWith('ada@example.com')
      assert.equal(await pay(first, (await place(first, 'EACH')).id), '201 undefined')
      // Two guests may have one address, which is not proven.
      const second = await guestWith('Ada@Example.com')
      assert.equal((await order(second, 'EACH')).json.error_code, '4091')
      await place(await guestWith('bob@example.com'), 'EACH')
    })

    test('is told in a cart only to whoever has used the code or confirmed the address', async () => {
      await addDiscount('CART', { usage_limit_per_user: 1 })
      const email = 'hedy@example.com'
      const problemsOf = async ({ id, request }: Pick<TestGuest, 'id' | 'request'>) => {
        await request('POST', '/cart', { product_id: product, quantity: 1 })
        const applied = await request('PUT', `/users/${id}/cart/discount`, { code: 'CART' })
        const { json } = await request('GET', `/users/${id}/cart/status`)
        return [applied.status, json.problems.map(({ code }: { code: string }) => code)]
      }
      const signedUp = await shop.signInAs('customer', { email })
      const first = await guestWith(email)
      const stranger = await guestWith(email)
      const none = await problemsOf(stranger)
      assert.equal(await pay(first, (await place(first, 'CART')).id), '201 undefined')
      assert.deepEqual(none, [200, []])
      assert.deepEqual(await problemsOf(stranger), none)
      assert.deepEqual(await problemsOf(signedUp), none)
      assert.equal((await order(stranger, 'CART')).json.error_code, '4091')
      assert.deepEqual(await problemsOf(first), [409, []])
      await confirmAddress(shop.db, signedUp.id)
      const { json } = await signedUp.request('GET', `/users/${signedUp.id}/cart/status`)
      assert.deepEqual(
        json.problems.map(({ code }: { code: string }) => code),
        ['discount_unusable'],
      )
    })

    test('is not used up for whoever has confirmed an address by free orders of others', async () => {
      await addDiscount('GIFT', { kind: 'percent', value: '100', usage_limit_per_user: 1 })
      const pickup = { shipping: { method: 'pickup' } }
      const holder = await shop.signInAs('customer', { email: 'lise@example.com' })
      await confirmAddress(shop.db, holder.id)
      const stranger = await guestWith('lise@example.com')
      const statusOf = async (buyer: Pick<TestGuest, 'request'>) => {
        const { json } = await order(buyer, 'GIFT', pickup)
        return json.status === 'paid' ? json.total : json.error_code
      }
      assert.equal(await statusOf(stranger), 0)
      // One person makes any number of guests.
      assert.equal(await statusOf(stranger), '4091')
      assert.equal(await statusOf(await guestWith('lise@example.com')), '4091')
      assert.equal(await statusOf(holder), 0)
      assert.equal(await statusOf(holder), '4091')
      assert.equal(await statusOf(await guestWith('lise@example.com')), '4091')
    })

    test('is not used up by strangers who type an address and do not pay', async () => {
      await addDiscount('MINE', { usage_limit_per_user: 1 })
      const stranger = await guestWith('eve@example.com')
      await place(stranger, 'MINE')
      const signedUp = await shop.signInAs('customer', { email: 'eve@example.com' })
      await place(signedUp, 'MINE')
      const owner = await guestWith('Eve@Example.com')
      const placed = await place(owner, 'MINE')
      assert.equal((await order(owner, 'MINE')).json.error_code, '4091')
      assert.equal(await pay(owner, placed.id), '201 undefined')
    })

    test('counts unpaid orders of the user who has confirmed the address', async () => {
      await addDiscount('OWN', { usage_limit_per_user: 1 })
      const owner = await shop.signInAs('customer', { email: 'grace@example.com' })
      await confirmAddress(shop.db, owner.id)
      const held = await place(owner, 'OWN')
      const guest = await guestWith('grace@example.com')
      assert.equal((await order(guest, 'OWN')).json.error_code, '4091')
      assert.equal(await pay(owner, held.id), '201 undefined')
    })

    test('holds for orders that were unpaid at the same time: the first that is paid has the use', async () => {
      await addDiscount('FIRST', { usage_limit_per_user: 1 })
      const buyers = [
        await guestWith('joan@example.com'),
        await guestWith('joan@example.com'),
      ] as const
      const orders = [await place(buyers[0], 'FIRST'), await place(buyers[1], 'FIRST')] as const
      assert.equal(await pay(buyers[1], orders[1].id), '201 undefined')
      assert.equal(await pay(buyers[0], orders[0].id), '409 4091')
      const path = `/users/${buyers[0].id}/orders/${orders[0].id}`
      const undiscounted = await buyers[0].request('PUT', path, { discount_code: null })
      assert.equal(undiscounted.status, 200, undiscounted.text)
      assert.equal(await pay(buyers[0], orders[0].id), '201 undefined')
    })

    test('holds for orders that become free, too, and are paid by that', async () => {
      await addDiscount('FREE', { value: 10, usage_limit_per_user: 1 })
      const [first, second, third] = [
        await guestWith('mary@example.com'),
        await guestWith('mary@example.com'),
        await guestWith('mary@example.com'),
      ]
      const pickup = { method: 'pickup' }
      const items = (quantity: number) => [{ product_id: product, quantity }]
      const placed = [
        (await order(first, 'FREE', { items: items(2), shipping: pickup })).json,
        (await order(second, 'FREE', { items: items(2), shipping: pickup })).json,
        (await order(third, 'FREE')).json,
      ] as const
      const replaceItems = ({ id, request }: TestGuest, orderId: number, more = {}) =>
        request('PUT', `/users/${id}/orders/${orderId}`, { items: items(1), ...more })
      const free = await replaceItems(first, placed[0].id)
      assert.deepEqual([free.json.status, free.json.total], ['paid', 0], free.text)
      for (const rejected of [
        await replaceItems(second, placed[1].id),
        await third.request('PATCH', `/orders/${placed[2].id}/shipping`, pickup),
        await third.request('PUT', `/users/${third.id}/orders/${placed[2].id}`, {
          shipping: pickup,
        }),
      ]) {
        assert.equal(`${rejected.status} ${rejected.json.error_code}`, '409 4091', rejected.text)
      }
      for (const { id } of placed.slice(1)) assert.equal(await stateOf(id), 'pending null')
      const undiscounted = await replaceItems(second, placed[1].id, { discount_code: null })
      assert.equal(undiscounted.json.total, 10, undiscounted.text)
    })
  })

  test('a blank code is none', async () => {
    const buyer = await guestAt()
    for (const code of ['', '  ']) assert.equal((await place(buyer, code)).discount, null)
    await buyer.request('POST', '/cart', { product_id: product, quantity: 1 })
    const applied = await buyer.request('PUT', `/users/${buyer.id}/cart/discount`, { code: ' ' })
    assert.equal(`${applied.status} ${applied.json.error_code}`, '400 4001')
  })

  test('PUT of a pending order removes the discount with a null code and gives the use back', async () => {
    const usedCount = await addDiscount('GONE', { usage_limit: 1 })
    const buyer = await guestAt()
    const placed = await place(buyer, 'GONE')
    const path = `/users/${buyer.id}/orders/${placed.id}`
    const put = (body: object) => buyer.request('PUT', path, body)
    assert.equal((await put({ discount_code: 'gone' })).json.discount.code, 'GONE')
    assert.equal((await put({ discount_code: 'OTHER' })).json.error_code, '4221')
    assert.equal(await usedCount(), 1)
    const removed = await put({ discount_code: null })
    assert.equal(removed.status, 200, removed.text)
    assert.equal(removed.json.discount, null)
    assert.equal(removed.json.total, placed.total + 1)
    assert.equal(await usedCount(), 0)
    const items = await buyer.request('GET', `/orders/${placed.id}/items`)
    assert.equal(items.json.data[0].discount, 0)
    const again = await put({ discount_code: null })
    assert.equal(again.headers['etag'], removed.headers['etag'])
  })
})
