import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { deleteEventsBefore, publishEvents } from '#shop/events/feed-store.ts'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { addProduct } from '#test/support/callers/paying.ts'
import { dayMs, minuteMs } from '#values/instant.ts'

interface Event {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly sequence: string
}

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const get = (query = '', headers?: Readonly<Record<string, string>>) =>
    admin.request('GET', `/events${query}`, undefined, headers)
  async function page(query = '') {
    const { status, json, text } = await get(query)
    assert.equal(status, 200, text)
    return json as {
      readonly data: readonly Event[]
      readonly pagination: { readonly limit: number; readonly next_cursor: string }
    }
  }
  /** The cursor of the end of the feed. */
  const end = async (query = '') =>
    (await page(`?since=2999-01-01T00:00:00Z${query}`)).pagination.next_cursor
  /** The cursor of the end of the feed without filters. */
  async function endOfAll(): Promise<string> {
    let { data, pagination } = await page('?limit=1000')
    while (data.length > 0) {
      ;({ data, pagination } = await page(`?limit=1000&cursor=${pagination.next_cursor}`))
    }
    return pagination.next_cursor
  }

  describe('the feed', () => {
    test('holds CloudEvents, oldest first, that can be read by their IDs', async () => {
      const cursor = await endOfAll()
      const { id } = await addProduct(admin, { name: 'Kettle' })
      await admin.request('PATCH', `/products/${id}`, { price: 5 })
      const { data } = await page(`?cursor=${cursor}`)
      const [created, updated] = data
      assert.deepEqual(
        data.map(({ type, subject }) => [type, subject]),
        [
          ['product.created', `/products/${id}`],
          ['product.updated', `/products/${id}`],
        ],
      )
      assert.ok(created && updated)
      assert.deepEqual(Object.keys(created), [
        'specversion',
        'id',
        'source',
        'type',
        'subject',
        'time',
        'datacontenttype',
        'sequence',
        'data',
      ])
      assert.match(created.sequence, /^\d+$/)
      assert.ok(BigInt(updated.sequence) > BigInt(created.sequence))
      const single = await admin.request('GET', `/events/${created.id}`)
      assert.equal(single.status, 200, single.text)
      assert.deepEqual(single.json, created)
    })

    test('is read to its end by cursors, each event once, and goes on from there', async () => {
      for (let made = 0; made < 3; made += 1) await addProduct(admin)
      const all = [...(await page('?limit=1000')).data]
      for (const limit of [1, 2, all.length, all.length + 1]) {
        const seen: Event[] = []
        let cursor = ''
        for (;;) {
          const { data, pagination } = await page(`?limit=${limit}${cursor}`)
          assert.equal(pagination.limit, limit)
          assert.deepEqual(Object.keys(pagination), ['limit', 'next_cursor'])
          cursor = `&cursor=${pagination.next_cursor}`
          seen.push(...data)
          if (data.length === 0) break
        }
        assert.deepEqual(seen, all)
        const { id } = await addProduct(admin)
        const next = await page(`?limit=${limit}${cursor}`)
        assert.deepEqual(
          next.data.map(({ subject }) => subject),
          [`/products/${id}`],
        )
        all.push(...next.data)
      }
    })

    test('links to its next page, without an API key', async () => {
      const { json: made } = await admin.request('POST', '/api-keys', {
        name: 'Reader',
        scopes: ['events:read'],
      })
      const url = `/v1/events?limit=2&type=user.*&type=product.*&api_key=${made.key}`
      const { status, headers, json, text } = await shop.request('GET', url)
      assert.equal(status, 200, text)
      const [, target = ''] = /^<([^>]*)>; rel="next"$/.exec(headers['link'] ?? '') ?? []
      assert.equal(new URL(target, 'http://shop').searchParams.has('api_key'), false)
      const { cursor } = Object.fromEntries(new URL(target, 'http://shop').searchParams)
      assert.equal(cursor, json.pagination.next_cursor)
      const next = await admin.request('GET', target)
      assert.equal(next.status, 200, next.text)
      assert.notEqual(next.json.data[0]?.id, json.data[1].id)
    })

    test('filters by type, by kind of resource, by subject and by time', async () => {
      const { id } = await addProduct(admin, { stock: 1 })
      const user = await shop.signUp()
      shop.now += 5 * minuteMs
      const since = new Date(shop.now).toISOString()
      await admin.request('PATCH', `/products/${id}`, { stock: 0 })
      await admin.request('PATCH', `/users/${user.id}`, { age: 50 })
      shop.now -= 5 * minuteMs
      await admin.request('PATCH', `/products/${id}`, { stock: 3 })
      const found = async (query: string) =>
        (await page(`?limit=1000&${query}`)).data.map(({ type, subject }) => `${type} ${subject}`)
      const product = `/products/${id}`
      assert.deepEqual(await found(`subject=${product}`), [
        `product.created ${product}`,
        `product.out_of_stock ${product}`,
        `product.back_in_stock ${product}`,
      ])
      assert.deepEqual(
        await found(`subject=${product}&type=product.created,product.back_in_stock`),
        [`product.created ${product}`, `product.back_in_stock ${product}`],
      )
      assert.deepEqual(await found('type=product.out_of_stock'), [
        `product.out_of_stock ${product}`,
      ])
      const kinds = new Set((await found('type=user.*')).map((each) => each.split('.')[0]))
      assert.deepEqual([...kinds], ['user'])
      const all = await found('')
      assert.deepEqual(await found('type=product.*,user.updated'), [
        ...all.filter((each) => /^(product\.|user\.updated)/.test(each)),
      ])
      assert.deepEqual(await found('type=product.*&type=user.updated'), [
        ...all.filter((each) => /^(product\.|user\.updated)/.test(each)),
      ])
      // The last change has an earlier time and comes later in the feed.
      assert.deepEqual(await found(`since=${since}`), [
        `product.out_of_stock ${product}`,
        `user.updated /users/${user.id}`,
      ])
      assert.deepEqual(await found(`since=${since}&type=user.*`), [
        `user.updated /users/${user.id}`,
      ])
      assert.deepEqual(await found('since=2999-01-01T00:00:00Z'), [])
      assert.deepEqual(await found('subject=/nowhere'), [])
    })

    test('has a cursor that skips no event although no event before it matched', async () => {
      const before = (await page('?type=review.*')).pagination.next_cursor
      await addProduct(admin)
      const after = (await page(`?type=review.*&cursor=${before}`)).pagination.next_cursor
      assert.notEqual(after, before)
      assert.deepEqual((await page(`?type=review.*&cursor=${after}`)).data, [])
    })

    test('answers 400 to a cursor of other filters, and to what is no cursor or filter', async () => {
      const cursor = await end()
      const plain = await endOfAll()
      for (const query of [
        `cursor=${cursor}`,
        `cursor=${plain}&type=order.*`,
        `cursor=${plain}&subject=/orders/1`,
        'cursor=',
        'cursor=AAAA',
        'limit=0',
        'limit=1001',
        'limit=x',
        'page=1',
        'sort=id',
        'order=desc',
        'include=data',
        'type=order.lost',
        'type=order',
        'type=',
        'since=yesterday',
        'limit=1&limit=2',
      ]) {
        const { status, json, text } = await get(`?${query}`)
        assert.equal(status, 400, `${query}: ${text}`)
        assert.equal(json.error_code, '4003')
        assert.equal(json.errors.length, 1)
        assert.equal(json.errors[0].field, query.split('=', 1)[0])
      }
      const reordered = await page('?type=order.paid,user.*')
      const cursorOfTypes = reordered.pagination.next_cursor
      await page(`?type=user.*,order.paid&cursor=${cursorOfTypes}`)
    })

    test('answers 304 while nothing has happened', async () => {
      const cursor = await endOfAll()
      const { headers } = await get(`?cursor=${cursor}`)
      const etag = headers['etag'] ?? ''
      assert.match(etag, /^"/)
      assert.equal((await get(`?cursor=${cursor}`, { 'if-none-match': etag })).status, 304)
      await addProduct(admin)
      assert.equal((await get(`?cursor=${cursor}`, { 'if-none-match': etag })).status, 200)
    })

    test('is for administrators with the scope', async () => {
      const customer = await shop.signInAs('customer')
      const key = async (scopes: readonly string[]) =>
        (await admin.request('POST', '/api-keys', { name: 'Reader', scopes })).json.key
      const { id } = (await page('?limit=1&type=product.*')).data[0] ?? { id: '' }
      for (const path of ['/events', `/events/${id}`]) {
        const ask = (authorization: string) =>
          shop.request('GET', path, undefined, { authorization })
        assert.equal((await shop.request('GET', path)).json.error_code, '4011')
        assert.equal((await customer.request('GET', path)).json.error_code, '4031')
        const narrow = await ask(`Api-Key ${await key(['users:read', 'orders:read'])}`)
        assert.equal(narrow.json.error_code, '4033')
        assert.equal((await ask(`Api-Key ${await key(['events:read'])}`)).status, 200)
      }
      const root = async (caller: TestCaller) => (await caller.request('GET', '/')).json._links
      assert.equal((await root(admin)).events.href, '/events')
      assert.equal((await root(customer)).events, undefined)
    })

    test('shows only what the credential may read, as a page, an export and by ID', async () => {
      const { json } = await admin.request('POST', '/api-keys', {
        name: 'Reader',
        scopes: ['events:read'],
      })
      const ask = (path: string, accept = 'application/json') =>
        shop.request('GET', path, undefined, { authorization: `Api-Key ${json.key}`, accept })
      const cursor = await endOfAll()
      await addProduct(admin)
      await shop.signUp()
      const types = (data: readonly { type: string }[]) => data.map(({ type }) => type)
      const all = await page(`?cursor=${cursor}`)
      assert.deepEqual(types(all.data), ['product.created', 'user.created'])
      const own = await ask(`/events?cursor=${cursor}`)
      assert.deepEqual(types(own.json.data), ['product.created'])
      const exported = await ask(`/events?cursor=${cursor}`, 'application/x-ndjson')
      assert.deepEqual(exported.text.match(/"type":"[^"]*"/g), ['"type":"product.created"'])
      for (const filter of ['type=user.*', 'type=user.created&subject=/users/1']) {
        const none = await ask(`/events?${filter}`)
        assert.deepEqual([none.status, none.json.data], [200, []], none.text)
      }
      const [product, user] = all.data
      assert.equal((await ask(`/events/${product?.id}`)).status, 200)
      const refused = await ask(`/events/${user?.id}`)
      assert.deepEqual([refused.status, refused.json.error_code], [403, '4033'])
    })

    test('takes a constant number of statements', async () => {
      const count = async (query: string) => {
        await publishEvents(shop.db)
        shop.takeCount()
        await page(query)
        return shop.takeCount()
      }
      const cursor = await endOfAll()
      // The credential and the events; on SQLite, whether an event waits, and the last one.
      const base = kind === 'postgres' ? 3 : 4
      assert.equal(await count(''), base)
      assert.equal(await count('?type=order.*,product.*'), base)
      assert.equal(await count(`?cursor=${cursor}`), base + 1)
      assert.equal(await count('?since=2026-01-01T00:00:00Z'), base + 1)
    })
  })

  describe('an event', () => {
    test('that never was answers 404', async () => {
      const { id } = (await page('?limit=1')).data[0] ?? { id: '' }
      const last = Number.parseInt(id.slice(-1), 16)
      const changed = id.slice(0, -1) + ((last + 8) % 16).toString(16).padStart(1)
      const others = [changed, id.slice(0, -12) + '0'.repeat(12), `${id}0`, '1']
      for (const other of [...others, id.replace('evt_0', 'evt_1'), 'evt_']) {
        const { json } = await admin.request('GET', `/events/${other}`)
        if (json.id === undefined) assert.equal(json.error_code, '4041', other)
        else assert.notEqual(json.id, id)
      }
    })

    test('keeps nothing personal after the erasure of its user, and has changed', async () => {
      const cursor = await endOfAll()
      const user = await shop.signUp({ name: 'Zebulon Quackenbush', email: 'z@example.com' })
      const [created] = (await page(`?cursor=${cursor}`)).data
      const before = await admin.request('GET', `/events/${created?.id}`)
      assert.match(before.text, /Zebulon/)
      assert.equal((await admin.request('DELETE', `/users/${user.id}`)).status, 204)
      const headers = {
        'if-none-match': before.headers['etag'] ?? '',
        'if-modified-since': before.headers['last-modified'] ?? '',
      }
      const after = await admin.request('GET', `/events/${created?.id}`, undefined, headers)
      assert.equal(after.status, 200)
      assert.equal(after.json.data.id, user.id)
      assert.equal(after.json.data.name, null)
      const feed = await get(`?cursor=${cursor}`)
      assert.doesNotMatch(feed.text, /Zebulon|z@example/)
      assert.deepEqual(
        feed.json.data.map(({ type }: Event) => type),
        ['user.created', 'user.deleted', 'user.erased'],
      )
    })
  })
})

