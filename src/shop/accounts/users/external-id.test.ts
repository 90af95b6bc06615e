import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase, startTestApp, type TestApp, type TestCaller } from '#test/support/app.ts'
import { scopedCaller } from '#test/support/callers/narrow-caller.ts'
import { runWaitingImports } from '#test/support/imports.ts'

eachDatabase((kind) => {
  let shop: TestApp
  let admin: TestCaller
  let customer: TestCaller
  before(async () => {
    shop = await startTestApp(kind)
    admin = await shop.signInAs('admin')
    customer = await shop.signInAs('customer')
  })
  after(() => shop.dispose())

  const outcome = ({ status, json }: { status: number; json: { error_code?: string } }) => [
    status,
    json.error_code,
  ]

  test('the ID of a user in another system is set by administrators, with any credential', async () => {
    const path = `/users/${customer.id}`
    const external_id = 'CRM-1'
    const narrow = await scopedCaller(shop, admin, ['users:read', 'users:write'])
    assert.deepEqual(outcome(await customer.request('PATCH', path, { external_id })), [403, '4031'])
    const stranger = { name: 'Eve', email: 'eve@example.com', password: 'a long enough secret' }
    const signUp = await shop.request('POST', '/users', { ...stranger, external_id })
    assert.deepEqual(outcome(signUp), [403, '4031'])
    assert.equal((await narrow('PATCH', path, { external_id })).status, 200)
    const own = (await customer.request('GET', path)).json
    assert.equal(own.external_id, external_id)
    // What was read may be sent back, and a PUT without it keeps it.
    const { name, email } = own
    assert.equal((await customer.request('PUT', path, { name, email, external_id })).status, 200)
    const replaced = await customer.request('PUT', path, { name, email })
    assert.equal(replaced.json.external_id, external_id)
    const cleared = await customer.request('PATCH', path, { external_id: null })
    assert.deepEqual(outcome(cleared), [403, '4031'])
  })

  test('it is unique, finds the user, and is gone with the user', async () => {
    const make = async (email: string, external_id: string) =>
      admin.request('POST', '/users', { name: 'Ada', email, external_id })
    const { json: ada } = await make('ada@example.com', 'ERP-1')
    assert.equal(ada.external_id, 'ERP-1')
    const twice = await make('bob@example.com', 'ERP-1')
    assert.deepEqual(outcome(twice), [409, '4092'])
    assert.equal(twice.json.details, 'Another user has this external_id.')
    const found = await admin.request('GET', '/users?external_id=ERP-1&sort=name')
    assert.deepEqual(
      found.json.data.map(({ id }: { readonly id: number }) => id),
      [ada.id],
    )
    const rows = [
      { email: 'row@example.com', name: 'Row', external_id: 'ERP-1' },
      { email: 'ada@example.com', external_id: 'ERP-2' },
    ]
    for (const dryRun of ['&dry_run=true', '']) {
      const started = await shop.app.inject({
        method: 'POST',
        url: `/imports?resource=users${dryRun}`,
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/x-ndjson',
        },
        payload: rows.map((row) => JSON.stringify(row)).join('\n'),
      })
      await runWaitingImports(shop)
      const { result } = (await admin.request('GET', `/operations/${started.json().id}`)).json
      assert.partialDeepStrictEqual(result, { created: 0, updated: 1 })
    }
    assert.equal((await admin.request('DELETE', `/users/${ada.id}`)).status, 204)
    const again = await make('new@example.com', 'ERP-2')
    assert.equal(again.status, 201, again.text)
  })
})
