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
import { auditEvents } from './table.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  const listAuditEvents = async (query: string): Promise<readonly Record<string, unknown>[]> => {
    const { status, json, text } = await admin.request('GET', `/audit-events?${query}`)
    assert.equal(status, 200, text)
    return json.data
  }
  const listActions = async (id: number): Promise<readonly unknown[]> =>
    (await listAuditEvents(`subject_id=${id}&limit=100`)).map(({ action }) => action)

  describe('the audit trail', () => {
    test('has the user, credential, address and request ID of a sign-in', async () => {
      const { id, username } = await shop.signUp()
      const credentials = { username, password: testPassword }
      const headers = { 'x-request-id': 'sign-in-1' }
      const login = await shop.request('POST', '/login', credentials, headers)
      assert.equal(login.status, 200)
      const [event] = await listAuditEvents(`subject_id=${id}`)
      const { id: _, _links, created_at, updated_at, at, ...fields } = event ?? {}
      assert.deepEqual(fields, {
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

    test('has failed sign-ins with the account, but not the input', async () => {
      const { id, username } = await shop.signUp()
      const headers = { 'x-request-id': 'failed-1' }
      const input = 'my secret as a name'
      await shop.request('POST', '/login', { username, password: input }, headers)
      await shop.request('POST', '/login', { username: input, password: input }, headers)
      const events = await listAuditEvents('request_id=failed-1')
      assert.deepEqual(
        events.map(({ action, actor_id, subject_id }) => [action, actor_id, subject_id]),
        [
          ['sign_in_failed', null, id],
          ['sign_in_failed', null, null],
        ],
      )
      const rows = await shop.db.selectFrom('audit_events').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(input))
    })

    test('has the reuse of a refresh token', async () => {
      const { id, refreshToken: refresh_token } = await shop.signInAs('customer')
      await shop.request('POST', '/login', { refresh_token })
      shop.now += 10_001
      assert.equal((await shop.request('POST', '/login', { refresh_token })).status, 401)
      assert.deepEqual(await listActions(id), ['signed_in', 'refresh_token_reused'])
    })

    test('has changes of password, role and status, with old and new values except of the password', async () => {
      const { id } = await shop.signUp()
      const change = { password: 'another password', role: 'admin', status: 'suspended' }
      assert.equal((await admin.request('PATCH', `/users/${id}`, change)).status, 200)
      const events = await listAuditEvents(`subject_id=${id}`)
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

    test('has the creation of an administrator and changes of username, address, password and role', async () => {
      const fields = { name: 'Ada', username: `new-admin-${kind}`, password: testPassword }
      const created = await admin.request('POST', '/users', { ...fields, role: 'admin' })
      assert.equal(created.status, 201, created.text)
      await admin.request('PATCH', `/users/${created.json.id}`, { username: `other-${kind}` })
      const email = `new-admin-${kind}@example.com`
      await admin.request('PATCH', `/users/${created.json.id}`, { email })
      // The same address, so nothing that is audited.
      const spelling = { email: email.toUpperCase() }
      await admin.request('PATCH', `/users/${created.json.id}`, spelling)
      await admin.request('PATCH', `/users/${created.json.id}`, { password: 'reset by an admin' })
      await admin.request('PATCH', `/users/${created.json.id}`, { role: 'customer' })
      const events = await listAuditEvents(`subject_id=${created.json.id}&sort=id`)
      const actions = [
        'administrator_created',
        'username_changed',
        'email_changed',
        'password_changed',
        'role_changed',
      ]
      assert.deepEqual(
        events.map(({ action, actor_id }) => [action, actor_id]),
        actions.map((action) => [action, admin.id]),
      )
    })

    test('has no event for a change that was rolled back', async () => {
      const { id } = await shop.signUp()
      const { username } = await shop.signUp()
      const change = { password: 'another password', username }
      assert.equal((await admin.request('PATCH', `/users/${id}`, change)).status, 409)
      assert.deepEqual(await listActions(id), [])
    })

    test('keeps the events of an erased user without address and details', async () => {
      const { id, request } = await shop.signInAs('customer')
      assert.equal((await request('DELETE', `/users/${id}`)).status, 204)
      const events = await listAuditEvents(`subject_id=${id}`)
      assert.deepEqual(
        events.map(({ action, address, details }) => [action, address, details]),
        [
          ['signed_in', null, null],
          ['user_erased', null, null],
        ],
      )
    })

    test('can be filtered by actor, time, address and action', async () => {
      const { id } = await shop.signInAs('customer')
      const at = new Date(shop.now).toISOString()
      const later = new Date(shop.now + 1).toISOString()
      const count = async (query: string) =>
        (await listAuditEvents(`actor_id=${id}&${query}`)).length
      assert.equal(await count(`since=${at}&until=${later}`), 1)
      assert.equal(await count(`since=${later}`), 0)
      assert.equal(await count(`until=${at}`), 0)
      assert.equal(await count('address=127.0.0.1&action=signed_in'), 1)
      assert.equal(await count('address=127.0.0.2'), 0)
      const rejected = await admin.request('GET', '/audit-events?since=yesterday')
      assert.deepEqual([rejected.status, rejected.json.error_code], [400, '4003'])
    })

    test('is deleted by age', async () => {
      const { id } = await shop.signInAs('customer')
      const [event] = await listAuditEvents(`subject_id=${id}`)
      const now = shop.now
      // Removes older events first, such as those of erased users, whose times are rounded down.
      await auditEvents.deleteExpired(shop.db, now - 1)
      assert.equal(await auditEvents.deleteExpired(shop.db, now - 1), 0)
      await auditEvents.deleteExpired(shop.db, now)
      const read = await admin.request('GET', `/audit-events/${event?.['id']}`)
      assert.equal(read.status, 404)
      assert.deepEqual(await listAuditEvents(`subject_id=${id}`), [])
    })
  })
})
