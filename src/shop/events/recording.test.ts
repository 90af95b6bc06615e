import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '#src/server/jobs.ts'
import { eachDatabase, type TestCaller } from '#test/support/app.ts'
import { type PayingApp, startPayingApp } from '#test/support/callers/paying.ts'
import { eventReader, type FeedEvent } from '#test/support/events/event-feed.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { minuteMs } from '#values/instant.ts'

const summarize = (events: readonly FeedEvent[]) =>
  events.map(({ type, subject }) => `${type} ${subject}`)

eachDatabase((kind) => {
  let shop: PayingApp
  let admin: TestCaller
  let buyer: TestCaller
  let read: ReturnType<typeof eventReader>
  before(async () => {
    shop = await startPayingApp(kind)
    admin = await shop.signInAs('admin')
    buyer = await shop.signInAs('customer')
    read = eventReader(shop.db)
  })
  after(() => shop.dispose())

  async function send(caller: TestCaller, method: string, url: string, body?: object) {
    const answer = await caller.request(method, url, body)
    assert.ok(answer.status < 300, `${method} ${url}: ${answer.text}`)
    return answer.json
  }
  const place = (id: number, quantity = 1, shipping: object = { method: 'pickup' }) =>
    send(buyer, 'POST', `/users/${buyer.id}/orders`, {
      items: [{ product_id: id, quantity }],
      shipping,
    })
  const pay = (order: number, token = 'tok_visa') =>
    buyer.request('POST', `/users/${buyer.id}/orders/${order}/payment`, { method: 'card', token })
  const placePaid = async (product: number) => {
    const order = await place(product)
    assert.equal((await pay(order.id)).status, 201)
    return order.id as number
  }
  /** Runs the work and returns `type subject` of the events it caused. */
  const causedBy = async (work: () => Promise<unknown>): Promise<string[]> => {
    await read()
    await work()
    return summarize(await read())
  }
  /** The representation that an administrator reads, without links and what no event tells. */
  const representation = async (path: string) => {
    const { _links, cost_price, ...rest } = await send(admin, 'GET', `/v1${path}`)
    return rest
  }

  describe('orders', () => {
    test('tell once of each change, with the representation at the commit', async () => {
      const { id: product } = await shop.addProduct()
      await read()
      const order = await place(product, 1, { method: 'standard', recipient: 'Ada' })
      const path = `/orders/${order.id}`
      const created = await representation(path)
      await send(buyer, 'PUT', `${path}/shipping`, { method: 'pickup' })
      const updated = await representation(path)
      await pay(order.id)
      const paid = await representation(path)
      await send(admin, 'PATCH', path, { status: 'shipped' })
      await send(admin, 'PATCH', path, { status: 'delivered' })
      await send(admin, 'PATCH', path, { status: 'refunded' })
      const events = await read()
      const payment = events.find(({ type }) => type === 'payment.succeeded')?.subject
      const parcel = events.find(({ type }) => type === 'parcel.created')?.subject
      assert.deepEqual(summarize(events), [
        `order.created ${path}`,
        `order.updated ${path}`,
        `payment.succeeded ${payment}`,
        `order.paid ${path}`,
        `parcel.created ${parcel}`,
        `order.shipped ${path}`,
        `parcel.delivered ${parcel}`,
        `order.delivered ${path}`,
        `payment.refunded ${payment}`,
        `order.refunded ${path}`,
      ])
      const dataOf = (type: string) => events.find((event) => event.type === type)?.data
      assert.deepEqual(dataOf('order.created'), created)
      assert.deepEqual(dataOf('order.updated'), updated)
      assert.deepEqual(dataOf('order.paid'), paid)
      assert.deepEqual(dataOf('order.refunded'), await representation(path))
      assert.deepEqual(dataOf('payment.refunded'), await representation(String(payment)))
      assert.equal(dataOf('payment.succeeded').status, 'succeeded')
    })

    test('record notes, cancellation, refunds of paid orders and removal', async () => {
      const { id: product } = await shop.addProduct()
      const pending = await place(product)
      const path = `/orders/${pending.id}`
      const changes = await causedBy(async () => {
        await send(buyer, 'PATCH', path, { note: 'Ring twice.' })
        await send(buyer, 'PATCH', path, { note: 'Ring twice.' })
        await send(buyer, 'PATCH', path, { status: 'cancelled' })
        await send(buyer, 'DELETE', `/users/${buyer.id}${path}`)
        await send(buyer, 'DELETE', `/users/${buyer.id}${path}`)
      })
      assert.deepEqual(changes, [
        `order.updated ${path}`,
        `order.cancelled ${path}`,
        `order.deleted ${path}`,
      ])
      const paid = await placePaid(product)
      const refunded = await causedBy(() =>
        send(admin, 'PATCH', `/orders/${paid}`, { status: 'cancelled' }),
      )
      assert.match(
        refunded.join(),
        new RegExp(`^payment.refunded /payments/\\d+,order.cancelled /orders/${paid}$`),
      )
    })

    test('that are not paid in time record their cancellation by the job', async () => {
      const { id: product } = await shop.addProduct({ stock: 1 })
      const { id } = await place(product)
      const began = shop.now
      const changes = await causedBy(async () => {
        shop.now = began + 31 * minuteMs
        await runJobs(shop.parts, shop.store.db)
        shop.now = began
      })
      const path = `/orders/${id}`
      assert.ok(changes.includes(`order.cancelled ${path}`), changes.join())
      assert.ok(changes.includes(`product.back_in_stock /products/${product}`), changes.join())
    })

    test('that fail leave no event', async () => {
      const { id: product } = await shop.addProduct({ stock: 1 })
      const changes = await causedBy(async () => {
        const items = [{ product_id: product, quantity: 2 }]
        const short = await buyer.request('POST', `/users/${buyer.id}/orders`, { items })
        assert.equal(short.status, 409)
      })
      assert.deepEqual(changes, [])
    })

    test('whose payment fails or is decided later record the outcome', async () => {
      const { id: product } = await shop.addProduct()
      const order = await place(product)
      const declined = await causedBy(() => pay(order.id, 'tok_declined'))
      assert.match(declined.join(), /^payment.failed \/payments\/\d+$/)
      await read()
      assert.equal((await pay(order.id, 'tok_later')).status, 202)
      await pollUntil(
        () => representation(`/orders/${order.id}`),
        ({ status }) => status === 'paid',
      )
      const later = summarize(await read())
      assert.match(later.join(), /^payment.succeeded \/payments\/\d+,order.paid \/orders\/\d+$/)
    })
  })

  describe('products', () => {
    test('record their creation, changes and removal', async () => {
      await read()
      const { id } = await shop.addProduct({ description: 'It whistles.', category: 'kitchen' })
      const path = `/products/${id}`
      const created = await representation(path)
      await send(admin, 'PATCH', path, { price: 5 })
      const updated = await representation(path)
      await send(admin, 'DELETE', path)
      const [category, ...events] = await read()
      assert.equal(category?.type, 'category.created')
      assert.deepEqual(summarize(events), [
        `product.created ${path}`,
        `product.updated ${path}`,
        `product.deleted ${path}`,
      ])
      assert.deepEqual(
        events.map(({ data }) => data),
        [created, updated, updated],
      )
    })

    test('tell once that they are sold out or back in stock, by orders and by edits', async () => {
      const { id } = await shop.addProduct({ stock: 3 })
      const path = `/products/${id}`
      const first = await place(id, 1)
      await read()
      const last = await place(id, 2)
      const [order, sold, ...others] = await read()
      assert.deepEqual(summarize(others), [])
      assert.equal(order?.type, 'order.created')
      assert.equal(sold?.type, 'product.out_of_stock')
      assert.deepEqual(sold?.data, await representation(path))
      await send(buyer, 'PATCH', `/orders/${last.id}`, { status: 'cancelled' })
      const [cancelled, back, ...rest] = await read()
      assert.deepEqual(summarize(rest), [])
      assert.equal(cancelled?.type, 'order.cancelled')
      assert.equal(back?.type, 'product.back_in_stock')
      assert.deepEqual(back?.data, await representation(path))
      const edits = await causedBy(async () => {
        await send(buyer, 'PATCH', `/orders/${first.id}`, { status: 'cancelled' })
        await send(admin, 'PATCH', path, { stock: 0, price: 7 })
        await send(admin, 'PATCH', path, { stock: 9 })
        await send(admin, 'PATCH', path, { stock: 8 })
        await send(admin, 'PATCH', path, { availability: 'discontinued' })
      })
      assert.deepEqual(edits, [
        `order.cancelled /orders/${first.id}`,
        `product.out_of_stock ${path}`,
        `product.back_in_stock ${path}`,
        `product.updated ${path}`,
        `product.updated ${path}`,
      ])
    })

    test('do not record stock that an order returns and takes again', async () => {
      const { id } = await shop.addProduct({ stock: 2 })
      const order = await place(id, 2)
      const replace = (quantity: number) =>
        send(buyer, 'PUT', `/users/${buyer.id}/orders/${order.id}`, {
          items: [{ product_id: id, quantity }],
        })
      const smaller = await causedBy(() => replace(1))
      assert.deepEqual(smaller, [
        `product.back_in_stock /products/${id}`,
        `order.updated /orders/${order.id}`,
      ])
      assert.deepEqual(await causedBy(() => replace(2)), [
        `product.out_of_stock /products/${id}`,
        `order.updated /orders/${order.id}`,
      ])
      const other = await shop.addProduct()
      const items = [
        { product_id: id, quantity: 2 },
        { product_id: other.id, quantity: 1 },
      ]
      const added = await causedBy(() =>
        send(buyer, 'PUT', `/users/${buyer.id}/orders/${order.id}`, { items }),
      )
      assert.deepEqual(added, [`order.updated /orders/${order.id}`])
    })

    test('that many buy at once tell exactly once that they are sold out', async () => {
      const { id } = await shop.addProduct({ stock: 7 })
      await read()
      const items = [{ product_id: id, quantity: 1 }]
      const answers = await Promise.all(
        Array.from({ length: 12 }, () =>
          buyer.request('POST', `/users/${buyer.id}/orders`, { items }),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 201).length, 7)
      const events = await read()
      const sold = events.filter(({ type }) => type === 'product.out_of_stock')
      assert.equal(sold.length, 1)
      assert.deepEqual(sold[0]?.data, await representation(`/products/${id}`))
      assert.equal(events.length, 8)
    })
  })

  test('users record sign-up and changes, without secrets, and reviews of their creation', async () => {
    await read()
    const signed = await shop.signUp({ email: 'tell@example.com' })
    const path = `/users/${signed.id}`
    await send(admin, 'PATCH', path, { age: 41 })
    const events = await read()
    assert.deepEqual(summarize(events), [`user.created ${path}`, `user.updated ${path}`])
    assert.deepEqual(events[1]?.data, await representation(path))
    assert.deepEqual(Object.keys(events[0]?.data).sort(), Object.keys(events[1]?.data).sort())
    const { id } = await shop.addProduct()
    await placePaid(id)
    await read()
    const review = await send(buyer, 'POST', `/products/${id}/reviews`, { rating: 4 })
    const [reviewed, ...others] = await read()
    assert.deepEqual(others, [])
    assert.equal(reviewed?.type, 'review.created')
    assert.deepEqual(reviewed?.data, await representation(`/products/${id}/reviews/${review.id}`))
  })

  test('the events of an erased user have no data but IDs', async () => {
    const name = 'Zebulon Quackenbush'
    const person = await shop.signInAs('customer', { name, email: 'zebulon@example.com' })
    const { id: product } = await shop.addProduct()
    const items = [{ product_id: product, quantity: 1 }]
    const note = 'For Zebulon.'
    const url = `/users/${person.id}/orders`
    const order = await send(person, 'POST', url, { items, note, shipping: { method: 'pickup' } })
    await send(person, 'POST', `${url}/${order.id}/payment`, { method: 'card', token: 'tok_visa' })
    await send(person, 'POST', `/products/${product}/reviews`, { rating: 5, title: 'Zebulon!' })
    const before = await read()
    await send(admin, 'DELETE', `/users/${person.id}`)
    const events = [...before, ...(await read())].filter(({ type }) => !type.startsWith('product.'))
    assert.deepEqual(
      events.slice(-2).map(({ type }) => type),
      ['user.deleted', 'user.erased'],
    )
    const rows = await shop.db
      .selectFrom('events')
      .selectAll()
      .where('sequence', '>=', before[0]?.sequence ?? 0)
      .execute()
    const recorded = rows.filter(({ type }) => !type.startsWith('product.'))
    assert.equal(recorded.length, 7)
    for (const { type, data, user_id } of recorded) {
      assert.equal(user_id, null)
      assert.doesNotMatch(data, /zebulon/i)
      const fields = Object.entries(JSON.parse(data) as object)
      const kept = fields.filter(([, value]) => value !== null).map(([field]) => field)
      assert.ok(fields.length > kept.length, type)
      assert.ok(kept.includes('id'), type)
      assert.deepEqual(
        kept.filter((field) => !['id', 'order_id', 'product_id'].includes(field)),
        [],
      )
    }
  })
})
