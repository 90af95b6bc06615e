import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { slidingWindow } from '#http/rate-limit/algorithms/sliding-window.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testPassword,
} from '#test/support/app.ts'
import { minuteMs } from '#values/instant.ts'

eachDatabase((kind) => {
  let shop: TestApp
  before(async () => {
    const limits = {
      defaultAllowance: { limit: 20, windowMs: minuteMs },
      counters: memoryCounters(slidingWindow),
    }
    shop = await startTestApp(kind, { composition: { limits } })
  })
  after(() => shop.dispose())

  /** Writes by a token, then again once the account was changed behind the back of the process. */
  async function writeAgainAfter(
    caller: TestCaller,
    [path, body]: readonly [string, object],
    change: () => Promise<unknown>,
  ) {
    const first = await caller.request('POST', path, body)
    assert.equal(first.status, 201, first.text)
    await change()
    const { status, json } = await caller.request('POST', path, body)
    return [status, json.error_code]
  }

  const addressOf = ({ id }: TestCaller) => {
    const address = {
      line1: '1 Main Street',
      city: 'London',
      postal_code: 'SW1Y 4JH',
      country: 'GB',
    }
    return [`/users/${id}/addresses`, { recipient: 'Ada Lovelace', ...address }] as const
  }

  test('a write is refused once the session of its token has ended elsewhere', async () => {
    const caller = await shop.signInAs('customer')
    const refused = await writeAgainAfter(caller, addressOf(caller), () =>
      shop.db
        .updateTable('sessions')
        .set({ ended_at: shop.now })
        .where('id', '=', caller.sessionId)
        .execute(),
    )
    assert.deepEqual(refused, [401, '4012'])
  })

  test('nothing is written for an account that was suspended elsewhere', async () => {
    const caller = await shop.signInAs('customer')
    const refused = await writeAgainAfter(caller, addressOf(caller), () =>
      shop.db
        .updateTable('users')
        .set({ status: 'suspended' })
        .where('id', '=', caller.id)
        .execute(),
    )
    assert.deepEqual(refused, [403, '4032'])
    const rows = shop.db.selectFrom('addresses').select('id').where('user_id', '=', caller.id)
    assert.equal((await rows.execute()).length, 1)
  })

  test('a role that was changed elsewhere counts for the next write', async () => {
    const admin = await shop.signInAs('admin')
    const setRole = (role: 'admin' | 'customer') => () =>
      shop.db.updateTable('users').set({ role }).where('id', '=', admin.id).execute()
    const product = ['/products', { name: 'Kettle', price: 9 }] as const
    assert.deepEqual(await writeAgainAfter(admin, product, setRole('customer')), [403, '4031'])
    await setRole('admin')()
    assert.equal((await admin.request('POST', ...product)).status, 201)
  })

  /** Ends the session of a user behind the back of the process, which has just accepted its token. */
  async function withEndedSession() {
    const caller = await shop.signInAs('customer')
    const path = `/users/${caller.id}/orders`
    assert.equal((await caller.request('POST', path, {})).json.error_code, '4091')
    const session = shop.db.updateTable('sessions').where('id', '=', caller.sessionId)
    await session.set({ ended_at: shop.now }).execute()
    const writeManyTimes = async (body: object, headers = {}) => {
      const writes = Array.from({ length: 25 }, () => caller.request('POST', path, body, headers))
      for (const { status } of await Promise.all(writes))
        assert.ok(status === 401 || status === 429)
    }
    const signInAgain = async () => {
      const { username } = caller
      const { json } = await shop.request('POST', '/login', { username, password: testPassword })
      const headers = { authorization: `Bearer ${json.token}` }
      return (body: object) => shop.request('POST', path, body, headers)
    }
    return { caller, writeManyTimes, signInAgain }
  }

  test('a token whose session has ended uses up no request of its user', async () => {
    const { writeManyTimes, signInAgain } = await withEndedSession()
    await writeManyTimes({})
    const write = await signInAgain()
    assert.equal((await write({})).headers['x-ratelimit-remaining'], '18')
  })

  test('a token whose session has ended uses up no guess of its user', async () => {
    const { writeManyTimes, signInAgain } = await withEndedSession()
    await writeManyTimes({ discount_code: 'GUESS' })
    const write = await signInAgain()
    assert.equal((await write({ discount_code: 'GUESS' })).status, 409)
  })

  test('a token whose session has ended stores no problem under a key of its user', async () => {
    const { caller, writeManyTimes } = await withEndedSession()
    await writeManyTimes({ note: 1 }, { 'idempotency-key': 'order-1' })
    const rows = shop.db.selectFrom('idempotency_keys').select('name')
    assert.deepEqual(await rows.where('caller_id', '=', caller.id).execute(), [])
  })
})
