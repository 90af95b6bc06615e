import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import {
  eachDatabase,
  startTestApp,
  type TestApp,
  type TestCaller,
  testPassword,
} from '#test/support/app.ts'
import { deleteEvents } from './store.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const trailOf = async (query: string): Promise<readonly Record<string, unknown>[]> => {
    const { status, json, text } = await admin.request('GET', `/audit-events?${query}`)
    assert.equal(status, 200, text)
    return json.data
  }
  const actionsOn = async (id: number): Promise<readonly unknown[]> =>
    (await trailOf(`subject_id=${id}&limit=100`)).map(({ action }) => action)

  describe('the audit trail', () => {
    test('tells who signed in, by what, from where and by which request', async () => {
      const { id, username } = await shop.signUp()
      const sent = { username, password: testPassword }
      const headers = { 'x-request-id': 'sign-in-1' }
      const login = await shop.request('POST', '/login', sent, headers)
      assert.equal(login.status, 200)
      const [event] = await trailOf(`subject_id=${id}`)
      const { id: _, _links, created_at, updated_at, at, ...told } = event ?? {}
      assert.deepEqual(told, {
        action: 'signed_in',
        actor_id: id,
        subject_id: id,
        address: '127.0.0.1',
        credential: 'password',
        request_id: 'sign-in-1',
        details: { id: Number(decodeJwt(login.json.token)['sid']) },
      })
      assert.equal(at, new Date(shop.now).toISOString())
      assert.deepEqual([created_at, updated_at], [at, at])
    })

    test('tells of failures whose account was tried, and never what was typed', async () => {
      const { id, username } = await shop.signUp()
      const headers = { 'x-request-id': 'typed' }
      const typed = 'my secret typed as a name'
      await shop.request('POST', '/login', { username, password: typed }, headers)
      await shop.request('POST', '/login', { username: typed, password: typed }, headers)
      const events = await trailOf('request_id=typed')
      assert.deepEqual(
        events.map(({ action, actor_id, subject_id }) => [action, actor_id, subject_id]),
        [
          ['sign_in_failed', null, id],
          ['sign_in_failed', null, null],
        ],
      )
      const rows = await shop.db.selectFrom('audit_events').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(typed))
    })

    test('tells of a refresh token that was used twice', async () => {
      const { id, refreshToken: refresh_token } = await shop.signInAs('customer')
      await shop.request('POST', '/login', { refresh_token })
      assert.equal((await shop.request('POST', '/login', { refresh_token })).status, 401)
      assert.deepEqual(await actionsOn(id), ['signed_in', 'refresh_token_reused'])
    })

    test('tells of a new password, role or status, and from what to what, but no password', async () => {
      const { id } = await shop.signUp()
      const change = { password: 'another password', role: 'admin', status: 'suspended' }
      assert.equal((await admin.request('PATCH', `/users/${id}`, change)).status, 200)
      const events = await trailOf(`subject_id=${id}`)
      assert.deepEqual(
        events.map(({ action, actor_id, credential, details }) => [
          action,
          actor_id,
          credential,
          details,
        ]),
        [
          ['password_changed', admin.id, 'bearer', null],
          ['role_changed', admin.id, 'bearer', { from: 'customer', to: 'admin' }],
          ['status_changed', admin.id, 'bearer', { from: 'active', to: 'suspended' }],
        ],
      )
    })

    test('keeps nothing of a change that came to nothing', async () => {
      const { id } = await shop.signUp()
      const { username } = await shop.signUp()
      const change = { password: 'another password', username }
      assert.equal((await admin.request('PATCH', `/users/${id}`, change)).status, 409)
      assert.deepEqual(await actionsOn(id), [])
    })

    test('keeps that somebody was erased, and not where from that somebody came', async () => {
      const { id, request } = await shop.signInAs('customer')
      assert.equal((await request('DELETE', `/users/${id}`)).status, 204)
      const events = await trailOf(`subject_id=${id}`)
      assert.deepEqual(
        events.map(({ action, address, details }) => [action, address, details]),
        [
          ['signed_in', null, null],
          ['user_erased', null, null],
        ],
      )
    })

    test('is found by who did it, when, and from where', async () => {
      const { id } = await shop.signInAs('customer')
      const at = new Date(shop.now).toISOString()
      const later = new Date(shop.now + 1).toISOString()
      const count = async (query: string) => (await trailOf(`actor_id=${id}&${query}`)).length
      assert.equal(await count(`since=${at}&until=${later}`), 1)
      assert.equal(await count(`since=${later}`), 0)
      assert.equal(await count(`until=${at}`), 0)
      assert.equal(await count('address=127.0.0.1&action=signed_in'), 1)
      assert.equal(await count('address=127.0.0.2'), 0)
      const refused = await admin.request('GET', '/audit-events?since=yesterday')
      assert.deepEqual([refused.status, refused.json.error_code], [400, '4003'])
    })

    test('is forgotten when it is old, some at a time', async () => {
      const { id } = await shop.signInAs('customer')
      const [event] = await trailOf(`subject_id=${id}`)
      const moment = shop.now
      // Those of erased users tell the day alone.
      await deleteEvents(shop.db, moment)
      assert.equal(await deleteEvents(shop.db, moment), 0)
      assert.equal(await deleteEvents(shop.db, moment + 1, 1), 1)
      const gone = await admin.request('GET', `/audit-events/${event?.['id']}`)
      assert.ok([200, 404].includes(gone.status))
      await deleteEvents(shop.db, moment + 1)
      assert.deepEqual(await trailOf(`subject_id=${id}`), [])
    })
  })
})
