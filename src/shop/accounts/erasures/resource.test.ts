import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { runJobs } from '#src/server/jobs.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testPassword,
} from '#test/support/app.ts'
import { insertProduct } from '#test/support/rows.ts'
import { dayMs, endOfDay, minuteMs } from '#values/instant.ts'

const path = '/user/delete'
const secrets = {
  company: 'Gryphon Engines',
  vat_id: 'GB998877665',
  phone: '+44 113 496 0999',
  name: 'Zebulon Quackenbush',
  email: 'zebulon.q@example.net',
  username: 'zebulon-q',
  line1: '77 Wyvern Crescent',
  note: 'Leave it with Hieronymus next door',
  review: 'Zebulon thinks it leaks',
  reason: 'Zebulon is moving to Ulan Bator',
}

/** Reads the whole database as text: the SQLite files, or all tables. */
async function readDatabase({ url, store }: TestApp): Promise<string> {
  if (url.startsWith('sqlite:/')) {
    const file = url.slice('sqlite:'.length)
    const contents = await Promise.all(
      ['', '-wal'].map((suffix) => readFile(file + suffix, 'latin1').catch(() => '')),
    )
    return contents.join()
  }
  const names = await store.db.introspection.getTables()
  const texts: string[] = []
  for (const { name } of names) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(store.db)
    texts.push(JSON.stringify(rows))
  }
  return texts.join()
}

const withKey = (key: string) => ({ 'idempotency-key': key })

/** Reads the stored responses to requests with an Idempotency-Key. */
async function readStoredResponses({ db }: TestApp): Promise<readonly string[]> {
  const rows = await db.selectFrom('idempotency_keys').select('answer').execute()
  return rows.map(({ answer }) => answer ?? '')
}

