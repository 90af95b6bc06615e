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

const place = '/user/delete'
const secrets = {
  name: 'Zebulon Quackenbush',
  email: 'zebulon.q@example.net',
  username: 'zebulon-q',
  line1: '77 Wyvern Crescent',
  note: 'Leave it with Hieronymus next door',
  review: 'Zebulon thinks it leaks',
  reason: 'Zebulon is moving to Ulan Bator',
}

/** Everything that a database holds, as text: its file as it lies there, or all of its tables. */
async function everythingIn({ url, store }: TestApp): Promise<string> {
  if (url.startsWith('sqlite:/')) {
    const path = url.slice('sqlite:'.length)
    const dependencies = await Promise.all(
      ['', '-wal'].map((end) => readFile(path + end, 'latin1').catch(() => '')),
    )
    return dependencies.join()
  }
  const names = await store.db.introspection.getTables()
  const texts: string[] = []
  for (const { name } of names) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(store.db)
    texts.push(JSON.stringify(rows))
  }
  return texts.join()
}

const keyed = (key: string) => ({ 'idempotency-key': key })

/** Every answer that is kept, as it is written down. */
async function answersIn({ db }: TestApp): Promise<readonly string[]> {
  const rows = await db.selectFrom('idempotency_keys').select('answer').execute()
  return rows.map(({ answer }) => answer ?? '')
}