eachDatabase((kind) => {
  test('events past the retention answer 410, and so does a cursor before them', async () => {
    const shop = await startTestApp(kind)
    try {
      let admin = await shop.signInAs('admin')
      for (let made = 0; made < 3; made += 1) await addProduct(admin)
      const first = (await admin.request('GET', '/events?limit=2')).json
      shop.now += 40 * dayMs
      admin = await shop.signInAs('admin')
      const last = (await admin.request('GET', '/events')).json
      const before = shop.now - 30 * dayMs
      const deleted = await shop.store.transaction((db) => deleteEventsBefore(db, before))
      assert.equal(deleted, 4)
      assert.equal(await shop.store.transaction((db) => deleteEventsBefore(db, before)), 0)
      const get = async (path: string) => (await admin.request('GET', path)).json
      const kept = await get('/events')
      assert.deepEqual(
        kept.data.map(({ id }: Event) => id),
        [last.data.at(-1).id],
      )
      const cursorOf = ({ pagination }: typeof first) => pagination.next_cursor
      assert.equal((await get(`/events?cursor=${cursorOf(first)}`)).error_code, '4101')
      assert.deepEqual((await get(`/events?cursor=${cursorOf(last)}`)).data, [])
      assert.equal((await get(`/events/${first.data[0].id}`)).error_code, '4101')
      await shop.store.transaction((db) => deleteEventsBefore(db, shop.now + 1))
      assert.deepEqual((await get('/events')).data, [])
      assert.deepEqual((await get(`/events?cursor=${cursorOf(last)}`)).data, [])
      await addProduct(admin)
      assert.equal((await get(`/events?cursor=${cursorOf(last)}`)).data.length, 1)
    } finally {
      await shop.dispose()
    }
  })
})

