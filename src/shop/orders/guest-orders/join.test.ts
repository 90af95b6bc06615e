import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller, testPassword } from '#test/support/app.ts'
import { startGuest, type TestGuest } from '#test/support/callers/guest.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { tokenIn, useMailServer } from '#test/support/mailer.ts'
import { reconcile } from '#test/support/shop/reconcile.ts'
import { hourMs, minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let productId: number
  let count = 0
  before(async () => {
    shop = await startPayingApp(kind)
    admin = await shop.signInAs('admin')
    productId = (await shop.addProduct()).id
  })
  after(async () => {
    await reconcile(shop.db)
    await shop.dispose()
  })
  const mailing = useMailServer(() => shop)

  const nextAddress = () => {
    count += 1
    return `buyer-${count}@example.com`
  }
  const place = async ({ request }: Pick<TestGuest, 'request'>, fields: object = {}) => {
    const items = [{ product_id: productId, quantity: 1 }]
    const placed = await request('POST', '/orders', { items, shipping: testShipping, ...fields })
    assert.equal(placed.status, 201, placed.text)
    return placed
  }
  const payFor = ({ id, request }: TestGuest, order: number) =>
    request('POST', `/users/${id}/orders/${order}/payment`, { method: 'card', token: 'tok_visa' })
  const placePaid = async (guest: TestGuest): Promise<number> => {
    const { id } = (await place(guest)).json
    assert.equal((await payFor(guest, id)).status, 201)
    return id
  }
  /** Returns the token of the last mail to an address. */
  const mailedToken = async (email: string) => {
    await mailing.mailer.run()
    const mail = mailing.server.mails.findLast(
      ({ to, text }) => to.includes(email) && text.includes('/account/'),
    )
    assert.ok(mail)
    return tokenIn(mail)
  }
  const confirm = async (email: string) => {
    const { status } = await shop.request(
      'PUT',
      `/email-confirmations/${await mailedToken(email)}`,
      {},
    )
    assert.equal(status, 204)
  }
  // Tokens do not last as long as these tests.
  const ordersOf = async ({ id }: Pick<TestCaller, 'id'>): Promise<number[]> => {
    const own = shop.db.selectFrom('orders').select('id').where('user_id', '=', id)
    return (await own.orderBy('id').execute()).map((order) => order.id)
  }
  const runJobsAfter = (ms: number) => {
    shop.now += ms
    return runJobs(shop.parts, shop.db)
  }

  test('orders of guests with the confirmed address join the account with all that is of them', async () => {
    const email = nextAddress()
    const limited = { code: 'ONCE', kind: 'percent', value: '10', usage_limit_per_user: 1 }
    await admin.request('POST', '/discounts', limited)
    const guest = await startGuest(shop, { name: 'Gina', email: email.toUpperCase() })
    const order = await place(guest, { discount_code: 'ONCE' })
    const { id } = order.json
    const payment = await payFor(guest, id)
    assert.equal(payment.status, 201, payment.text)
    const others = await startGuest(shop, { email: nextAddress() })
    const foreign = await place(others)
    const account = await shop.signInAs('customer', { email })
    assert.deepEqual(await ordersOf(account), [])
    const before = await admin.request('GET', `/orders/${id}`)
    await confirm(email)

    assert.deepEqual(await ordersOf(account), [id])
    const joined = await account.request('GET', `/users/${account.id}/orders/${id}`)
    assert.deepEqual([joined.json.user_id, joined.json.status], [account.id, 'paid'])
    assert.equal(joined.json.contact.email, email.toUpperCase())
    assert.notEqual(joined.headers['etag'], before.headers['etag'])
    const purchases = (await account.request('GET', `/purchases?order_id=${id}`)).json.data
    assert.deepEqual(
      purchases.map(({ user_id }: { user_id: number }) => user_id),
      [account.id],
    )
    const items = [{ product_id: productId, quantity: 1 }]
    const again = await account.request('POST', '/orders', { items, discount_code: 'ONCE' })
    assert.deepEqual([again.status, again.json.error_code], [409, '4091'], again.text)

    const path = `/orders/${id}`
    assert.ok([403, 404].includes((await guest.request('GET', path)).status))
    assert.deepEqual(await ordersOf(guest), [])
    assert.equal((await guest.request('GET', '/profile')).status, 200)
    const { guest_until } = await shop.db
      .selectFrom('users')
      .select('guest_until')
      .where('id', '=', guest.id)
      .executeTakeFirstOrThrow()
    assert.notEqual(guest_until, null)
    assert.equal((await others.request('GET', `/orders/${foreign.json.id}`)).status, 200)

    const events = (await admin.request('GET', `/events?subject=/orders/${id}`)).json.data
    const last = events.at(-1)
    assert.deepEqual([last.type, last.data.user_id], ['order.updated', account.id])
    const subjects = [`/orders/${id}`, `/payments/${payment.json.id}`]
    const owners = await shop.db
      .selectFrom('events')
      .select('user_id')
      .distinct()
      .where('subject', 'in', subjects)
      .execute()
    assert.deepEqual(owners, [{ user_id: account.id }])
    assert.equal((await account.request('POST', '/user/delete', {})).status, 202)
  })

  test('orders of accounts and of guests who have registered do not join', async () => {
    const email = nextAddress()
    const registered = await startGuest(shop, { name: 'Gina', email })
    const { json: first } = await place(registered)
    const path = `/users/${registered.id}`
    const fields = { username: `gina-${count}`, password: testPassword, email: nextAddress() }
    const registration = await registered.request('PATCH', path, fields)
    assert.equal(registration.status, 200, registration.text)
    const customer = await shop.signInAs('customer', { email })
    const { json: second } = await place(customer)
    await customer.request('PATCH', `/users/${customer.id}`, { email: nextAddress() })
    const account = await shop.signInAs('customer', { email })
    await confirm(email)
    assert.deepEqual(await ordersOf(account), [])
    for (const [{ id }, owner] of [
      [first, registered],
      [second, customer],
    ] as const) {
      assert.equal((await admin.request('GET', `/orders/${id}`)).json.user_id, owner.id)
    }
  })

  test('the page of a link gives orders only to who knows the password of the account', async () => {
    const email = nextAddress()
    const guest = await startGuest(shop, { email })
    const id = await placePaid(guest)
    const account = await shop.signInAs('customer', { email })
    const page = `/account/email-confirmations/${await mailedToken(email)}`
    const send = (password: string) =>
      shop.app.inject({
        method: 'POST',
        url: page,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ password }).toString(),
      })
    assert.match((await shop.request('GET', page)).text, /<input id="password" name="password"/)
    for (const wrong of ['', 'not the password']) {
      const { statusCode, body } = await send(wrong)
      assert.equal(statusCode, 422)
      assert.match(body, /<p id="problem" role="alert">Password of the account: It is wrong/)
    }
    assert.deepEqual([await ordersOf(account), await ordersOf(guest)], [[], [id]])
    const verified = shop.db.selectFrom('users').select('email_verified')
    const { email_verified } = await verified.where('id', '=', account.id).executeTakeFirstOrThrow()
    assert.equal(email_verified, 0)
    assert.equal((await send(testPassword)).statusCode, 200)
    assert.deepEqual(await ordersOf(account), [id])
  })

  test('orders of a suspended guest stay out of reach', async () => {
    const email = nextAddress()
    const guest = await startGuest(shop, { email })
    const id = await placePaid(guest)
    const suspended = { status: 'suspended' }
    assert.equal((await admin.request('PATCH', `/users/${guest.id}`, suspended)).status, 200)
    const account = await shop.signInAs('customer', { email })
    await confirm(email)
    assert.deepEqual([await ordersOf(account), await ordersOf(guest)], [[], [id]])
  })

  test('a repeated refund does nothing again once the buyer is erased', async () => {
    const buyer = await shop.signInAs('customer')
    const id = (await place(buyer)).json.id
    const paid = await payFor(buyer as TestGuest, id)
    assert.equal(paid.status, 201, paid.text)
    const refund = () =>
      admin.request(
        'POST',
        `/orders/${id}/refunds`,
        { amount: 1 },
        { 'idempotency-key': `r-${id}` },
      )
    assert.equal((await refund()).status, 201)
    assert.equal((await admin.request('DELETE', `/users/${buyer.id}`)).status, 204)
    const again = await refund()
    assert.deepEqual([again.status, again.json.error_code], [409, '4091'], again.text)
    assert.equal((await admin.request('GET', `/orders/${id}`)).json.refunded_total, 1)
  })

  test('the answer to an order is erased with the account that it has joined', async () => {
    const email = nextAddress()
    const guest = await startGuest(shop, { email, name: 'Gina Gone' })
    const body = { items: [{ product_id: productId, quantity: 1 }], shipping: testShipping }
    const placeOnce = () =>
      guest.request('POST', '/orders', body, { 'idempotency-key': `join-${email}` })
    const { id } = (await placeOnce()).json
    assert.equal((await payFor(guest, id)).status, 201)
    const account = await shop.signInAs('customer', { email })
    await confirm(email)
    assert.deepEqual(await ordersOf(account), [id])
    assert.equal((await admin.request('DELETE', `/users/${account.id}`)).status, 204)
    const again = await placeOnce()
    assert.deepEqual([again.status, again.json.error_code], [409, '4091'], again.text)
  })

  test('a free order joins, but its use of a code stays that of the guest', async () => {
    const email = nextAddress()
    const code = { code: 'GIFT', kind: 'percent', value: '100', usage_limit_per_user: 1 }
    assert.equal((await admin.request('POST', '/discounts', code)).status, 201)
    const body = {
      ...{ items: [{ product_id: productId, quantity: 1 }], shipping: { method: 'pickup' } },
      discount_code: 'GIFT',
    }
    const guest = await startGuest(shop, { email })
    const free = await guest.request('POST', '/orders', body)
    assert.deepEqual([free.json.status, free.json.total], ['paid', 0], free.text)
    const account = await shop.signInAs('customer', { email })
    await confirm(email)
    assert.deepEqual(await ordersOf(account), [free.json.id])
    const own = await account.request('POST', '/orders', body)
    assert.equal(own.status, 201, own.text)
    assert.equal((await guest.request('POST', '/orders', body)).json.error_code, '4091')
    assert.equal((await account.request('POST', '/orders', body)).json.error_code, '4091')
  })

  test('unpaid orders stay those of the guest, count for nobody else, and join once they are paid', async () => {
    const email = nextAddress()
    const code = { code: 'MINE', kind: 'amount', value: 1, usage_limit_per_user: 1 }
    assert.equal((await admin.request('POST', '/discounts', code)).status, 201)
    const strangers = []
    for (let turn = 0; turn < 2; turn += 1) {
      const guest = await startGuest(shop, { email })
      const orders = [await place(guest, { discount_code: turn === 0 ? 'MINE' : null })]
      while (orders.length < 10) orders.push(await place(guest))
      strangers.push({ guest, ids: orders.map(({ json }) => json.id) })
    }
    const [paying] = strangers
    assert.ok(paying)
    const account = await shop.signInAs('customer', { email })
    await confirm(email)
    assert.deepEqual(await ordersOf(account), [])
    const own = (await place(account, { discount_code: 'MINE' })).json.id
    const [, paidId = 0, cancelledId = 0] = paying.ids
    assert.equal((await payFor(paying.guest, paidId)).status, 201)
    const cancelled = { status: 'cancelled' }
    await paying.guest.request('PATCH', `/orders/${cancelledId}`, cancelled)
    assert.deepEqual(await ordersOf(account), [own])
    await runJobsAfter(5 * minuteMs)
    assert.deepEqual(await ordersOf(account), [paidId, own])
    await runJobsAfter(30 * minuteMs)
    assert.deepEqual(await ordersOf(account), [paidId, own])
    await runJobsAfter(5 * minuteMs)
    const joins = shop.db.selectFrom('guest_order_joins').selectAll()
    assert.deepEqual(await joins.where('user_id', '=', account.id).execute(), [])
  })

  test('a reset by mail and a change of address confirm too; a later order stays the guest’s', async () => {
    const [email, next] = [nextAddress(), nextAddress()]
    const guest = await startGuest(shop, { email })
    const first = await placePaid(guest)
    const account = await shop.signInAs('customer', { email })
    await mailing.mailer.run()
    await shop.request('POST', '/password-resets', { email })
    const password = 'a new long password'
    const reset = `/password-resets/${await mailedToken(email)}`
    assert.equal((await shop.request('PUT', reset, { password })).status, 204)
    const login = { username: account.username, password }
    const { token } = (await shop.request('POST', '/login', login)).json
    const authorization = `Bearer ${token}`
    assert.deepEqual(await ordersOf(account), [first])

    const later = await placePaid(guest)
    const other = await placePaid(await startGuest(shop, { email: next }))
    await runJobsAfter(0)
    const path = `/users/${account.id}`
    const changed = await shop.request('PATCH', path, { email: next }, { authorization })
    assert.equal(changed.status, 200, changed.text)
    await confirm(next)
    await runJobsAfter(72 * hourMs - 1)
    assert.deepEqual(await ordersOf(account), [first])
    await runJobsAfter(1)
    assert.deepEqual(await ordersOf(account), [first, other])
    assert.deepEqual(await ordersOf(guest), [later])
  })

  test('nothing joins an account whose change to the address is undone', async () => {
    const [email, next] = [nextAddress(), nextAddress()]
    const placed = await placePaid(await startGuest(shop, { email: next }))
    const thief = await shop.signInAs('customer', { email })
    await confirm(email)
    const changed = await thief.request('PATCH', `/users/${thief.id}`, { email: next })
    assert.equal(changed.status, 200, changed.text)
    await confirm(next)
    const undone = `/address-changes/${await mailedToken(email)}`
    assert.equal((await shop.request('PUT', undone, {})).status, 204)
    await runJobsAfter(72 * hourMs)
    assert.deepEqual(await ordersOf(thief), [])
    const holder = await shop.signInAs('customer', { email: next })
    await confirm(next)
    assert.deepEqual(await ordersOf(holder), [placed])
  })

  test('orders that are placed and paid while the address is confirmed are wholly of one of both', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const email = nextAddress()
      const guest = await startGuest(shop, { email })
      const placed = await Promise.all([place(guest), place(guest)])
      const account = await shop.signInAs('customer', { email })
      const token = await mailedToken(email)
      const [, , confirmed, ...late] = await Promise.all([
        payFor(guest, placed[0].json.id),
        payFor(guest, placed[1].json.id),
        shop.request('PUT', `/email-confirmations/${token}`, {}),
        place(guest),
        place(guest),
      ])
      assert.equal(confirmed.status, 204)
      await runJobsAfter(5 * minuteMs)
      const all = [...placed, ...late].map(({ json }) => json.id)
      const owned = [...(await ordersOf(account)), ...(await ordersOf(guest))]
      assert.deepEqual(owned.toSorted(), all.toSorted())
      const mixed = await sql<{ id: number }>`select orders.id from orders
        join purchases on purchases.order_id = orders.id
        where orders.user_id <> purchases.user_id`.execute(shop.db)
      assert.deepEqual(mixed.rows, [])
      const joined = await ordersOf(account)
      for (const { json } of placed) assert.ok(joined.includes(json.id))
    }
  })
})