/** A customer who has left traces everywhere. */
async function makeCustomer(shop: TestApp): Promise<TestCaller> {
  const { name, email, username } = secrets
  const caller = await shop.signInAs('customer', { name, email, username })
  const { id: product_id } = await insertProduct(shop.db)
  const address = { line1: secrets.line1, city: 'Wyvernholm', postal_code: '1', country: 'GB' }
  const shipping = { method: 'standard', recipient: name, address }
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
  const jobs = () => runJobs(shop.paymentDependencies, shop.db, { scrub: shop.store.scrub })
  const later = async <T>(milliseconds: number, work: () => Promise<T>): Promise<T> => {
    const { now } = shop
    shop.now = now + milliseconds
    const result = await work()
    shop.now = now
    return result
  }

  describe('leaving', () => {
    test('has another tag where it is asked for again at once for another reason', async () => {
      const { request } = await shop.signInAs('customer')
      const tags = new Set<unknown>()
      for (const reason of ['One', 'Two']) {
        assert.equal((await request('POST', place, { reason })).status, 202)
        tags.add((await request('GET', place)).headers['etag'])
        assert.equal((await request('DELETE', place)).status, 204)
      }
      assert.equal(tags.size, 2)
    })

    test('is scheduled, read, and withdrawn; the account works on all the while', async () => {
      const { request, id } = await shop.signInAs('customer')
      assert.equal((await request('GET', place)).status, 404)
      const asked = await request('POST', place, { password: testPassword, reason: 'Bye' })
      assert.equal(asked.status, 202)
      assert.equal(asked.headers['location'], place)
      const { _links, ...told } = asked.json
      const created_at = new Date(shop.now).toISOString()
      const erase_at = new Date(shop.now + 7 * dayMs).toISOString()
      assert.deepEqual(told, {
        status: 'scheduled',
        erase_at,
        reason: 'Bye',
        created_at,
        updated_at: created_at,
      })
      assert.deepEqual(_links.withdraw, { href: place, method: 'DELETE' })
      assert.deepEqual((await request('GET', place)).json, asked.json)
      assert.equal((await request('GET', `/users/${id}`)).status, 200)
      await later(6 * dayMs, jobs)
      assert.equal((await request('DELETE', place)).status, 204)
      assert.equal((await request('GET', place)).status, 404)
      await later(8 * dayMs, jobs)
      assert.equal((await request('GET', `/users/${id}`)).status, 200)
    })

    test('asked for again stays as it was', async () => {
      const { request } = await shop.signInAs('customer')
      const first = await request('POST', place, { reason: 'One' })
      const again = await later(minuteMs, () => request('POST', place, { reason: 'Two' }))
      assert.equal(again.status, 202)
      assert.deepEqual(again.json, first.json)
      await request('DELETE', place)
    })

    test('is refused with a wrong password, and to who is not known', async () => {
      const { request } = await shop.signInAs('customer')
      const wrong = await request('POST', place, { password: 'not the password' })
      assert.deepEqual([wrong.status, wrong.json.error_code], [403, '4031'])
      assert.equal((await request('GET', place)).status, 404)
      assert.equal((await shop.request('POST', place, {})).status, 401)
    })

    test('is refused to the last administrator, however that is asked for', async () => {
      const { id } = admin
      const refused = [
        await admin.request('POST', place, {}),
        await admin.request('DELETE', `/users/${id}`),
        await admin.request('PATCH', `/users/${id}`, { role: 'customer' }),
        await admin.request('PATCH', `/users/${id}`, { status: 'suspended' }),
      ]
      for (const { status } of refused) assert.equal(status, 409)
      const other = await shop.signInAs('admin')
      assert.equal((await other.request('POST', place, {})).status, 202)
      assert.equal((await admin.request('POST', place, {})).status, 409)
      assert.equal((await other.request('DELETE', place)).status, 204)
      assert.equal((await admin.request('DELETE', `/users/${other.id}`)).status, 204)
    })

    test('is done once the time has come, once, whoever is at it, and leaves no trace', async () => {
      const { id, request } = await makeCustomer(shop)
      const before = await everythingIn(shop)
      if (kind === 'postgres') assert.ok(before.includes(secrets.line1))
      await request('POST', place, { reason: secrets.reason })
      const rounds = await later(7 * dayMs, () => Promise.all([jobs(), jobs(), jobs()]))
      assert.equal(
        rounds.reduce((sum, { erased }) => sum + erased, 0),
        1,
      )
      await later(7 * dayMs + 6 * minuteMs, jobs)
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
      const left = await everythingIn(shop)
      for (const secret of Object.values(secrets)) assert.ok(!left.includes(secret), secret)
    })

    test('takes every answer kept under a key that is about the user, the one to a sign-up too', async () => {
      const known = await answersIn(shop)
      const { name, email } = secrets
      const taken = { username: admin.username, current_password: testPassword }
      const body = { name, email: `later.${email}`, password: testPassword }
      const { json: user } = await shop.request('POST', '/users', body, keyed('sign-up'))
      const credentials = { username: body.email, password: testPassword }
      const { json: started } = await shop.request('POST', '/login', credentials)
      const asUser = { authorization: `Bearer ${started.token}` }
      const { id: product_id } = await insertProduct(shop.db)
      const place = `/users/${user.id}`
      const order = { items: [{ product_id, quantity: 1 }], note: secrets.note }
      const asked = [
        await shop.request('POST', `${place}/orders`, order, { ...asUser, ...keyed('order') }),
        await shop.request('PATCH', place, { age: 44 }, { ...asUser, ...keyed('profile') }),
        await shop.request('PATCH', place, taken, { ...asUser, ...keyed('refused') }),
        await admin.request('PATCH', place, { age: 45 }, keyed('by admin')),
        await admin.request('POST', `${place}/orders`, order, keyed('order by admin')),
      ]
      assert.deepEqual(
        asked.map(({ status }) => status),
        [201, 200, 409, 200, 201],
      )
      const other = await admin.request('POST', '/products', { name: 'A', price: 1 }, keyed('kept'))
      assert.equal(other.status, 201)
      const all = await answersIn(shop)
      assert.equal(all.length, known.length + 7)
      const own = all.filter((answer) => !known.includes(answer))
      assert.equal((await admin.request('DELETE', place)).status, 204)
      const kept = await answersIn(shop)
      assert.equal(kept.length, known.length + 1)
      const gone = own.filter((answer) => !kept.includes(answer))
      assert.equal(gone.length, 6)
      await later(6 * minuteMs, jobs)
      const left = await everythingIn(shop)
      for (const answer of gone) assert.ok(!left.includes(answer), 'an answer is still there')
      for (const text of [body.email, secrets.note]) assert.ok(!left.includes(text), text)
    })

    test('takes an answer that was kept while the user was being erased', async () => {
      const dependencies = { ...shop.dependencies, eraseGraceDays: 0 }
      const swift = await startTestApp(kind, { composition: { dependencies } })
      await swift.signInAs('admin')
      const { request } = await swift.signInAs('customer')
      const body = { reason: secrets.reason }
      assert.equal((await request('POST', place, body, keyed('leaving'))).status, 202)
      swift.now += 6 * minuteMs
      await runJobs(swift.paymentDependencies, swift.db, { scrub: swift.store.scrub })
      assert.deepEqual(await answersIn(swift), [])
      await swift.dispose()
    })

    test('takes what a request that was under way has written after it', async () => {
      const { id, request } = await shop.signInAs('customer')
      assert.equal((await request('DELETE', `/users/${id}`)).status, 204)
      const { id: product_id } = await insertProduct(shop.db)
      const times = { created_at: shop.now, updated_at: shop.now }
      const row = { product_id, user_id: id, author: 'Late', rating: 5, ...times }
      await shop.db.insertInto('reviews').values(row).execute()
      await later(6 * minuteMs, jobs)
      const reviews = shop.db.selectFrom('reviews').select('author')
      const { author } = await reviews
        .where('product_id', '=', product_id)
        .executeTakeFirstOrThrow()
      assert.equal(author, null)
    })
  })

  test('without days of grace, is done before it is answered', async () => {
    const dependencies = { ...shop.dependencies, eraseGraceDays: 0 }
    const swift = await startTestApp(kind, { composition: { dependencies } })
    await swift.signInAs('admin')
    const { id, request } = await swift.signInAs('customer')
    const { status, json } = await request('POST', place, { password: testPassword })
    assert.deepEqual([status, json.status, json.erase_at], [202, 'scheduled', json.created_at])
    const { deleted_at } = await swift.db
      .selectFrom('users')
      .select('deleted_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(deleted_at, endOfDay(swift.now))
    await swift.dispose()
  })
})
