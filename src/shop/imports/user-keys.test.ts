import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { runWaitingImports } from '#test/support/imports.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
  })
  after(() => shop.dispose())

  /** Imports rows of CSV; returns the result and the errors. */
  async function importUsers(lines: readonly string[], query = '') {
    const started = await shop.app.inject({
      method: 'POST',
      url: `/imports?resource=users${query}`,
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv' },
      payload: lines.join('\n'),
    })
    assert.equal(started.statusCode, 202, started.payload)
    await runWaitingImports(shop)
    const path = `/operations/${started.json().id}`
    const { result } = (await admin.request('GET', path)).json
    const { data } = (await admin.request('GET', `${path}/errors`)).json
    const { created, updated, unchanged } = result
    const errors = data.map(
      ({ field, error_code, key, message }: Readonly<Record<string, string>>) =>
        `${field} ${error_code} ${key}: ${message}`,
    )
    return { counts: [created, updated, unchanged], errors }
  }
  const found = async (query: string) =>
    (await admin.request('GET', `/users?${query}&sort=name`)).json.data

  test('a user without an email is found by the telephone number, whatever groups its digits', async () => {
    const file = (phone: string) => ['email,name,phone', `,Ana Díaz,${phone}`]
    const tried = await importUsers(file('0034 91 123 45 67'), '&dry_run=true')
    assert.deepEqual(tried, { counts: [1, 0, 0], errors: [] })
    const first = await importUsers(file('0034 91 123 45 67'))
    assert.deepEqual(first, { counts: [1, 0, 0], errors: [] })
    const again = await importUsers(file('0034 91 123 45 67'), '&dry_run=true')
    assert.deepEqual(again.counts, [0, 0, 1])
    assert.deepEqual((await importUsers(file('+34-911-234-567'))).counts, [0, 1, 0])
    const [ana, ...others] = await found(`phone=${encodeURIComponent('+34911234567')}`)
    assert.deepEqual([ana.name, ana.email, ana.username], ['Ana Díaz', null, null])
    assert.equal(others.length, 0)
    assert.deepEqual(await found('phone=none'), [])
  })

  test('a number of several users, or of one with an email, names nobody', async () => {
    const phone = '555 0100'
    for (const email of [null, null]) {
      await admin.request('POST', '/users', { name: 'Twin', email, phone })
    }
    const shared = await importUsers(['name,phone', `Twin,${phone}`])
    assert.deepEqual(shared.counts, [0, 0, 0])
    assert.match(shared.errors[0] ?? '', /^null 4091 555 0100: Several users without an email/)
    await admin.request('POST', '/users', {
      name: 'Bo',
      email: 'bo@example.com',
      phone: '555 0199',
    })
    assert.deepEqual((await importUsers(['name,phone', 'Other,555 0199'])).counts, [1, 0, 0])
    assert.equal((await found('email=bo@example.com'))[0].name, 'Bo')
  })

  test('an external ID comes before the email, and rows see what those before have changed', async () => {
    const { counts, errors } = await importUsers([
      'external_id,email,name',
      'X-1,x1@example.com,First',
      'X-2,x1@example.com,Second',
      'X-2,x2@example.com,Third',
      ',,Nobody',
    ])
    assert.deepEqual(counts, [1, 2, 0])
    assert.deepEqual(errors, [
      'email 4001 null: one of external_id, email and phone is required: users are found by them',
    ])
    const [user] = await found('external_id=X-2')
    assert.deepEqual([user.email, user.name], ['x2@example.com', 'Third'])
  })

  test('columns of the address change the default address, or add the first one', async () => {
    const header = 'email,name,address.line1,address.city,address.postal_code,address.country'
    const row = (line1: string) => `eve@example.com,Eve,${line1},London,SW1Y 4JH,GB`
    const first = await importUsers([header, row('1 Old Street')])
    assert.deepEqual(first, { counts: [1, 0, 0], errors: [] })
    const again = await importUsers([header, row('1 Old Street')], '&dry_run=true')
    assert.deepEqual(again.counts, [0, 0, 1])
    const moved = await importUsers(['email,address.line1', 'eve@example.com,2 New Street'])
    assert.deepEqual(moved, { counts: [0, 1, 0], errors: [] })
    const [eve] = await found('email=eve@example.com')
    const { data } = (await admin.request('GET', `/users/${eve.id}/addresses`)).json
    assert.deepEqual(
      data.map(({ recipient, line1, city, is_default }: Readonly<Record<string, unknown>>) => [
        ...[recipient, line1, city, is_default],
      ]),
      [['Eve', '2 New Street', 'London', true]],
    )
    const broken = await importUsers([header, 'zoe@example.com,Zoe,1 Street,Paris,,FR'])
    assert.deepEqual(broken.errors, ['address.postal_code 4001 zoe@example.com: is required'])
    assert.deepEqual(await found('email=zoe@example.com'), [])
  })

  test('a user without an email cannot sign in, nor is written to', async () => {
    await importUsers(['external_id,email,name', 'NO-MAIL,,Quiet'])
    const [quiet] = await found('external_id=NO-MAIL')
    const reset = await shop.request('POST', '/password-resets', { email: 'quiet@example.com' })
    assert.equal(reset.status, 202)
    const login = await shop.request('POST', '/login', { username: 'Quiet', password: 'a secret!' })
    assert.equal(login.status, 401)
    const path = `/users/${quiet.id}`
    const { json } = await admin.request('PATCH', path, { email: 'quiet@example.com' })
    assert.deepEqual([json.email, json.username], ['quiet@example.com', 'quiet@example.com'])
    assert.equal((await admin.request('DELETE', path)).status, 204)
  })
})
