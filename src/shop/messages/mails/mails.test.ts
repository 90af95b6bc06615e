import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { orderNumber } from '#shop/order-number.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { createTestMailer, useMailServer } from '#test/support/mailer.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { startMailServer } from '#test/support/services/doubles/mail-server.ts'
import { dayMs, hourMs, minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: PayingApp
  let product: number
  let count = 0
  before(async () => {
    shop = await startPayingApp(kind)
    product = (await shop.addProduct({ name: 'Kettle <b>"3 l"</b>' })).id
  })
  after(() => shop.dispose())
  const mailing = useMailServer(() => shop)

  /** Signs up a buyer whose address is confirmed, so that only orders cause mails. */
  async function signUp(fields: object = {}) {
    count += 1
    const email = `buyer-${count}@example.com`
    const buyer = await shop.signInAs('customer', { email, ...fields })
    await shop.db
      .updateTable('users')
      .set({ email_verified: 1 })
      .where('id', '=', buyer.id)
      .execute()
    return { ...buyer, email }
  }
  async function buy(buyer: TestCaller, fields: object = {}) {
    const items = [{ product_id: product, quantity: 2 }]
    const body = { items, shipping: testShipping, ...fields }
    const { json: order } = await buyer.request('POST', '/orders', body)
    const url = `/users/${buyer.id}/orders/${order.id}/payment`
    const paid = await buyer.request('POST', url, { method: 'card', token: 'tok_visa' })
    assert.equal(paid.status, 201, paid.text)
    return order.id as number
  }
  const setStatus = async (order: number, status: string) => {
    const admin = await shop.signInAs('admin')
    const { status: code, text } = await admin.request('PATCH', `/orders/${order}`, { status })
    assert.equal(code, 200, text)
  }
  const numberOf = (orderId: number) => orderNumber({}, orderId)
  const subjects = () => mailing.server.mails.map(({ headers }) => headers['subject'])

  test('an address that is not the confirmed one of the account gets no text of the buyer', async () => {
    const buyer = await signUp({ name: 'Win at evil.example' })
    await shop.db
      .updateTable('users')
      .set({ email_verified: 0 })
      .where('id', '=', buyer.id)
      .execute()
    await buy(buyer, { note: 'evil.example' })
    await mailing.mailer.run()
    const [mail] = mailing.server.mails.filter(({ headers }) =>
      headers['subject']?.startsWith('Order'),
    )
    assert.ok(mail)
    assert.ok(mail.text.includes('Kettle <b>'))
    assert.doesNotMatch(mail.text + mail.html, /evil|Delivery address/)
  })

  test('a buyer gets mails of payment, shipping and refund, each once, in the own language', async () => {
    const buyer = await signUp({ language: 'de', name: 'Ada <Lovelace>' })
    const order = await buy(buyer, { note: 'Ring <twice>.' })
    await mailing.mailer.run()
    await setStatus(order, 'shipped')
    await mailing.mailer.run()
    await setStatus(order, 'delivered')
    await setStatus(order, 'refunded')
    await Promise.all([
      mailing.mailer.run(),
      createTestMailer(shop, mailing.server.url).run(),
      mailing.mailer.run(),
    ])
    assert.deepEqual(subjects(), [
      `Bestellung ${numberOf(order)} ist bestätigt`,
      `Bestellung ${numberOf(order)} ist unterwegs`,
      `Erstattung zu Bestellung ${numberOf(order)}`,
    ])
    const [confirmation, , refund] = mailing.server.mails
    assert.deepEqual(confirmation?.to, [buyer.email])
    assert.match(confirmation?.headers['message-id'] ?? '', /^<evt_[\da-f-]{36}@example\.com>$/)
    assert.ok(confirmation?.html.includes('Kettle &lt;b&gt;&quot;3 l&quot;&lt;/b&gt;'))
    assert.ok(confirmation?.html.includes('Ada &lt;Lovelace&gt;'))
    assert.ok(confirmation?.html.includes('Ring &lt;twice&gt;.'))
    assert.ok(confirmation?.text.includes('Ada <Lovelace>'))
    assert.match(refund?.text ?? '', /Für diese Bestellung erstattet: 44,98/)
  })

  test('a buyer gets a mail of each parcel with what is in it', async () => {
    const buyer = await signUp()
    const admin = await shop.signInAs('admin')
    const order = await buy(buyer)
    await mailing.mailer.run()
    const [item] = (await admin.request('GET', `/orders/${order}/items`)).json.data
    const at = `/orders/${order}/parcels`
    const send = async (body: object): Promise<number> => {
      const { status, json, text } = await admin.request('POST', at, body)
      assert.equal(status, 201, text)
      return json.id
    }
    const tracking = { carrier: 'dhl', tracking_number: 'JD 7' }
    await send({ items: [{ order_item_id: item.id, quantity: 1 }], ...tracking })
    await mailing.mailer.run()
    const removed = await send({})
    assert.equal((await admin.request('DELETE', `${at}/${removed}`)).status, 204)
    await mailing.mailer.run()
    await send({})
    await mailing.mailer.run()
    await setStatus(order, 'delivered')
    await mailing.mailer.run()
    assert.deepEqual(subjects(), [
      `Order ${numberOf(order)} is confirmed`,
      `Part of order ${numberOf(order)} is on its way`,
      `Part of order ${numberOf(order)} is on its way`,
    ])
    const [, first, second] = mailing.server.mails
    assert.match(first?.text ?? '', /1 × \$19\.99/)
    assert.ok(first?.html.includes('tracking-id=JD%207'))
    assert.ok(!second?.html.includes('tracking-id'))
  })

  test('a buyer gets a mail of each step of a return, and of a withdrawal when and what it is of', async () => {
    const buyer = await signUp()
    const admin = await shop.signInAs('admin')
    const order = await buy(buyer)
    await setStatus(order, 'shipped')
    await mailing.mailer.run()
    const before = subjects().length
    const [item] = (await admin.request('GET', `/orders/${order}/items`)).json.data
    const at = `/orders/${order}/returns`
    const items = [{ order_item_id: item.id, quantity: 1 }]
    const asked = await buyer.request('POST', at, { items, kind: 'return', reason: 'Too loud' })
    assert.equal(asked.status, 201, asked.text)
    await mailing.mailer.run()
    const move = async (body: object) => {
      const { status, text } = await admin.request('PATCH', `${at}/${asked.json.id}`, body)
      assert.equal(status, 200, text)
      await mailing.mailer.run()
    }
    await move({ status: 'approved', reply: 'Use the label.' })
    await move({ status: 'received' })
    const { number, contact } = (await admin.request('GET', `/orders/${order}`)).json
    const body = { order_number: number, email: contact.email, name: 'Zoë B.' }
    assert.equal((await shop.request('POST', '/withdrawals', body)).status, 202)
    await mailing.mailer.run()
    const mails = mailing.server.mails.slice(before)
    assert.deepEqual(
      mails.map(({ headers }) => headers['subject']),
      [
        `Your return for order ${number}`,
        `Your return for order ${number} is approved`,
        `Your return for order ${number} has arrived`,
        `Your withdrawal from order ${number}`,
      ],
    )
    assert.match(mails[1]?.text ?? '', /Our answer:\nUse the label\./)
    const withdrawal = mails[3]?.text ?? ''
    assert.match(withdrawal, /Received:\n.*June 1, 2026 at 12:00:00/)
    assert.match(withdrawal, /Declared by:\nZoë B\./)
    assert.match(withdrawal, /1 × \$19\.99/)
    // An address that is not confirmed gets nothing that a stranger has typed.
    await shop.db
      .updateTable('users')
      .set({ email_verified: 0 })
      .where('id', '=', buyer.id)
      .execute()
    const other = await buy(buyer)
    const { number: otherNumber } = (await admin.request('GET', `/orders/${other}`)).json
    const declared = { ...body, order_number: otherNumber, name: 'Win at evil.example' }
    assert.equal((await shop.request('POST', '/withdrawals', declared)).status, 202)
    await mailing.mailer.run()
    const last = mailing.server.mails.at(-1)
    assert.equal(last?.headers['subject'], `Your withdrawal from order ${otherNumber}`)
    assert.doesNotMatch(`${last?.text}${last?.html}`, /evil/)
  })

  test('a buyer is told that an unpaid order had to yield, and why', async () => {
    const buyer = await signUp({ language: 'fr' })
    const admin = await shop.signInAs('admin')
    const { id: scarce } = await shop.addProduct({ stock: 12 })
    const discount = { code: 'YIELD', kind: 'amount', value: 1, usage_limit: 2 }
    assert.equal((await admin.request('POST', '/discounts', discount)).status, 201)
    const order = async ({ request }: TestCaller, product_id: number, quantity: number) => {
      const body = { items: [{ product_id, quantity }], discount_code: null }
      const code = product_id === product ? { discount_code: 'YIELD' } : {}
      const placed = await request('POST', '/orders', { ...body, ...code })
      assert.equal(placed.status, 201, placed.text)
      return placed.json.id as number
    }
    const displaced = await order(buyer, scarce, 12)
    await order(admin, scarce, 1)
    await order(buyer, product, 1)
    const undiscounted = await order(buyer, product, 1)
    await order(admin, product, 1)
    // What the buyer cancels is no news.
    const own = await order(buyer, scarce, 1)
    await buyer.request('PATCH', `/orders/${own}`, { status: 'cancelled' })
    await mailing.mailer.run()
    assert.equal(mailing.server.mails.length, 2)
    const reasonOf = (order: number) =>
      mailing.server.mails.find(
        ({ headers }) => headers['subject'] === `La commande ${numberOf(order)} a été annulée`,
      )?.text ?? ''
    assert.match(reasonOf(displaced), /besoin des pièces/)
    assert.match(reasonOf(undiscounted), /besoin de la remise/)
  })

  test('an order to be picked up gets a mail that it is ready', async () => {
    const order = await buy(await signUp(), { shipping: { method: 'pickup' } })
    await setStatus(order, 'shipped')
    await mailing.mailer.run()
    // Mails that are due together are sent together, in no order.
    assert.ok(subjects().includes(`Order ${numberOf(order)} is ready`))
  })

  test('the mail that resets a password is sent before those of orders', async () => {
    for (let bought = 0; bought < 6; bought += 1) await buy(await signUp())
    const { email } = await signUp({ password: 'orange kettle sunrise' })
    assert.equal((await shop.request('POST', '/password-resets', { email })).status, 202)
    await mailing.mailer.run()
    assert.equal(mailing.server.mails.length, 7)
    const place = mailing.server.mails.findIndex(({ to }) => to.includes(email))
    assert.ok(place < 5, `it was sent as number ${place + 1}`)
  })

  test('a mail server that is away for an hour loses nothing', async () => {
    await mailing.server.close()
    const orders = [await buy(await signUp()), await buy(await signUp())]
    await mailing.mailer.run()
    const began = shop.now
    for (; shop.now < began + hourMs; shop.now += 5 * minuteMs) await mailing.mailer.run()
    assert.equal(mailing.server.mails.length, 0)
    mailing.server = await startMailServer(mailing.server.port)
    for (; shop.now < began + 2 * hourMs; shop.now += 5 * minuteMs) await mailing.mailer.run()
    shop.now = began
    assert.deepEqual(
      subjects().toSorted(),
      orders.map((order) => `Order ${numberOf(order)} is confirmed`).toSorted(),
    )
  })

  test('the rejection of one address holds up nobody, and is final', async () => {
    const rejected = await signUp()
    mailing.server.reject = (address) => (address === rejected.email ? 550 : undefined)
    await buy(rejected)
    const order = await buy(await signUp())
    await mailing.mailer.run()
    assert.deepEqual(subjects(), [`Order ${numberOf(order)} is confirmed`])
    const stored = await shop.db
      .selectFrom('mails')
      .select('error')
      .where('user_id', '=', rejected.id)
      .execute()
    assert.match(JSON.stringify(stored), /rejected/)
    assert.match(JSON.stringify(mailing.mailer.reports), /rejected/)
    assert.doesNotMatch(
      JSON.stringify([stored, mailing.mailer.reports]),
      new RegExp(rejected.email),
    )
    mailing.server.reject = () => undefined
    const began = shop.now
    shop.now += 2 * dayMs
    await mailing.mailer.run()
    shop.now = began
    assert.equal(mailing.server.mails.length, 1)
  })

  test('a mail that the server took before the process died comes again under the same Message-ID', async () => {
    const order = await buy(await signUp())
    await mailing.mailer.run()
    await shop.db
      .updateTable('mails')
      .set({ status: 'pending', due_at: 0 })
      .where('order_id', '=', order)
      .execute()
    await mailing.mailer.run()
    const ids = mailing.server.mails.map(({ headers }) => headers['message-id'])
    assert.equal(ids.length, 2)
    assert.equal(new Set(ids).size, 1)
  })

  test('a process that dies while it sends leaves its mails to others, after a while', async () => {
    await buy(await signUp())
    const dead = createTestMailer(shop, '', { send: () => new Promise(() => undefined) })
    void dead.run()
    await pollUntil(
      () =>
        shop.db
          .selectFrom('mails')
          .select('id')
          .where('status', '=', 'pending')
          .where('leased_until', '>', 0)
          .execute(),
      (claimed) => claimed.length === 1,
    )
    await mailing.mailer.run()
    assert.equal(mailing.server.mails.length, 0)
    const began = shop.now
    shop.now += 5 * minuteMs
    await mailing.mailer.run()
    shop.now = began
    assert.equal(mailing.server.mails.length, 1)
  })

  test('a process that stops gives up what a mail server holds, and stores what it has sent', async () => {
    const [held, sent] = [await signUp(), await signUp()]
    for (const buyer of [held, sent]) await buy(buyer)
    const stuck = createTestMailer(shop, '', {
      send: async (_key, { to }, signal) => {
        if (to === sent.email) return { kind: 'sent' }
        await new Promise((resolve) => signal?.addEventListener('abort', resolve))
        return { kind: 'failed', error: 'given up' }
      },
    })
    const running = stuck.run()
    stuck.stop()
    await running
    await mailing.mailer.run()
    assert.equal(mailing.server.mails.length, 0)
    const began = shop.now
    shop.now += minuteMs
    await mailing.mailer.run()
    shop.now = began
    assert.deepEqual(
      mailing.server.mails.map(({ to }) => to),
      [[held.email]],
    )
  })

  test('the erased and the suspended get nothing, and erasure removes what is queued', async () => {
    const [erased, suspended, without] = [await signUp(), await signUp(), await signUp()]
    for (const buyer of [erased, suspended, without]) await buy(buyer)
    const down = createTestMailer(shop, '', {
      send: async () => ({ kind: 'failed', error: 'down' }),
    })
    await down.run()
    const admin = await shop.signInAs('admin')
    await admin.request('DELETE', `/users/${erased.id}`)
    await admin.request('PATCH', `/users/${suspended.id}`, { status: 'suspended' })
    const left = await shop.db
      .selectFrom('mails')
      .select('id')
      .where('user_id', '=', erased.id)
      .execute()
    assert.deepEqual(left, [])
    const began = shop.now
    shop.now += hourMs
    await mailing.mailer.run()
    shop.now = began
    assert.deepEqual(
      mailing.server.mails.map(({ to }) => to),
      [[without.email]],
    )
  })

  test('the mail goes to the contact of the order', async () => {
    const buyer = await signUp()
    const order = await buy(buyer)
    await shop.db
      .updateTable('orders')
      .set({ contact_email: 'guest@example.com', contact_name: null })
      .where('id', '=', order)
      .execute()
    await mailing.mailer.run()
    assert.deepEqual(mailing.server.mails[0]?.to, ['guest@example.com'])
    assert.match(mailing.server.mails[0]?.text ?? '', /Hello,/)
  })
})
