import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { startGuest } from '#test/support/callers/guest.ts'
import { behindProxy, requestFrom } from '#test/support/callers/networks.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { minuteMs } from '#values/instant.ts'

const [perUser, perNetwork] = [20, 50]

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let product: number
  before(async () => {
    const unpaidOrders = { perUser, stockShare: 0.25 }
    const composition = { httpsPolicy: behindProxy, unpaidOrders }
    shop = await startPayingApp(kind, 1000, { composition })
    admin = await shop.signInAs('admin')
    product = (await shop.addProduct()).id
  })
  after(() => shop.dispose())

  const guestAt = (address: string) => startGuest({ request: requestFrom(shop.request, address) })
  const body = () => ({ items: [{ product_id: product, quantity: 1 }], shipping: testShipping })
  type Guest = Awaited<ReturnType<typeof guestAt>>
  const orderAll = async (guests: readonly Guest[]) => {
    const answers = await Promise.all(
      guests.map(({ request }) => request('POST', '/orders', body())),
    )
    const placed = answers.filter(({ status }) => status === 201)
    const rejected = answers.filter(({ json }) => json.error_code === '4291')
    assert.equal(placed.length + rejected.length, guests.length)
    return { placed, rejected }
  }

  describe('unpaid orders', () => {
    test('of a user are limited, also when placed at once', async () => {
      const guest = await guestAt('203.0.113.1')
      const { placed, rejected } = await orderAll(Array.from({ length: 30 }, () => guest))
      assert.deepEqual([placed.length, rejected.length], [perUser, 10])
      const [first] = rejected
      assert.equal(first?.status, 429)
      assert.equal(first?.headers['retry-after'], String(30 * 60))
      shop.now += 10 * minuteMs
      const later = await guest.request('POST', '/orders', body())
      assert.equal(later.headers['retry-after'], String(20 * 60))
      const { id } = placed[0]?.json ?? {}
      const pay = { method: 'card', token: 'tok_visa' }
      const paid = await guest.request('POST', `/users/${guest.id}/orders/${id}/payment`, pay)
      assert.equal(paid.status, 201, paid.text)
      assert.equal((await guest.request('POST', '/orders', body())).status, 201)
      const elsewhere = requestFrom(guest.request, '203.0.113.2')
      assert.equal((await elsewhere('POST', '/orders', body())).status, 429)
    })

    test('of a network, of IPv6 a site, are limited, also when many guests place them at once', async () => {
      const addresses = Array.from({ length: 6 }, (_, at) => `2001:db8:0:${at + 1}::1`)
      const guests = await Promise.all(addresses.map(guestAt))
      const { placed, rejected } = await orderAll(guests.flatMap((guest) => Array(10).fill(guest)))
      assert.deepEqual([placed.length, rejected.length], [perNetwork, 10])
      const other = await guestAt('2001:db8:1:1::1')
      assert.equal((await other.request('POST', '/orders', body())).status, 201)
    })

    test('that an administrator places are not', async () => {
      const from = requestFrom(admin.request, '2001:db8:0:1::7')
      for (let turn = 0; turn <= perUser; turn += 1) {
        assert.equal((await from('POST', '/orders', body())).status, 201)
      }
    })
  })
})
