import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { maxAddresses } from '#shop/accounts/addresses/schema.ts'
import { maxLines } from '#shop/checkout/carts/schema.ts'
import { eachDatabase, type TestCaller, testPassword } from '#test/support/app.ts'
import { startGuest, type TestGuest } from '#test/support/callers/guest.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { minuteMs } from '#values/instant.ts'

const address = {
  recipient: 'Ada Lovelace',
  line1: '12 St James’s Square',
  city: 'London',
  postal_code: 'SW1Y 4JH',
  country: 'GB',
}

eachDatabase((kind) => {
  describe('merging a guest into an account', () => {
    let shop: PayingApp
    let admin: TestCaller
    let products: readonly number[]
    before(async () => {
      shop = await startPayingApp(kind)
      admin = await shop.signInAs('admin')
      const added = await Promise.all(Array.from({ length: 3 }, () => shop.addProduct()))
      products = added.map(({ id }) => id)
    })
    after(async () => {
      await reconcile(shop.db)
      await shop.dispose()
    })

    const signIn = (account: TestCaller, guest_token: string) =>
      shop.request('POST', '/login', {
        username: account.username,
        password: testPassword,
        guest_token,
      })
    const put = ({ request }: Pick<TestGuest, 'request'>, at: number, quantity: number) =>
      request('POST', '/cart', { product_id: products[at], quantity })
    const quantities = async ({ request }: TestCaller) => {
      const { json } = await request('GET', '/cart')
      return json.items.map(({ quantity }: { quantity: number }) => quantity)
    }

    test('adds up the carts to at most 999 a line, and takes the discount over', async () => {
      await admin.request('POST', '/discounts', { code: 'MERGED', kind: 'percent', value: '10' })
      const account = await shop.signInAs('customer')
      const guest = await startGuest(shop)
      await put(account, 0, 998)
      await put(account, 1, 1)
      await put(guest, 0, 2)
      await put(guest, 2, 5)
      const code = { code: 'MERGED' }
      assert.equal(
        (await guest.request('PUT', `/users/${guest.id}/cart/discount`, code)).status,
        200,
      )
      assert.equal((await signIn(account, guest.token)).status, 200)
      assert.deepEqual(await quantities(account), [999, 1, 5])
      const { json } = await account.request('GET', '/cart')
      assert.equal(json.discount.code, 'MERGED')
    })

    test('moves orders, purchases, addresses and uses of discounts, and ends the guest', async () => {
      const limited = { code: 'ONCE', kind: 'percent', value: '10', usage_limit_per_user: 1 }
      await admin.request('POST', '/discounts', limited)
      const account = await shop.signInAs('customer')
      const guest = await startGuest(shop, { name: 'Gina', email: 'gina@example.com' })
      await guest.request('POST', `/users/${guest.id}/addresses`, address)
      const items = [{ product_id: products[0], quantity: 1 }]
      const order = await guest.request('POST', '/orders', {
        items,
        discount_code: 'ONCE',
        shipping: testShipping,
      })
      const pay = { method: 'card', token: 'tok_visa' }
      await guest.request('POST', `/users/${guest.id}/orders/${order.json.id}/payment`, pay)
      const [before] = (await admin.request('GET', `/purchases?order_id=${order.json.id}`)).json
        .data
      const etag = (await admin.request('GET', `/purchases/${before.id}`)).headers['etag']
      // A refresh token identifies the guest as well as an access token.
      assert.equal((await signIn(account, guest.refreshToken)).status, 200)

      assert.equal((await guest.request('GET', '/profile')).status, 401)
      assert.equal((await admin.request('GET', `/users/${guest.id}`)).status, 410)
      const moved = await account.request('GET', `/users/${account.id}/orders/${order.json.id}`)
      assert.deepEqual([moved.json.user_id, moved.json.status], [account.id, 'paid'])
      assert.notEqual(moved.headers['etag'], order.headers['etag'])
      assert.equal(moved.json.contact.email, 'gina@example.com')
      const purchase = await admin.request('GET', `/purchases/${before.id}`)
      assert.equal(purchase.json.user_id, account.id)
      assert.notEqual(purchase.headers['etag'], etag)
      const list = await account.request('GET', `/users/${account.id}/addresses`)
      assert.deepEqual(
        list.json.data.map(({ user_id, is_default }: Record<string, unknown>) => [
          user_id,
          is_default,
        ]),
        [[account.id, true]],
      )
      const second = await account.request('POST', '/orders', { items, discount_code: 'ONCE' })
      assert.equal(second.status, 409)
      const events = await admin.request('GET', `/events?subject=/orders/${order.json.id}`)
      const last = events.json.data.at(-1)
      assert.deepEqual([last.type, last.data.user_id], ['order.updated', account.id])
      const created = events.json.data[0]
      assert.equal(created.data.contact.email, 'gina@example.com')
      const audit = await admin.request('GET', `/audit-events?action=guest_merged`)
      assert.equal(audit.json.data.at(-1).subject_id, account.id)
    })

    test('keeps the default address of the account, and none twice', async () => {
      const account = await shop.signInAs('customer')
      const guest = await startGuest(shop)
      const own = `/users/${account.id}/addresses`
      await account.request('POST', own, address)
      await guest.request('POST', `/users/${guest.id}/addresses`, {
        ...address,
        line1: 'Elsewhere',
      })
      await guest.request('POST', `/users/${guest.id}/addresses`, address)
      await signIn(account, guest.token)
      const { json } = await account.request('GET', own)
      assert.deepEqual(
        json.data.map(({ line1, is_default }: Record<string, unknown>) => [line1, is_default]),
        [
          [address.line1, true],
          ['Elsewhere', false],
        ],
      )
    })

    describe('of more than an account may add', () => {
      let account: TestCaller
      let own: string
      let ids: readonly number[]
      const fillCart = (user_id: number, products: readonly number[]) =>
        shop.db
          .insertInto('cart_items')
          .values(
            products.map((product_id) => ({
              ...{ user_id, product_id, quantity: 1 },
              ...{ created_at: shop.now, updated_at: shop.now },
            })),
          )
          .execute()
      const addAddresses = async ({ id, request }: TestGuest | TestCaller, lines: number[]) => {
        for (const line of lines) {
          const body = { ...address, line1: String(line) }
          const { status } = await request('POST', `/users/${id}/addresses`, body)
          assert.equal(status, 201)
        }
      }
      const numbers = (count: number, first: number) =>
        Array.from({ length: count }, (_, at) => first + at)
      const savedLines = async () =>
        (await account.request('GET', `${own}/addresses?limit=100`)).json.data.map(
          ({ line1 }: { line1: string }) => Number(line1),
        )
      before(async () => {
        account = await shop.signInAs('customer')
        own = `/users/${account.id}`
        const added = await Promise.all(numbers(201, 0).map(() => shop.addProduct()))
        ids = added.map(({ id }) => id)
        await fillCart(account.id, ids.slice(0, maxLines))
        await addAddresses(account, numbers(maxAddresses, 0))
        const guest = await startGuest(shop)
        await fillCart(guest.id, ids.slice(maxLines, 2 * maxLines))
        await addAddresses(guest, numbers(maxAddresses, maxAddresses))
        assert.equal((await signIn(account, guest.token)).status, 200)
      })

      test('loses nothing, and nothing can be added until there is less', async () => {
        assert.equal((await quantities(account)).length, 2 * maxLines)
        assert.deepEqual(await savedLines(), numbers(2 * maxAddresses, 0))
        const product_id = ids.at(-1)
        const cart = await account.request('POST', '/cart', { product_id, quantity: 1 })
        const saved = await account.request('POST', `${own}/addresses`, address)
        assert.deepEqual([cart.json.error_code, saved.json.error_code], ['4091', '4091'])
      })

      test('keeps at most twice as much: what the guest added last', async () => {
        const [item] = (await account.request('GET', `${own}/cart/items`)).json.data
        const [first] = (await account.request('GET', `${own}/addresses`)).json.data
        await account.request('DELETE', `${own}/cart/items/${item.id}`)
        await account.request('DELETE', `${own}/addresses/${first.id}`)
        const guest = await startGuest(shop)
        await fillCart(guest.id, [item.product_id, ids.at(-1) ?? 0])
        await addAddresses(guest, [1000, 1001])
        assert.equal((await signIn(account, guest.token)).status, 200)
        const { json } = await account.request('GET', '/cart')
        assert.equal(json.items.length, 2 * maxLines)
        assert.equal(json.items.at(-1).product_id, ids.at(-1))
        assert.deepEqual(await savedLines(), [...numbers(2 * maxAddresses - 1, 1), 1001])
      })

      test('can be ordered, and the order changed', async () => {
        const { status, json } = await account.request('POST', '/orders', {})
        assert.deepEqual([status, json.item_count], [201, 2 * maxLines])
        const items = ids.slice(1).map((product_id) => ({ product_id, quantity: 1 }))
        const path = `${own}/orders/${json.id}`
        assert.equal((await account.request('PUT', path, { items, note: 'Ring.' })).status, 200)
      })
    })

    test('with a bad token there is no sign-in', async () => {
      const account = await shop.signInAs('customer')
      const other = await shop.signInAs('customer')
      const [ended, suspended] = [await startGuest(shop), await startGuest(shop)]
      await ended.request('DELETE', `/users/${ended.id}`)
      await admin.request('PATCH', `/users/${suspended.id}`, { status: 'suspended' })
      const sessions = async () => (await account.request('GET', '/sessions')).json.data.length
      const before = await sessions()
      for (const token of [
        'nonsense',
        '',
        other.token,
        other.refreshToken,
        account.token,
        ended.token,
        suspended.token,
        `${ended.token}x`,
      ]) {
        const { status, json } = await signIn(account, token)
        assert.deepEqual([status, json.error_code], [401, '4012'], token)
      }
      const expired = await startGuest(shop)
      const now = shop.now
      shop.now = now + 16 * minuteMs
      const late = await signIn(account, expired.token)
      shop.now = now
      assert.deepEqual([late.status, late.json.error_code], [401, '4012'])
      assert.equal(await sessions(), before)
      assert.equal((await expired.request('GET', '/profile')).status, 200)
    })

    test('a wrong password merges nothing', async () => {
      const account = await shop.signInAs('customer')
      const guest = await startGuest(shop)
      const body = { username: account.username, password: 'wrong', guest_token: guest.token }
      assert.equal((await shop.request('POST', '/login', body)).status, 401)
      assert.equal((await guest.request('GET', '/profile')).status, 200)
    })

    test('happens at a renewal too, but not of a guest', async () => {
      const account = await shop.signInAs('customer')
      const [guest, other] = [await startGuest(shop), await startGuest(shop)]
      await put(guest, 0, 2)
      const renew = (refresh_token: string, guest_token: string) =>
        shop.request('POST', '/login', { refresh_token, guest_token })
      assert.equal((await renew(other.refreshToken, guest.token)).status, 401)
      assert.equal((await renew(guest.refreshToken, guest.token)).status, 401)
      assert.equal((await renew(account.refreshToken, guest.token)).status, 200)
      assert.deepEqual(await quantities(account), [2])
    })

    test('at once with one token happens once', async () => {
      const accounts = await Promise.all(Array.from({ length: 4 }, () => shop.signInAs('customer')))
      const guest = await startGuest(shop)
      await put(guest, 0, 7)
      const results = await Promise.all(
        [...accounts, ...accounts].map((account) => signIn(account, guest.token)),
      )
      assert.equal(results.filter(({ status }) => status === 200).length, 1)
      assert.equal(results.filter(({ status }) => status === 401).length, 7)
      const carts = await Promise.all(accounts.map(quantities))
      assert.deepEqual(carts.flat(), [7])
    })

    test('loses neither an order nor a piece that is bought at the same time', async () => {
      for (let round = 0; round < 6; round++) {
        const account = await shop.signInAs('customer')
        const guest = await startGuest(shop)
        await put(guest, 0, 1)
        const items = [{ product_id: products[1], quantity: 1 }]
        const [login, ...placed] = await Promise.all([
          signIn(account, guest.token),
          guest.request('POST', '/orders', { items }),
          guest.request('POST', '/orders', {}),
          guest.request('POST', '/orders', { items }),
        ])
        assert.equal(login?.status, 200, login?.text)
        const made = placed.filter(({ status }) => status === 201).map(({ json }) => json.id)
        for (const { status } of placed) assert.ok([201, 401, 409, 410].includes(status))
        const { json } = await account.request('GET', '/orders')
        const found = json.data.map(({ id }: { id: number }) => id)
        assert.deepEqual(found.sort(), made.sort())
        const isCartOrdered = placed[1]?.status === 201
        assert.deepEqual(await quantities(account), isCartOrdered ? [] : [1])
      }
    })

    test('at the same time as a payment, a registration or a removal leaves one owner', async () => {
      for (let round = 0; round < 4; round++) {
        const account = await shop.signInAs('customer')
        const guest = await startGuest(shop)
        const items = [{ product_id: products[1], quantity: 1 }]
        const { json: order } = await guest.request('POST', '/orders', {
          items,
          shipping: testShipping,
        })
        const path = `/users/${guest.id}`
        const name = `racer-${kind}-${round}`
        const [login, paid, registered] = await Promise.all([
          signIn(account, guest.token),
          guest.request('POST', `${path}/orders/${order.id}/payment`, {
            method: 'card',
            token: 'tok_visa',
          }),
          guest.request('PATCH', path, { name: 'R', username: name, password: testPassword }),
        ])
        assert.notEqual(
          login?.status === 200,
          registered.status === 200,
          `${login?.text} ${registered.text}`,
        )
        const { json } = await admin.request('GET', `/orders/${order.id}`)
        const owner = login.status === 200 ? account.id : guest.id
        assert.equal(json.user_id, owner)
        const { json: purchases } = await admin.request('GET', `/purchases?order_id=${order.id}`)
        assert.equal(json.status, paid.status === 201 ? 'paid' : 'pending', paid.text)
        for (const { user_id } of purchases.data) assert.equal(user_id, owner)
      }
    })
  })
})
