import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import type { Browser } from 'playwright-core'
import { deleteEventsBefore } from '#shop/events/feed-store.ts'
import { recordEvents } from '#shop/events/outbox-store.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testPassword,
} from '#test/support/app.ts'
import { digestAuthorization, requestDigestNonce } from '#test/support/callers/digest-caller.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { type ReceivedStream, receiveEvents } from '#test/support/events/event-stream.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'
import type { StoreKind } from '#test/support/services/databases.ts'

const limits = { heartbeatMs: 100, stalledMs: 300, perCaller: 3, total: 6 }

async function startListening(kind: StoreKind, eventStreamLimits = limits) {
  const shop = await startTestApp(kind, { composition: { eventStreamLimits, origins: '*' } })
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = shop.app.server.address() as AddressInfo
  return { shop, port, url: `http://127.0.0.1:${port}/events` }
}

eachDatabase((kind) => {
  let shop: TestApp
  let port: number
  let url: string
  let admin: TestCaller
  before(async () => {
    ;({ shop, port, url } = await startListening(kind))
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const bearer = (token = admin.token) => ({ authorization: `Bearer ${token}` })
  const createKey = async (scopes = ['events:read']) =>
    (await admin.request('POST', '/api-keys', { name: 'Reader', scopes })).json
  const listAfter = async (cursor: string) =>
    (await admin.request('GET', `/events?limit=1000&cursor=${cursor}`)).json
  /** The cursor of the end of the feed. */
  async function findEnd(): Promise<string> {
    let page = (await admin.request('GET', '/events?limit=1000')).json
    while (page.data.length > 0) page = await listAfter(page.pagination.next_cursor)
    return page.pagination.next_cursor
  }
  async function using(
    open: Promise<ReceivedStream>,
    work: (stream: ReceivedStream) => Promise<unknown>,
  ): Promise<void> {
    const stream = await open
    try {
      assert.equal(stream.status, 200, stream.text())
      await work(stream)
    } finally {
      stream.close()
      await stream.ended
    }
  }

  test('a stream has the events from now on, as the feed has them', async () => {
    const end = await findEnd()
    await using(receiveEvents(url, bearer()), async (stream) => {
      assert.equal(stream.headers.get('content-type'), 'text/event-stream')
      assert.equal(stream.headers.get('accept-query'), 'application/x-www-form-urlencoded')
      assert.match(String(stream.headers.get('vary')), /\bLast-Event-ID\b/)
      assert.equal(stream.headers.get('cache-control'), 'no-store')
      const { id } = await addProduct(admin)
      await admin.request('PATCH', `/products/${id}`, { price: 3 })
      await stream.waitFor(2)
      const { data } = await listAfter(end)
      assert.deepEqual(
        stream.events.map((event) => event.data),
        data,
      )
      for (const event of stream.events) {
        assert.equal(event.id, event.data.id)
        assert.equal(event.event, event.data.type)
      }
    })
  })

  test('a stream goes on after Last-Event-ID, a cursor or a time, without gaps', async () => {
    const end = await findEnd()
    const made: number[] = []
    for (let count = 0; count < 120; count += 1) made.push((await addProduct(admin)).id)
    const { data } = await listAfter(end)
    assert.equal(data.length, 120)
    const rest = data.slice(40)
    const resumed = { 'last-event-id': data[39].id }
    await using(receiveEvents(url, { ...bearer(), ...resumed }), async (stream) => {
      await stream.waitFor(80)
      await addProduct(admin)
      await stream.waitFor(81)
      assert.deepEqual(
        stream.events.slice(0, 80).map((event) => event.data),
        rest,
      )
    })
    // The header of a client that connects again is newer than its address.
    const both = receiveEvents(`${url}?cursor=${end}`, {
      ...bearer(),
      'last-event-id': data[118].id,
    })
    await using(both, async (stream) => {
      await stream.waitFor(2)
      assert.equal(stream.events[0]?.id, data[119].id)
    })
    await using(receiveEvents(`${url}?cursor=${end}`, bearer()), async (stream) => {
      await stream.waitFor(121)
      assert.equal(stream.events[0]?.id, data[0].id)
    })
    await using(receiveEvents(`${url}?since=${data[0].time}`, bearer()), async (stream) => {
      await stream.waitFor(121)
    })
  })

  test('a stream has only the events of its filters, from the past and of now', async () => {
    const { id } = await addProduct(admin)
    const cursor = (await admin.request('GET', `/events?type=user.*&limit=1000`)).json.pagination
    const first = await shop.signUp()
    const query = `?type=user.*&cursor=${cursor.next_cursor}`
    await using(receiveEvents(url + query, bearer()), async (stream) => {
      await stream.waitFor(1)
      await admin.request('PATCH', `/products/${id}`, { price: 4 })
      const second = await shop.signUp()
      await stream.waitFor(2)
      assert.deepEqual(
        stream.events.map(({ data }) => data.subject),
        [`/users/${first.id}`, `/users/${second.id}`],
      )
    })
    const of = `?subject=/products/${id}&type=product.updated`
    await using(receiveEvents(url + of, bearer()), async (stream) => {
      await addProduct(admin)
      await admin.request('PATCH', `/products/${id}`, { price: 5 })
      await stream.waitFor(1)
      assert.equal(stream.events[0]?.data.data.price, 5)
    })
  })

  test('a stream has only the events that the credential may read', async () => {
    const { key } = await createKey()
    await using(receiveEvents(url, { authorization: `Api-Key ${key}` }), async (stream) => {
      await shop.signUp()
      await addProduct(admin)
      await stream.waitFor(1)
      assert.deepEqual(
        stream.events.map(({ event }) => event),
        ['product.created'],
      )
    })
  })

  test('a comment and the ID to resume after are sent at intervals', async () => {
    const query = '?type=review.created'
    await using(receiveEvents(url + query, bearer()), async (stream) => {
      await pollUntil(
        async () => stream.text().match(/^:$/gm)?.length ?? 0,
        (count) => count >= 2,
      )
      await addProduct(admin)
      const { data } = (await admin.request('GET', '/events?type=product.created&limit=1000')).json
      // No event was sent, but a client that connects again need not look at this one.
      await pollUntil(
        async () => stream.text(),
        (text) => text.includes(`id: ${data.at(-1).id}\n`),
      )
      assert.deepEqual(stream.events, [])
    })
  })

  test('a stream answers with a problem to what it cannot begin with', async () => {
    const rejected = async (headers: Readonly<Record<string, string>>, query = '') => {
      const stream = await receiveEvents(url + query, headers)
      await stream.ended
      return [stream.status, JSON.parse(stream.text()).error_code]
    }
    const unknown = 'evt_01987c3e-5a40-7000-8000-00000000002a'
    assert.deepEqual(await rejected({ ...bearer(), 'last-event-id': unknown }), [410, '4101'])
    for (const id of ['', 'x', '42']) {
      assert.deepEqual(await rejected({ ...bearer(), 'last-event-id': id }), [400, '4001'], id)
    }
    assert.deepEqual(await rejected(bearer(), '?cursor=x'), [400, '4003'])
    assert.deepEqual(await rejected(bearer(), '?type=x'), [400, '4003'])
    assert.deepEqual(await rejected({}), [401, '4011'])
    const customer = await shop.signInAs('customer')
    assert.deepEqual(await rejected(bearer(customer.token)), [403, '4031'])
    const { key } = await createKey(['orders:read'])
    assert.deepEqual(await rejected({ authorization: `Api-Key ${key}` }), [403, '4033'])
  })

  test('HEAD answers with the header fields of a stream', async () => {
    const headers = { accept: 'text/event-stream', ...bearer() }
    const answer = await fetch(url, { method: 'HEAD', headers })
    assert.deepEqual([answer.status, await answer.text()], [200, ''])
    assert.equal(answer.headers.get('content-type'), 'text/event-stream')
  })

  test('a stream ends once its caller is no longer admitted', async () => {
    const other = await shop.signInAs('admin')
    const { key, id } = await createKey()
    const withKey = { authorization: `Api-Key ${key}` }
    const basic = Buffer.from(`${other.username}:${testPassword}`).toString('base64')
    const streams = {
      key: await receiveEvents(url, withKey),
      session: await receiveEvents(url, bearer(other.token)),
      basic: await receiveEvents(url, { authorization: `Basic ${basic}` }),
      digest: await receiveEvents(url, {
        authorization: digestAuthorization({
          username: other.username,
          nonce: await requestDigestNonce(shop),
          uri: '/events',
        }),
      }),
    }
    for (const [name, { status }] of Object.entries(streams)) assert.equal(status, 200, name)
    await Promise.all(
      Object.values(streams).map((stream) =>
        pollUntil(
          async () => stream.text().match(/^:$/gm)?.length ?? 0,
          (count) => count >= 3,
        ),
      ),
    )
    await admin.request('DELETE', `/api-keys/${id}`)
    await streams.key.ended
    await shop.db
      .updateTable('sessions')
      .set({ ended_at: shop.now })
      .where('user_id', '=', other.id)
      .execute()
    await streams.session.ended
    await admin.request('PATCH', `/users/${other.id}`, { status: 'suspended' })
    await Promise.all([streams.basic.ended, streams.digest.ended])
  })

  test('a suspended administrator receives no further event', async () => {
    const { shop, url } = await startListening(kind, { ...limits, heartbeatMs: 60_000 })
    const [admin, other] = [await shop.signInAs('admin'), await shop.signInAs('admin')]
    const stream = await receiveEvents(url, { authorization: `Bearer ${other.token}` })
    await addProduct(admin)
    await stream.waitFor(1)
    // This change is an event itself.
    await admin.request('PATCH', `/users/${other.id}`, { status: 'suspended' })
    await stream.ended
    assert.deepEqual(
      stream.events.map(({ data }) => data.type),
      ['product.created'],
    )
    await shop.dispose()
  })

  test('an expired token ends its stream', async () => {
    const stream = await receiveEvents(url, bearer((await shop.signInAs('admin')).token))
    const began = shop.now
    shop.now += 16 * 60_000
    await stream.ended
    shop.now = began
  })

  test('a caller can have a few streams, and others have theirs', async () => {
    const other = await shop.signInAs('admin')
    const open = await Promise.all(Array.from({ length: 3 }, () => receiveEvents(url, bearer())))
    const fourth = await receiveEvents(url, bearer())
    await fourth.ended
    assert.equal(fourth.status, 429)
    assert.equal(JSON.parse(fourth.text()).error_code, '4291')
    assert.ok(fourth.headers.has('retry-after'))
    const ofOther = await receiveEvents(url, bearer(other.token))
    assert.equal(ofOther.status, 200)
    for (const stream of [...open, ofOther]) {
      stream.close()
      await stream.ended
    }
    await pollUntil(
      async () => {
        const again = await receiveEvents(url, bearer())
        again.close()
        await again.ended
        return again.status
      },
      (status) => status === 200,
    )
  })

  test('a client that does not read is disconnected', async () => {
    const socket = connect(port, '127.0.0.1')
    const { key } = await createKey()
    socket.write(
      `GET /events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Api-Key ${key}\r\n\r\n`,
    )
    await once(socket, 'readable')
    socket.pause()
    const closed = once(socket, 'close')
    socket.on('error', () => undefined)
    let isClosed = false
    const connections = () =>
      new Promise<number>((resolve) => shop.app.server.getConnections((_, count) => resolve(count)))
    const before = await connections()
    const data = JSON.stringify({ text: 'x'.repeat(200_000) })
    const event = { type: 'product.updated', subject: '/products/1', user_id: null, data } as const
    // The operating system takes some megabytes.
    for (let made = 0; made < 500 && !isClosed; made += 1) {
      await shop.store.transaction((db) => recordEvents(db, [{ ...event, time: shop.now }]))
      if (made % 50 === 49) await sleep(limits.stalledMs)
      isClosed = (await connections()) < before
    }
    assert.ok(isClosed, 'the client is still connected')
    socket.resume()
    await closed
  })

  test('the client of the package eventsource receives events and resumes by itself', async () => {
    const { key } = await createKey()
    const received: string[] = []
    const source = new EventSource(`${url}?api_key=${key}`)
    source.addEventListener('product.created', ({ data, lastEventId }) => {
      assert.equal(JSON.parse(data).id, lastEventId)
      received.push(JSON.parse(data).subject)
    })
    await new Promise((resolve) => source.addEventListener('open', resolve))
    const made = [(await addProduct(admin)).id]
    await pollUntil(
      async () => received.length,
      (count) => count === 1,
    )
    shop.app.server.closeAllConnections()
    for (let count = 0; count < 5; count += 1) made.push((await addProduct(admin)).id)
    await pollUntil(
      async () => received.length,
      (count) => count === 6,
    )
    source.close()
    assert.deepEqual(
      received,
      made.map((id) => `/products/${id}`),
    )
  })
})

eachDatabase((kind) => {
  test('streams end when the server stops, and it accepts no further ones', async () => {
    const { shop, url } = await startListening(kind)
    const admin = await shop.signInAs('admin')
    const headers = { authorization: `Bearer ${admin.token}` }
    const stream = await receiveEvents(url, headers)
    shop.endStreams()
    await stream.ended
    assert.equal((await receiveEvents(url, headers)).status, 503)
    await shop.dispose()
  })

  test('a stream cannot begin after an event past the retention', async () => {
    const { shop, url } = await startListening(kind)
    const admin = await shop.signInAs('admin')
    const headers = { authorization: `Bearer ${admin.token}` }
    await addProduct(admin)
    const first = (await admin.request('GET', '/events?limit=1')).json
    shop.now += 1
    await addProduct(admin)
    const { data } = (await admin.request('GET', '/events')).json
    await shop.store.transaction((db) => deleteEventsBefore(db, shop.now))
    const lastEventId = (id: string) => receiveEvents(url, { ...headers, 'last-event-id': id })
    assert.equal((await lastEventId(first.data[0].id)).status, 410)
    const cursor = `?cursor=${first.pagination.next_cursor}`
    assert.equal((await receiveEvents(url + cursor, headers)).status, 410)
    const stream = await lastEventId(data.at(-1).id)
    assert.equal(stream.status, 200)
    stream.close()
    await stream.ended
    await shop.dispose()
  })
})

describe('the EventSource of a browser', { skip: browserSkipReason() }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  test('receives events of another origin and resumes by itself', async () => {
    const { shop, port } = await startListening('memory')
    const admin = await shop.signInAs('admin')
    const body = { name: 'Page', scopes: ['events:read'] }
    const { key } = (await admin.request('POST', '/api-keys', body)).json
    const { page } = await openPage(browser)
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<title>Dashboard</title>')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    await page.evaluate((address) => {
      const source = new EventSource(address)
      const received: string[] = []
      Object.assign(globalThis, { source, received })
      source.addEventListener('product.created', ({ data }) =>
        received.push(JSON.parse(data).subject),
      )
      return new Promise((resolve) => source.addEventListener('open', resolve))
    }, `http://127.0.0.1:${port}/events?api_key=${key}`)
    // It resumes after what it knows from the beginning, although no event has come yet.
    shop.app.server.closeAllConnections()
    const made = [(await addProduct(admin)).id, (await addProduct(admin)).id]
    const received = await pollUntil(
      () => page.evaluate(() => (globalThis as unknown as { received: string[] }).received),
      (events) => events.length >= 2,
    )
    assert.deepEqual(
      received,
      made.map((id) => `/products/${id}`),
    )
    await page.close()
    other.close()
    other.closeAllConnections()
    await shop.dispose()
  })
})