/** Creates a customer with personal data in an order, a cart and a review. */
async function makeCustomer(shop: TestApp): Promise<TestCaller> {
  const { name, email, username, company, vat_id, phone } = secrets
  const caller = await shop.signInAs('customer', { name, email, username })
  const { id: product_id } = await insertProduct(shop.db)
  const address = { line1: secrets.line1, city: 'Wyvernholm', postal_code: '1', country: 'GB' }
  const shipping = { method: 'standard', recipient: name, company, vat_id, phone, address }
  const items = [{ product_id, quantity: 1 }]
  const body = { items, shipping, note: secrets.note }
  const order = await caller.request('POST', `/users/${caller.id}/orders`, body)
  assert.equal(order.status, 201, order.text)
  await caller.request('POST', '/cart', { product_id, quantity: 1 })
  const row = { product_id, user_id: caller.id, author: name, rating: 1, body: null }
  const times = { created_at: shop.now, updated_at: shop.now }
  await shop.db
    .insertInto('reviews')
    .values({ ...row, ...times })
    .execute()
  return caller
}

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())
  const jobs = () => runJobs(shop.parts, shop.db, { purgeDeletedRows: shop.store.purgeDeletedRows })
  const runAfter = async <T>(milliseconds: number, work: () => Promise<T>): Promise<T> => {
    const { now } = shop
    shop.now = now + milliseconds
    const result = await work()
    shop.now = now
    return result
  }

  describe('an erasure', () => {
    test('has another ETag when it is requested again at once with another reason', async () => {
      const { request } = await shop.signInAs('customer')
      const tags = new Set<unknown>()
      for (const reason of ['One', 'Two']) {
        assert.equal((await request('POST', path, { reason })).status, 202)
        tags.add((await request('GET', path)).headers['etag'])
        assert.equal((await request('DELETE', path)).status, 204)
      }
      assert.equal(tags.size, 2)
    })

    test('can be scheduled, read and withdrawn while the account stays usable', async () => {
      const { request, id } = await shop.signInAs('customer')
      assert.equal((await request('GET', path)).status, 404)
      const scheduled = await request('POST', path, { password: testPassword, reason: 'Bye' })
      assert.equal(scheduled.status, 202)
      assert.equal(scheduled.headers['location'], path)
      const { _links, ...fields } = scheduled.json
      const created_at = new Date(shop.now).toISOString()
      const erase_at = new Date(shop.now + 7 * dayMs).toISOString()
      assert.deepEqual(fields, {
        status: 'scheduled',
        erase_at,
        reason: 'Bye',
        created_at,
        updated_at: created_at,
      })
      assert.deepEqual(_links.withdraw, { href: path, method: 'DELETE' })
      assert.deepEqual((await request('GET', path)).json, scheduled.json)
      assert.equal((await request('GET', `/users/${id}`)).status, 200)
      await runAfter(6 * dayMs, jobs)
      assert.equal((await request('DELETE', path)).status, 204)
      assert.equal((await request('GET', path)).status, 404)
      await runAfter(8 * dayMs, jobs)
      assert.equal((await request('GET', `/users/${id}`)).status, 200)
    })

    test('takes another reason when it is requested again, and stays at its time', async () => {
      const { request } = await shop.signInAs('customer')
      const first = await request('POST', path, { reason: 'One' })
      const same = await runAfter(minuteMs, () => request('POST', path, {}))
      assert.deepEqual([same.status, same.json], [202, first.json])
      const again = await runAfter(minuteMs, () => request('POST', path, { reason: 'Two' }))
      assert.equal(again.status, 202)
      assert.deepEqual(again.json, { ...first.json, reason: 'Two' })
      await request('DELETE', path)
    })

    test('is rejected with a wrong password and for an anonymous caller', async () => {
      const { request } = await shop.signInAs('customer')
      const wrong = await request('POST', path, { password: 'not the password' })
      assert.deepEqual([wrong.status, wrong.json.error_code], [403, '4031'])
      assert.equal((await request('GET', path)).status, 404)
      assert.equal((await shop.request('POST', path, {})).status, 401)
    })

    test('is rejected for the last administrator, as are removal, demotion and suspension', async () => {
      const { id } = admin
      const rejected = [
        await admin.request('POST', path, {}),
        await admin.request('DELETE', `/users/${id}`),
        await admin.request('PATCH', `/users/${id}`, { role: 'customer' }),
        await admin.request('PATCH', `/users/${id}`, { status: 'suspended' }),
      ]
      for (const { status } of rejected) assert.equal(status, 409)
      const other = await shop.signInAs('admin')
      assert.equal((await other.request('POST', path, {})).status, 202)
      assert.equal((await admin.request('POST', path, {})).status, 409)
      assert.equal((await other.request('DELETE', path)).status, 204)
      assert.equal((await admin.request('DELETE', `/users/${other.id}`)).status, 204)
    })

    test('is rejected to one of two administrators who ask at the same time', async () => {
      const other = await shop.signInAs('admin')
      for (let turn = 0; turn < 5; turn += 1) {
        const both = [admin, other]
        const responses = await Promise.all(both.map(({ request }) => request('POST', path, {})))
        const statuses = responses.map(({ status }) => status)
        assert.deepEqual(statuses.toSorted(), [202, 409])
        const scheduled = both[statuses.indexOf(202)]
        assert.equal((await scheduled?.request('DELETE', path))?.status, 204)
      }
      assert.equal((await admin.request('DELETE', `/users/${other.id}`)).status, 204)
    })

    test('is done exactly once after the grace period, despite concurrent jobs, and leaves no trace', async () => {
      const { id, request } = await makeCustomer(shop)
      const before = await readDatabase(shop)
      if (kind === 'postgres') assert.ok(before.includes(secrets.line1))
      await request('POST', path, { reason: secrets.reason })
      const rounds = await runAfter(7 * dayMs, () => Promise.all([jobs(), jobs(), jobs()]))
      assert.equal(
        rounds.reduce((sum, { erased }) => sum + erased, 0),
        1,
      )
      await runAfter(7 * dayMs + 6 * minuteMs, jobs)
      assert.equal((await admin.request('GET', `/users/${id}`)).status, 410)
      assert.equal((await request('GET', '/profile')).status, 401)
      const login = { username: secrets.username, password: testPassword }
      assert.equal((await shop.request('POST', '/login', login)).status, 401)
      const events = await admin.request('GET', `/audit-events?subject_id=${id}&limit=100`)
      assert.deepEqual(
        events.json.data.map(({ action }: { action: string }) => action),
        ['signed_in', 'erasure_scheduled', 'user_erased'],
      )
      const { settled_at } = await shop.db
        .selectFrom('erasures')
        .select('settled_at')
        .where('user_id', '=', id)
        .executeTakeFirstOrThrow()
      assert.notEqual(settled_at, null)
      const left = await readDatabase(shop)
      for (const secret of Object.values(secrets)) assert.ok(!left.includes(secret), secret)
    })

    test('deletes every stored response about the user, including that to the sign-up', async () => {
      const before = await readStoredResponses(shop)
      const { name, email } = secrets
      const duplicate = { username: admin.username, current_password: testPassword }
      const body = { name, email: `later.${email}`, password: testPassword }
      const { json: user } = await shop.request('POST', '/users', body, withKey('sign-up'))
      const credentials = { username: body.email, password: testPassword }
      const { json: started } = await shop.request('POST', '/login', credentials)
      const asUser = { authorization: `Bearer ${started.token}` }
      const { id: product_id } = await insertProduct(shop.db)
      const userPath = `/users/${user.id}`
      const order = { items: [{ product_id, quantity: 1 }], note: secrets.note }
      const responses = [
        await shop.request('POST', `${userPath}/orders`, order, { ...asUser, ...withKey('order') }),
        await shop.request('PATCH', userPath, { age: 44 }, { ...asUser, ...withKey('profile') }),
        await shop.request('PATCH', userPath, duplicate, { ...asUser, ...withKey('rejected') }),
        await admin.request('PATCH', userPath, { age: 45 }, withKey('by admin')),
        await admin.request('POST', `${userPath}/orders`, order, withKey('order by admin')),
      ]
      assert.deepEqual(
        responses.map(({ status }) => status),
        [201, 200, 409, 200, 201],
      )
      const unrelated = await admin.request(
        'POST',
        '/products',
        { name: 'A', price: 1 },
        withKey('unrelated'),
      )
      assert.equal(unrelated.status, 201)
      const all = await readStoredResponses(shop)
      assert.equal(all.length, before.length + 7)
      const own = all.filter((response) => !before.includes(response))
      assert.equal((await admin.request('DELETE', userPath)).status, 204)
      // The keys of others stay, without the answers.
      const remaining = (await readStoredResponses(shop)).filter((text) => text !== '')
      assert.equal(remaining.length, before.length + 1)
      const deleted = own.filter((response) => !remaining.includes(response))
      assert.equal(deleted.length, 6)
      await runAfter(6 * minuteMs, jobs)
      const left = await readDatabase(shop)
      for (const response of deleted)
        assert.ok(!left.includes(response), 'a response is still stored')
      for (const text of [body.email, secrets.note]) assert.ok(!left.includes(text), text)
    })

    test('deletes a response that was stored during the erasure', async () => {
      const shopWithoutGrace = await startTestApp(kind, { composition: { eraseGraceDays: 0 } })
      await shopWithoutGrace.signInAs('admin')
      const { request } = await shopWithoutGrace.signInAs('customer')
      const body = { reason: secrets.reason }
      assert.equal((await request('POST', path, body, withKey('erasure'))).status, 202)
      shopWithoutGrace.now += 6 * minuteMs
      await runJobs(shopWithoutGrace.parts, shopWithoutGrace.db, {
        purgeDeletedRows: shopWithoutGrace.store.purgeDeletedRows,
      })
      assert.deepEqual(await readStoredResponses(shopWithoutGrace), [])
      await shopWithoutGrace.dispose()
    })

    test('deletes data that a concurrent request wrote after it', async () => {
      const { id, request } = await shop.signInAs('customer')
      assert.equal((await request('DELETE', `/users/${id}`)).status, 204)
      const { id: product_id } = await insertProduct(shop.db)
      const times = { created_at: shop.now, updated_at: shop.now }
      const row = { product_id, user_id: id, author: 'Late', rating: 5, ...times }
      await shop.db.insertInto('reviews').values(row).execute()
      await runAfter(6 * minuteMs, jobs)
      const reviews = shop.db.selectFrom('reviews').select('author')
      const { author } = await reviews
        .where('product_id', '=', product_id)
        .executeTakeFirstOrThrow()
      assert.equal(author, null)
    })

    test('leaves an administrator when two remove, demote or suspend each other at the same time', async () => {
      const attempts = [
        { method: 'DELETE' },
        { method: 'PATCH', body: { role: 'customer' } },
        { method: 'PATCH', body: { status: 'suspended' } },
      ]
      let current = admin
      for (const { method, body } of [...attempts, ...attempts]) {
        const other = await shop.signInAs('admin')
        const [ofOther, ofCurrent] = await Promise.all([
          current.request(method, `/users/${other.id}`, body),
          other.request(method, `/users/${current.id}`, body),
        ])
        const statuses = [ofOther.status, ofCurrent.status]
        assert.equal(statuses.filter((status) => status < 300).length, 1, `${statuses}`)
        assert.ok(Math.max(...statuses) < 500, `${statuses}`)
        if (ofCurrent.status < 300) current = other
        assert.equal(
          (await current.request('GET', '/users?role=admin&status=active')).json.data.length,
          1,
        )
      }
    })
  })

  test('without a grace period, an erasure is done before the response', async () => {
    const shopWithoutGrace = await startTestApp(kind, { composition: { eraseGraceDays: 0 } })
    await shopWithoutGrace.signInAs('admin')
    const { id, request } = await shopWithoutGrace.signInAs('customer')
    const { status, json } = await request('POST', path, { password: testPassword })
    assert.deepEqual([status, json.status, json.erase_at], [202, 'scheduled', json.created_at])
    const { deleted_at } = await shopWithoutGrace.db
      .selectFrom('users')
      .select('deleted_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(deleted_at, endOfDay(shopWithoutGrace.now))
    await shopWithoutGrace.dispose()
  })
})