eachDatabase((kind) => {
  test('a position of a history that a backup has replaced answers 410, whatever happens later', async () => {
    const shop = await startTestApp(kind)
    try {
      const admin = await shop.signInAs('admin')
      const get = (query: string) => admin.request('GET', `/events?${query}`)
      await addProduct(admin)
      const kept = (await get('limit=1000')).json
      for (let made = 0; made < 2; made += 1) await addProduct(admin)
      const lost = (await get('limit=1000')).json
      const [number, digest] = JSON.parse(
        Buffer.from(lost.pagination.next_cursor, 'base64url').toString(),
      )
      const yesterday = Buffer.from(JSON.stringify([number, digest])).toString('base64url')
      assert.equal((await get(`cursor=${yesterday}`)).status, 200)
      // As after a restore, also one by hand.
      const last = Number(kept.data.at(-1).sequence)
      await sql`delete from events where sequence > ${last}`.execute(shop.db)
      const rewind =
        kind === 'postgres'
          ? sql`select setval(pg_get_serial_sequence('events', 'sequence'), ${sql.lit(last)})`
          : sql`update sqlite_sequence set seq = ${last} where name = 'outbox'`
      await rewind.execute(shop.db)
      const lastEventId = { accept: 'text/event-stream', 'last-event-id': lost.data.at(-1).id }
      const assertGone = async () => {
        const gone = [
          await get(`cursor=${lost.pagination.next_cursor}`),
          await admin.request('GET', '/events', undefined, lastEventId),
        ]
        for (const { status, json, text } of gone) {
          assert.equal(`${status} ${json.error_code}`, '410 4101', text)
          assert.match(json.details, /backup/)
        }
      }
      await assertGone()
      assert.equal((await get(`cursor=${yesterday}`)).status, 410)
      shop.now += minuteMs
      for (let made = 0; made < 3; made += 1) await addProduct(admin)
      await assertGone()
      const { data } = (await get(`cursor=${kept.pagination.next_cursor}`)).json
      assert.deepEqual(
        data.map(({ sequence }: Event) => Number(sequence)),
        [last + 1, last + 2, last + 3],
      )
    } finally {
      await shop.dispose()
    }
  })
})
